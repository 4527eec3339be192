internal import Fleets
internal import Histogram
internal import JSONScanning

extension LoadResult {
    /// Parses a result in JSON.
    ///
    /// - Throws: `JSONError` or `DecodingError`.
    package init(json: [UInt8]) throws {
        self = try DocumentDecoder.decode(LoadResult.self, from: json)
    }

    /// Adds up the results of loads that ran at the same time, or returns `nil` if there are none.
    ///
    /// The histograms are added, so the percentiles are those of all notifications together. Seconds with the same
    /// number are added too; their percentiles are the largest of the parts. Sums that overflow are the largest number.
    package init?(merging results: [LoadResult]) {
        guard var merged = results.first else { return nil }
        for result in results.dropFirst() { merged.add(result) }
        self = merged
    }

    private mutating func add(_ other: Self) {
        run.name += ", \(other.run.name)"
        run.duration = max(run.duration, other.run.duration)
        accepted = accepted.adding(other.accepted)
        delivered = delivered.adding(other.delivered)
        acknowledged = acknowledged.adding(other.acknowledged)
        offered.add(other.offered)
        achieved.add(other.achieved)
        offeredRate += other.offeredRate
        achievedRate += other.achievedRate
        requests.add(other.requests)
        lateStarts.add(other.lateStarts)
        lost.add(other.lost)
        duplicated.add(other.duplicated)
        reordered.add(other.reordered)
        lostIDs += other.lostIDs
        undelivered.merge(other.undelivered, uniquingKeysWith: Int.sum)
        errors.merge(other.errors, uniquingKeysWith: Int.sum)
        warnings += other.warnings.filter { !warnings.contains($0) }
        // An objective is about the figures of one run.
        objectives = []
        for second in other.seconds {
            if let index = seconds.firstIndex(where: { $0.second == second.second }) {
                seconds[index].add(second)
            } else {
                seconds.append(second)
            }
        }
        seconds.sort { $0.second < $1.second }
    }
}

extension LoadSecond {
    fileprivate mutating func add(_ other: Self) {
        offered.add(other.offered)
        accepted.add(other.accepted)
        delivered.add(other.delivered)
        acknowledged.add(other.acknowledged)
        errors.add(other.errors)
        reasons.merge(other.reasons, uniquingKeysWith: Int.sum)
        backlog.add(other.backlog)
        connected.add(other.connected)
        p50 = [p50, other.p50].compactMap(\.self).max()
        p99 = [p99, other.p99].compactMap(\.self).max()
        max = [max, other.max].compactMap(\.self).max()
        generatorBusy = [generatorBusy, other.generatorBusy].compactMap(\.self).max()
        othersBusy = [othersBusy, other.othersBusy].compactMap(\.self).max()
    }
}

extension Int {
    /// Returns the sum of two numbers of a file, which may be any; the nearest number if it overflows.
    fileprivate static func sum(_ first: Int, _ second: Int) -> Int {
        let (sum, overflows) = first.addingReportingOverflow(second)
        return overflows ? (second < 0 ? .min : .max) : sum
    }

    fileprivate mutating func add(_ other: Int) {
        self = .sum(self, other)
    }
}

extension LatencySummary {
    /// The maximum number of measurements of a histogram; all its sums fit into an integer.
    private static let maximumCount: UInt64 = 1 << 53

    /// The histogram of microseconds, with at most `maximumCount` measurements.
    var recordedHistogram: Histogram<UInt64> {
        var histogram = Histogram<UInt64>.microseconds
        for pair in self.histogram where pair.count == 2 && pair[0] >= 0 && pair[1] > 0 {
            let count = Swift.min(UInt64(pair[1]), Self.maximumCount - histogram.totalCount)
            if count > 0 { histogram.record(UInt64(pair[0]), count: count) }
        }
        return histogram
    }

    fileprivate func adding(_ other: Self) -> Self {
        var sum = recordedHistogram
        sum.add(other.recordedHistogram)
        return Self(sum)
    }
}
