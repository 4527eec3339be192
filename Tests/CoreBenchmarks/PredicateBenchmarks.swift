import PredicateFormat
import WaypostSchema

/// The parsing of predicates, and their evaluation on the identifier of a clown.
enum PredicateBenchmarks {
    private static let fixture = "https://clowntown.example/clowns/"
    private static let crusty = fixture + "crusty"

    /// The baseline of the other benchmarks.
    static let equality = "evaluate: ==, true"

    static func all() throws -> [Benchmark] {
        let alternatives = (0..<50).map { "SELF == '\(fixture)clown-\($0)'" }.joined(separator: " OR ")
        let inList = "SELF IN {" + (0..<50).map { "'\(fixture)clown-\($0)'" }.joined(separator: ", ") + "}"
        return try [
            evaluate(equality, "SELF == '\(crusty)'", baseline: nil),
            evaluate("evaluate: ==, false in the last letter", "SELF == '\(fixture)crustz'"),
            evaluate("evaluate: 50-way OR of ==, none true", alternatives),
            evaluate("evaluate: 50-way OR of ==, the last true", alternatives, fixture + "clown-49"),
            evaluate("evaluate: IN a list of 50, none", inList),
            evaluate("evaluate: BEGINSWITH", "SELF BEGINSWITH '\(fixture)'"),
            evaluate("evaluate: ENDSWITH", "SELF ENDSWITH '/crusty'"),
            evaluate("evaluate: CONTAINS", "SELF CONTAINS 'clowns/cr'"),
            evaluate("evaluate: CONTAINS[cd]", "SELF CONTAINS[cd] 'Clowns/Cr'"),
            evaluate("evaluate: LIKE, one *", "SELF LIKE '\(fixture)*'"),
            evaluate("evaluate: LIKE, *…*?…", "SELF LIKE '*clowns/cr?sty*'"),
            evaluate("evaluate: LIKE[cd]", "SELF LIKE[cd] '*CLOWNS*'"),
            evaluate(
                "evaluate: CONTAINS[cd] beyond ASCII",
                "SELF CONTAINS[cd] 'Clöwns'",
                "https://clöwntown.example/clöwns/crüsty"
            ),
            evaluate("evaluate: BETWEEN", "SELF BETWEEN {'https://a', 'https://z'}"),
            read("read: ==", "SELF == '\(crusty)'"),
            read("read: 50-way OR of ==", alternatives),
            read("read: LIKE, CONTAINS[cd], NOT", "SELF LIKE '\(fixture)*' AND NOT SELF CONTAINS[cd] 'draft'"),
        ]
    }

    private static func evaluate(
        _ name: String,
        _ format: String,
        _ value: String = crusty,
        baseline: String? = equality
    ) throws -> Benchmark {
        let predicate = try ContentPredicate(format: format)
        return Benchmark(name: name, baseline: baseline) {
            do {
                return try predicate.evaluate(with: value) ? 1 : 0
            } catch {
                return -1
            }
        }
    }

    private static func read(_ name: String, _ format: String) throws -> Benchmark {
        Benchmark(name: name) {
            do {
                return try ContentPredicate(format: format).hashValue
            } catch {
                return -1
            }
        }
    }
}
