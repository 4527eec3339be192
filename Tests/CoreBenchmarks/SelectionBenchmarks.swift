import PredicateFormat
import Targeting
import WaypostSchema

/// The selection among scenes, each with conditions of 20 comparisons.
enum SelectionBenchmarks {
    static func all() throws -> [Benchmark] {
        try cases.map(benchmark)
    }

    /// The selections that are measured; each scene has one predicate.
    static let cases = tabs + prefixes + [mixed]

    /// Windows with 20 tabs each, as in the talk: each prefers its open documents and can display any document.
    ///
    /// The last window has the document.
    private static let tabs = [1, 32, 1_000].map { count in
        let conditions = (0..<count).map { scene in
            (0..<20).map { "SELF == 'https://docs.example/\(scene)/tab-\($0)'" }.joined(separator: " OR ")
        }
        return selection("20 tabs", conditions, "https://docs.example/\(count - 1)/tab-19")
    }

    /// Windows none of which prefers the document, so that all conditions are evaluated completely.
    private static let prefixes = [1, 32, 1_000].map { count in
        let conditions = (0..<count).map { scene in
            (0..<20).map { "SELF BEGINSWITH 'https://docs.example/\(scene)/\($0)/'" }.joined(separator: " OR ")
        }
        return selection("20 prefixes, none true", conditions, "https://docs.example/none/0/1")
    }

    /// Windows with all kinds of comparisons, none of which is true.
    private static let mixed: PredicateCase = {
        let conditions = (0..<32).map { scene in
            (0..<4).map { index in
                let name = "\(scene)-\(index)"
                return """
                    SELF == '\(name)' OR SELF BEGINSWITH '\(name)' OR SELF ENDSWITH '\(name)' OR SELF LIKE '\(name)*' \
                    OR SELF CONTAINS '\(name)'
                    """
            }
            .joined(separator: " OR ")
        }
        return selection("20 of all kinds, none true", conditions, "https://docs.example/none/0/1")
    }()

    private static func selection(_ what: String, _ conditions: [String], _ value: String) -> PredicateCase {
        PredicateCase(name: "select among \(conditions.count): \(what)", predicates: conditions, value: value)
    }

    private static func benchmark(_ selection: PredicateCase) throws -> Benchmark {
        let scenes = try selection.predicates.enumerated().map { index, format in
            SceneCandidate(
                identifier: SceneIdentifier(rawValue: "scene-\(index)"),
                state: .background,
                lastActivated: Timestamp(milliseconds: index),
                conditions: CompiledConditions(prefers: try ContentPredicate(format: format))
            )
        }
        let query = SceneQuery.notification(TargetContentIdentifier(rawValue: selection.value))
        return Benchmark(name: selection.name) {
            SceneSelection.select(for: query, among: scenes).trace.count
        }
    }
}
