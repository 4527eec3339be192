internal import TextBasics
internal import WaypostSchema

/// A rule of a file, with the properties that the checks use.
struct CheckedRule {
    /// The rule as written, with its place.
    let writtenRule: AssociationFile.Placed<LinkRule>

    /// The rule with its defaults applied.
    let effectiveRule: LinkRule

    /// Whether a finding may suggest a replacement for the rule: its replacement would lose nothing and is short.
    let isReplaceable: Bool

    /// Whether the rule's patterns are compared with the URL without decoding its escapes.
    var isPercentEncoded: Bool {
        effectiveRule.percentEncoded ?? true
    }

    /// Returns the defaults of a file in the form of rules.
    static func defaults(of file: AssociationFile) -> [CheckedRule] {
        file.placedDefaults.map {
            CheckedRule($0, effectiveRule: $0.value.applyingDefaults(file.defaults), in: file)
        }
    }

    /// Returns all rules of a file, in its order.
    static func all(of file: AssociationFile) -> [CheckedRule] {
        zip(file.rules, file.effectiveRules).map { CheckedRule($0, effectiveRule: $1, in: file) }
    }

    private init(_ writtenRule: AssociationFile.Placed<LinkRule>, effectiveRule: LinkRule, in file: AssociationFile) {
        self.writtenRule = writtenRule
        self.effectiveRule = effectiveRule
        isReplaceable =
            !file.partlyReadRules.contains(writtenRule.position) && writtenRule.value.description.replacement != nil
    }

    /// Creates a rule that may replace another one.
    private init(_ changedRule: LinkRule, insteadOf rule: CheckedRule) {
        writtenRule = AssociationFile.Placed(
            value: changedRule,
            path: rule.writtenRule.path,
            line: rule.writtenRule.line,
            column: rule.writtenRule.column
        )
        effectiveRule = changedRule.applyingDefaults(rule.effectiveRule)
        isReplaceable = false
    }

    /// Returns a changed rule in the syntax of the file, to suggest it.
    ///
    /// - Parameter change: returns the changed rule, or `nil` if there is none.
    /// - Returns: the rule, or `nil` if it would lose a part of this one, differs in nothing or has an error.
    func replacement(_ change: (LinkRule) -> LinkRule?) -> String? {
        guard isReplaceable, let changedRule = change(writtenRule.value), changedRule != writtenRule.value else {
            return nil
        }
        let findings = PatternCheck.findings(in: CheckedRule(changedRule, insteadOf: self))
        return findings.contains { $0.severity == .error } ? nil : changedRule.description
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
