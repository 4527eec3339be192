import Foundation

/// Measures the core's hot paths and prints a line for each: its time, and the multiple of a baseline in the same run,
/// which by default is a single equality.
///
///     core-benchmarks [<part of a name> ...]            prints a table
///     core-benchmarks --json [<part of a name> ...]     prints an object with the name and the median for each benchmark
///     core-benchmarks --cases [<part of a name> ...]    prints the predicates, for other evaluators
@main
enum CoreBenchmarks {
    static func main() throws {
        let arguments = CommandLine.arguments.dropFirst()
        let filters = arguments.filter { !$0.hasPrefix("--") }
        let isWanted = { (name: String) in filters.isEmpty || filters.contains { name.contains($0) } }
        if arguments.contains("--cases") { return try printCases(isWanted) }
        let benchmarks =
            try PredicateBenchmarks.all() + SelectionBenchmarks.all() + LinkBenchmarks.all()
            + SharingBenchmarks.all() + AttributionBenchmarks.all() + BatchBenchmarks.all()
        let isJSON = arguments.contains("--json")
        if !isJSON { print(Report.header) }
        var medians: [String: Double] = [:]
        for benchmark in benchmarks where isWanted(benchmark.name) {
            let measurement = Measurement(of: benchmark)
            medians[benchmark.name] = measurement.median
            let baseline = benchmark.baseline.flatMap { medians[$0] }
            try isJSON
                ? printJSON(Figure(name: benchmark.name, nanoseconds: measurement.median))
                : print(Report.line(benchmark, measurement, baseline: baseline))
        }
    }

    private struct Figure: Encodable {
        let name: String
        let nanoseconds: Double
    }

    /// A case with the result that other evaluators must have too.
    private struct CheckedCase: Encodable {
        let predicateCase: PredicateCase
        let expected: Bool
    }

    private static func printCases(_ isWanted: (String) -> Bool) throws {
        for predicateCase in PredicateBenchmarks.cases + SelectionBenchmarks.cases where isWanted(predicateCase.name) {
            try printJSON(CheckedCase(predicateCase: predicateCase, expected: try predicateCase.isTrue()))
        }
    }

    private static func printJSON(_ value: some Encodable) throws {
        print(String(decoding: try JSONEncoder().encode(value), as: UTF8.self))
    }
}
