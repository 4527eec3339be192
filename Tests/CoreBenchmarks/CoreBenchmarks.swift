/// Measures the core's hot paths and prints a line for each: its time, and the multiple of a baseline in the same run,
/// which by default is a single equality.
@main
enum CoreBenchmarks {
    static func main() throws {
        let benchmarks =
            try PredicateBenchmarks.all() + SelectionBenchmarks.all() + LinkBenchmarks.all()
            + SharingBenchmarks.all() + AttributionBenchmarks.all() + BatchBenchmarks.all()
        let filter = CommandLine.arguments.dropFirst().first
        let wanted = benchmarks.filter { benchmark in filter.map { benchmark.name.contains($0) } ?? true }
        print(Report.header)
        var medians: [String: Double] = [:]
        for benchmark in wanted {
            let measurement = Measurement(of: benchmark)
            medians[benchmark.name] = measurement.median
            print(Report.line(benchmark, measurement, baseline: benchmark.baseline.flatMap { medians[$0] }))
        }
    }
}
