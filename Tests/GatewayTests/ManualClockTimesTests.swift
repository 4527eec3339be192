import Testing
import WaypostSchema

@testable import Gateway

@Suite struct ManualClockTimesTests {
    private static let early = Timestamp(milliseconds: 1_000)
    private static let late = Timestamp(milliseconds: 2_000)

    /// Times of which the clock "run" was read as `late`.
    private static var lateTimes: ManualClockTimes {
        var times = ManualClockTimes()
        let read = times.beginRead(of: "run")
        let counts = times.end(read, with: late)
        #expect(counts)
        return times
    }

    @Test func latestTimeCountsIfReadsEndOutOfOrder() {
        var times = ManualClockTimes()
        let reads = (0..<3).map { _ in times.beginRead(of: "run") }
        let counts = [
            times.end(reads[2], with: Self.late), times.end(reads[0], with: nil), times.end(reads[1], with: Self.early),
        ]
        #expect(counts == [true, true, true])
        #expect(times["run"] == Self.late)
        #expect(times.namespaces == ["run"])
    }

    @Test func readFromBeforeAResetDoesNotCount() {
        var times = Self.lateTimes
        let (read, other) = (times.beginRead(of: "run"), times.beginRead(of: "other"))
        times.forget("run")
        #expect(times["run"] == nil)
        let counts = [times.end(read, with: Self.late), times.end(other, with: Self.late)]
        #expect(counts == [false, true])
        #expect(times["run"] == nil)
        #expect(times.namespaces == ["other"])
    }

    @Test func clockMayShowAnEarlierTimeAfterAReset() {
        var times = Self.lateTimes
        times.forget("run")
        let read = times.beginRead(of: "run")
        let counts = times.end(read, with: Self.early)
        #expect(counts)
        #expect(times["run"] == Self.early)
    }

    @Test(arguments: [early, nil] as [Timestamp?]) func resultReplacesAnOutdatedTime(_ result: Timestamp?) {
        var times = Self.lateTimes
        let first = times.beginRead(of: "run")
        times.markAsOutdated("run")
        let reads = (0..<3).map { _ in times.beginRead(of: "run") }
        let firstCounts = times.end(first, with: Self.late)
        #expect(!firstCounts)
        let counts = times.end(reads[0], with: result)
        #expect(counts)
        #expect(times["run"] == result)
        // From here on, the latest time counts again.
        let nextCounts = [times.end(reads[1], with: Self.late), times.end(reads[2], with: Self.early)]
        #expect(nextCounts == [true, true])
        #expect(times["run"] == Self.late)
    }

    @Test func outdatedTimeStaysWhileReadsHaveNoResult() {
        var times = Self.lateTimes
        times.markAsOutdated("run")
        let failed = times.beginRead(of: "run")
        times.cancel(failed)
        #expect(times["run"] == Self.late)
        let read = times.beginRead(of: "run")
        let counts = times.end(read, with: Self.early)
        times.cancel(read)
        #expect(counts)
        #expect(times["run"] == Self.early)
    }
}
