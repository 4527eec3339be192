import PredicateFormat
import WaypostSchema

/// The parsing of predicates, and their evaluation on the identifier of a clown.
enum PredicateBenchmarks {
    private static let fixture = "https://clowntown.example/clowns/"
    private static let crusty = fixture + "crusty"

    /// The baseline of the other benchmarks.
    static let equality = "evaluate: ==, true"

    static func all() throws -> [Benchmark] {
        try cases.map(evaluate) + [
            read("read: ==", "SELF == '\(crusty)'"),
            read("read: 50-way OR of ==", alternatives()),
            read("read: LIKE, CONTAINS[cd], NOT", "SELF LIKE '\(fixture)*' AND NOT SELF CONTAINS[cd] 'draft'"),
        ]
    }

    /// The evaluations that are measured.
    static let cases: [PredicateCase] = [
        PredicateCase(equality, "SELF == '\(crusty)'", crusty),
        PredicateCase("evaluate: ==, false in the last letter", "SELF == '\(fixture)crustz'", crusty),
        PredicateCase("evaluate: 50-way OR of ==, none true", alternatives(), crusty),
        PredicateCase("evaluate: 50-way OR of ==, the last true", alternatives(), fixture + "clown-49"),
        PredicateCase("evaluate: IN a list of 50, none", inList, crusty),
        PredicateCase("evaluate: BEGINSWITH", "SELF BEGINSWITH '\(fixture)'", crusty),
        PredicateCase("evaluate: ENDSWITH", "SELF ENDSWITH '/crusty'", crusty),
        PredicateCase("evaluate: CONTAINS", "SELF CONTAINS 'clowns/cr'", crusty),
        PredicateCase("evaluate: CONTAINS[cd]", "SELF CONTAINS[cd] 'Clowns/Cr'", crusty),
        PredicateCase("evaluate: LIKE, one *", "SELF LIKE '\(fixture)*'", crusty),
        PredicateCase("evaluate: LIKE, *…*?…", "SELF LIKE '*clowns/cr?sty*'", crusty),
        PredicateCase("evaluate: LIKE[cd]", "SELF LIKE[cd] '*CLOWNS*'", crusty),
        PredicateCase(
            "evaluate: CONTAINS[cd] beyond ASCII",
            "SELF CONTAINS[cd] 'Clöwns'",
            "https://clöwntown.example/clöwns/crüsty"
        ),
        PredicateCase("evaluate: BETWEEN", "SELF BETWEEN {'https://a', 'https://z'}", crusty),
    ]

    private static func alternatives() -> String {
        (0..<50).map { "SELF == '\(fixture)clown-\($0)'" }.joined(separator: " OR ")
    }

    private static let inList = "SELF IN {" + (0..<50).map { "'\(fixture)clown-\($0)'" }.joined(separator: ", ") + "}"

    private static func evaluate(_ predicateCase: PredicateCase) throws -> Benchmark {
        let predicate = try ContentPredicate(format: predicateCase.predicates[0])
        let value = predicateCase.value
        return Benchmark(name: predicateCase.name, baseline: predicateCase.name == equality ? nil : equality) {
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

/// An evaluation that other evaluators of predicates can be compared with.
struct PredicateCase: Encodable {
    let name: String

    /// The predicates, which are evaluated until one is true.
    let predicates: [String]
    let value: String

    init(_ name: String, _ predicate: String, _ value: String) {
        self.init(name: name, predicates: [predicate], value: value)
    }

    init(name: String, predicates: [String], value: String) {
        (self.name, self.predicates, self.value) = (name, predicates, value)
    }

    /// Whether one of the predicates is true.
    func isTrue() throws -> Bool {
        try predicates.contains { try ContentPredicate(format: $0).evaluate(with: value) }
    }
}
