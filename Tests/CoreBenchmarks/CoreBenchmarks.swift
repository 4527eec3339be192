/// Measures the core's hot paths, and prints a line for each: what it took, and how many times that of a single equality
/// (or of what it is to be held against) in the same run.
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
