import UniversalLinks
import WaypostTestSupport

extension LinkRule {
    /// Returns a random rule of either form.
    ///
    /// It uses few different letters, so it often matches.
    static func random(using generator: inout SeededGenerator) -> LinkRule {
        if Int.random(in: 0..<4, using: &generator) == 0 {
            var rule = LinkRule(form: .path)
            rule.path = pattern(using: &generator)
            rule.exclude = Bool.random(using: &generator) ? true : nil
            return rule
        }
        return randomComponent(using: &generator)
    }

    /// Returns a random element of `components`.
    static func randomComponent(using generator: inout SeededGenerator) -> LinkRule {
        var rule = LinkRule()
        rule.path = maybe(using: &generator) { "/" + pattern(using: &$0) }
        rule.query = maybe(using: &generator) { randomQuery(using: &$0) }
        rule.fragment = maybe(using: &generator) { pattern(using: &$0) }
        rule.exclude = maybe(using: &generator) { Bool.random(using: &$0) }
        rule.caseSensitive = maybe(using: &generator) { Bool.random(using: &$0) }
        rule.percentEncoded = maybe(using: &generator) { Bool.random(using: &$0) }
        rule.comment = maybe(using: &generator) { pattern(using: &$0) }
        return rule
    }

    private static func randomQuery(using generator: inout SeededGenerator) -> Query {
        guard Bool.random(using: &generator) else { return .whole(pattern(using: &generator)) }
        let names = ["a", "b", "É", "x y", "\"", ""].shuffled(using: &generator).prefix(
            Int.random(in: 0...3, using: &generator)
        )
        return .items(names.map { Item(name: $0, pattern: pattern(using: &generator)) })
    }

    /// Returns a random pattern with everything that is difficult to parse in a pattern or in a JSON string.
    static func pattern(using generator: inout SeededGenerator) -> String {
        let pieces = [
            "a", "b", "A", "/", "*", "?", "&", "=", "é", "É", "e\u{301}", "漢", "\u{1F921}", "%20", "%c3", " ", "\"",
            "\\",
            "\n", "\t", "\r", "\u{0}", "\u{1F}", "\u{7F}", "$", "$(", ")", "$(digit)", "$(word)", "$(none)", "NOT", "#",
        ]
        return (0..<Int.random(in: 0...5, using: &generator))
            .map { _ in pieces.randomElement(using: &generator) ?? "" }
            .joined()
    }

    private static func maybe<Value>(
        using generator: inout SeededGenerator,
        _ value: (inout SeededGenerator) -> Value
    ) -> Value? {
        Bool.random(using: &generator) ? value(&generator) : nil
    }
}
