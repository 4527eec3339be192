import Testing
import WaypostTestSupport

@testable import UniversalLinks

/// The parts of a pattern.
@Suite struct PatternPartTests {
    @Test(
        arguments: [
            ("", []), ("a", [.text("a")]), ("*", [.anySequence]), ("?", [.anyCharacter]),
            ("a*?b", [.text("a"), .anySequence, .anyCharacter, .text("b")]),
            ("**", [.anySequence, .anySequence]), ("$(x)", [.variable("x")]),
            ("a$(x y)b", [.text("a"), .variable("x y"), .text("b")]),
            ("$()", [.variable("")]), ("$(*?)", [.variable("*?")]), ("$($(x)", [.variable("$(x")]),
            ("$(x))", [.variable("x"), .text(")")]), ("$", [.text("$")]), ("$ (x)", [.text("$ (x)")]),
            ("$$(x)", [.text("$"), .variable("x")]), ("a$", [.text("a$")]), ("$(", [.unterminated]),
            ("*$(x", [.anySequence, .unterminated]), ("\\*", [.text("\\"), .anySequence]),
            ("é?漢", [.text("é"), .anyCharacter, .text("漢")]),
            ("$(é)", [.variable("é")]),
        ] as [(String, [PatternPart])]
    )
    func patternIsSplitIntoItsParts(_ pattern: String, _ parts: [PatternPart]) {
        #expect(PatternPart.parts(of: pattern.utf8) == parts)
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func joinedPartsAreThePattern(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<2_000 {
            let pattern = LinkRule.pattern(using: &generator)
            let parts = PatternPart.parts(of: pattern.utf8)
            let text = parts.map(Self.text).joined()
            // Only the start of an unterminated variable is known.
            let isWhole = parts.last != .unterminated
            #expect(isWhole ? text == pattern : pattern.hasPrefix(text), "seed \(seed): \(pattern.debugDescription)")
        }
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func textPartsAreMaximalAndOnlyTheLastPartIsUnterminated(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<2_000 {
            let pattern = LinkRule.pattern(using: &generator)
            let parts = PatternPart.parts(of: pattern.utf8)
            let isText = parts.map { if case .text = $0 { true } else { false } }
            #expect(!zip(isText, isText.dropFirst()).contains { $0 && $1 }, "seed \(seed): \(pattern.debugDescription)")
            #expect(!parts.contains(.text("")), "seed \(seed): \(pattern.debugDescription)")
            #expect(!parts.dropLast().contains(.unterminated), "seed \(seed): \(pattern.debugDescription)")
        }
    }

    private static func text(of part: PatternPart) -> String {
        switch part {
        case .text(let text): text
        case .anyCharacter: "?"
        case .anySequence: "*"
        case .variable(let name): "$(\(name))"
        case .unterminated: "$("
        }
    }
}
