internal import JSONScanning
internal import TextBasics

/// A rule of a file, with the properties that the checks use.
struct CheckedRule {
    /// The rule as written, with its place.
    let writtenRule: AssociationFile.Placed<LinkRule>

    /// The rule with its defaults applied.
    let effectiveRule: LinkRule

    /// Whether the rule's patterns are compared with the URL without decoding its escapes.
    var isPercentEncoded: Bool {
        effectiveRule.percentEncoded ?? true
    }

    /// Returns the defaults of a file in the form of rules.
    static func defaults(of file: AssociationFile) -> [CheckedRule] {
        file.placedDefaults.map {
            CheckedRule(writtenRule: $0, effectiveRule: $0.value.applyingDefaults(file.defaults))
        }
    }

    /// Returns all rules of a file, in its order.
    static func all(of file: AssociationFile) -> [CheckedRule] {
        zip(file.rules, file.effectiveRules).map(CheckedRule.init)
    }

    /// Returns a path or pattern in the syntax of the file, to suggest it; `nil` if it is too long for a message.
    func suggestion(for pattern: String) -> String? {
        let isExclusion = writtenRule.value.form == .path && writtenRule.value.isExclusion
        return Self.quoted((isExclusion ? LinkRule.exclusionPrefix : "") + pattern)
    }

    static func quoted(_ text: String) -> String? {
        text.utf8.count > 1_000 ? nil : text.printableJSON
    }

    /// A pattern of the rule itself, and the part of the URL that it is for.
    struct Pattern {
        var text: String

        /// The part of the URL, for a message.
        var part: String
        var isForPath = false
        var isForItem = false
    }

    /// The patterns of the rule itself, without those of its defaults.
    var patterns: [Pattern] {
        let rule = writtenRule.value
        var patterns: [Pattern] = []
        if let path = rule.path { patterns.append(Pattern(text: path, part: "path", isForPath: true)) }
        switch rule.query {
        case .whole(let pattern)?: patterns.append(Pattern(text: pattern, part: "query"))
        case .items(let items)?:
            patterns += items.map {
                Pattern(text: $0.pattern, part: "query item \($0.name.safe(for: .excerpt))", isForItem: true)
            }
        case nil: break
        }
        if let fragment = rule.fragment { patterns.append(Pattern(text: fragment, part: "fragment")) }
        return patterns
    }
}
