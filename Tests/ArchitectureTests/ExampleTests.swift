import Testing

/// The examples in the doc comments of the core: a test runs the same code.
@Suite struct ExampleTests {
    private static let paths = [
        "Core/Highlights/Center/SharedWithYou+reading.swift", "Core/Highlights/Explanation/LinkInquiry.swift",
        "Core/PredicateFormat/ContentPredicate.swift", "Core/Targeting/SceneSelection.swift",
        "Core/UniversalLinks/Matching/AssociationMatcher+decision.swift",
    ]

    @Test(arguments: paths) func exampleIsThatOfATest(_ path: String) throws {
        let source = try #require(SourceFile.core.first { $0.path == path })
        let documented = source.lines.map { $0.drop { $0 == " " } }.filter { $0.hasPrefix("///     ") }
        let tests = SourceFile.tests.filter { $0.path.hasSuffix("DocumentedExampleTests.swift") }
        let examples = tests.compactMap { test -> [Substring]? in
            guard let start = test.lines.firstIndex(of: "        // Example of \(path)") else { return nil }
            return test.lines[(start + 1)...].prefix { $0 != "        // End of the example" }.map { $0.dropFirst(8) }
        }
        let example = try #require(examples.first)
        #expect(documented.map { $0.dropFirst("///     ".count) } == example)
    }
}
