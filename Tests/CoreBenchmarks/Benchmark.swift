/// A piece of work to measure.
struct Benchmark {
    /// A short description of the work.
    var name: String

    /// The name of the earlier benchmark whose multiple is printed.
    var baseline: String?

    /// The number of results of each call of `work`.
    var results = 1

    /// Does the work once and returns a value that depends on it, so that the optimizer cannot remove any of it.
    var work: () -> Int
}

/// The time that a benchmark took.
struct Measurement {
    /// The median and the minimum, in nanoseconds per result.
    let median: Double
    let best: Double

    /// Takes `samples` samples of at least `milliseconds` each, after a warm-up that is not counted.
    init(of benchmark: Benchmark, samples: Int = 15, milliseconds: Int = 20) {
        let clock = ContinuousClock()
        // The set-up work of the first call is neither measured nor used to estimate the time of a call.
        Self.run(benchmark, 1)
        var calls = 1
        while clock.measure({ Self.run(benchmark, calls) }) < .milliseconds(milliseconds) { calls *= 2 }
        let times = (0..<samples).map { _ in
            let duration = clock.measure { Self.run(benchmark, calls) }
            return duration / .nanoseconds(1) / Double(calls * benchmark.results)
        }
        .sorted()
        median = times[times.count / 2]
        best = times[0]
    }

    @inline(never)
    private static func run(_ benchmark: Benchmark, _ calls: Int) {
        var sum = 0
        for _ in 0..<calls { sum &+= benchmark.work() }
        need(sum)
    }

    /// Uses a result, as far as the optimizer can tell.
    @inline(never) @_optimize(none)
    private static func need(_ result: Int) {}
}

/// The printed lines.
enum Report {
    static let header = row("benchmark", "median", "best", "a second", "ratio")

    static func line(_ benchmark: Benchmark, _ measurement: Measurement, baseline: Double?) -> String {
        let ratio = baseline.map { "\(tenths(measurement.median / $0)) x \(benchmark.baseline ?? "")" } ?? ""
        let rate = Int(1e9 / measurement.median)
        return row(
            benchmark.name,
            "\(tenths(measurement.median)) ns",
            "\(tenths(measurement.best)) ns",
            "\(rate)",
            ratio
        )
    }

    private static func tenths(_ value: Double) -> String {
        String((value * 10).rounded() / 10)
    }

    private static func row(
        _ name: String,
        _ median: String,
        _ best: String,
        _ rate: String,
        _ ratio: String
    ) -> String {
        pad(name, 56) + padLeft(median, 14) + padLeft(best, 14) + padLeft(rate, 12) + "  " + ratio
    }

    private static func pad(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }

    private static func padLeft(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.count)) + text
    }
}
