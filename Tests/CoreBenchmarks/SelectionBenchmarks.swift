import PredicateFormat
import Targeting
import WaypostSchema

/// The selection among scenes, each with conditions of 20 comparisons.
enum SelectionBenchmarks {
    static func all() throws -> [Benchmark] {
        try tabs() + prefixes() + mixed()
    }

    /// Windows with 20 tabs each, as in the talk: each prefers its open documents and can display any document.
    ///
    /// The last window has the document.
    private static func tabs() throws -> [Benchmark] {
        try [1, 32, 1_000].map { count in
            let scenes = try scenes(count) { scene in
                (0..<20).map { "SELF == 'https://docs.example/\(scene)/tab-\($0)'" }.joined(separator: " OR ")
            }
            return benchmark("20 tabs", scenes, "https://docs.example/\(count - 1)/tab-19")
        }
    }

    /// Windows none of which prefers the document, so that all conditions are evaluated completely.
    private static func prefixes() throws -> [Benchmark] {
        try [1, 32, 1_000].map { count in
            let scenes = try scenes(count) { scene in
                (0..<20).map { "SELF BEGINSWITH 'https://docs.example/\(scene)/\($0)/'" }.joined(separator: " OR ")
            }
            return benchmark("20 prefixes, none true", scenes, "https://docs.example/none/0/1")
        }
    }

    /// Windows with all kinds of comparisons, none of which is true.
    private static func mixed() throws -> [Benchmark] {
        let scenes = try scenes(32) { scene in
            (0..<4).map { index in
                let name = "\(scene)-\(index)"
                return """
                    SELF == '\(name)' OR SELF BEGINSWITH '\(name)' OR SELF ENDSWITH '\(name)' OR SELF LIKE '\(name)*' \
                    OR SELF CONTAINS '\(name)'
                    """
            }
            .joined(separator: " OR ")
        }
        return [benchmark("20 of all kinds, none true", scenes, "https://docs.example/none/0/1")]
    }

    private static func scenes(_ count: Int, prefers: (Int) -> String) throws -> [SceneCandidate] {
        try (0..<count).map { index in
            SceneCandidate(
                identifier: SceneIdentifier(rawValue: "scene-\(index)"),
                state: .background,
                lastActivated: Timestamp(milliseconds: index),
                conditions: CompiledConditions(prefers: try ContentPredicate(format: prefers(index)))
            )
        }
    }

    private static func benchmark(_ what: String, _ scenes: [SceneCandidate], _ identifier: String) -> Benchmark {
        let query = SceneQuery.notification(TargetContentIdentifier(rawValue: identifier))
        return Benchmark(name: "select among \(scenes.count): \(what)") {
            SceneSelection.select(for: query, among: scenes).trace.count
        }
    }
}
