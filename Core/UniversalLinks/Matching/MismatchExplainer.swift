internal import TextBasics

/// Human-readable explanations of why a URL does not match rules.
struct MismatchExplainer {
    /// The maximum number of steps of the comparison that ignores the case of letters.
    static let maximumComparisonSteps = 10_000

    private let originalURL: ReportedURL
    private let decodedURL: ReportedURL

    init(_ url: LinkURL) {
        originalURL = ReportedURL(url, decodesEscapes: false)
        decodedURL = ReportedURL(url, decodesEscapes: true)
    }

    /// Returns why a part of the URL does not match a rule.
    ///
    /// - Parameters:
    ///   - part: the part; `nil` if all parts match.
    ///   - rule: the rule as written.
    ///   - effectiveRule: the rule with its defaults applied.
    ///   - variables: the values of the variables in its patterns.
    /// - Returns: a human-readable clause.
    func explanation(
        of part: CompiledLinkRule.URLPart?,
        rule: LinkRule,
        effectiveRule: LinkRule,
        variables: PatternVariables
    ) -> String {
        guard let part else { return effectiveRule.isExclusion ? "it matches, and excludes the URL" : "it matches" }
        guard let pattern = effectiveRule.pattern(for: part) else { return "it does not match" }
        if let error = Self.error(of: pattern, variables) { return error }
        let originNote = rule.pattern(for: part) == nil ? " of the defaults" : ""
        let decodingNote = effectiveRule.comparisonMode.decodesEscapes ? ", with its escapes decoded," : ""
        let (partName, texts) = texts(of: part, effectiveRule.comparisonMode)
        let conclusion = "does not match '\(pattern.safe(for: .excerpt))'\(originNote)"
        switch texts.count {
        case 0: return "\(partName) is missing, which counts as empty, and \(conclusion)"
        case 1 where texts[0].isEmpty: return "\(partName) is empty and \(conclusion)"
        case 1:
            let hint = hint(texts[0], pattern, rule: effectiveRule, part: part)
            return "\(partName) '\(texts[0].safe(for: .excerpt))'\(decodingNote) \(conclusion)\(hint)"
        default:
            let list = texts.prefix(5).map { "'\($0.safe(for: .excerpt))'" }.joined(separator: ", ")
            return "\(partName) \(list)\(decodingNote) \(conclusion); all of them must match"
        }
    }

    /// Returns the name of a part and its texts, in the form in which they are compared.
    private func texts(
        of part: CompiledLinkRule.URLPart,
        _ comparisonMode: NormalizedURL.ComparisonMode
    ) -> (partName: String, texts: [String]) {
        let reportedURL = comparisonMode.decodesEscapes ? decodedURL : originalURL
        return switch part {
        case .path: ("the path", [reportedURL.path.isEmpty ? "/" : reportedURL.path])
        case .query: ("the query", [reportedURL.query])
        case .item(let name):
            (
                "the query item \(name.safe(for: .excerpt))",
                reportedURL.values(of: name, foldingCase: comparisonMode.ignoresCase)
            )
        case .fragment: ("the fragment", [reportedURL.fragment])
        }
    }

    /// Returns the reason that nothing can match a pattern, or `nil` if there is none.
    private static func error(of pattern: String, _ variables: PatternVariables) -> String? {
        for part in PatternPart.parts(of: pattern.utf8) {
            switch part {
            case .unterminated: return "'\(pattern.safe(for: .excerpt))' has a $( without a closing )"
            case .variable(let name):
                switch variables[name] {
                case nil:
                    return
                        "'\(pattern.safe(for: .excerpt))' has the variable $(\(name.safe(for: .excerpt))), which is not defined"
                case .values(let values)? where values.isEmpty:
                    return
                        "'\(pattern.safe(for: .excerpt))' has the variable $(\(name.safe(for: .excerpt))), which has no values"
                default: continue
                }
            default: continue
            }
        }
        return nil
    }

    /// Returns a hint if only the case of letters prevents the match; otherwise an empty string.
    private func hint(_ text: String, _ pattern: String, rule: LinkRule, part: CompiledLinkRule.URLPart) -> String {
        guard !rule.comparisonMode.ignoresCase, !PatternPart.hasVariables(pattern) else { return "" }
        var compiler = PatternCompiler(.none)
        var budget = WorkBudget(steps: Self.maximumComparisonSteps)
        let folded = CaseFolding.folded(text.utf8)
        let isMatch: Bool? =
            if part == .path {
                compiler.compilePath(pattern, foldingCase: true)?
                    .matches(folded.span.extracting(NormalizedURL.Form.trimmed(folded.indices, of: folded)), &budget)
            } else {
                compiler.compile(pattern, foldingCase: true)?.matches(folded.span, &budget)
            }
        return isMatch == true ? ", because the case of letters differs" : ""
    }
}

extension LinkRule {
    /// Returns the rule's pattern for a part.
    fileprivate func pattern(for part: CompiledLinkRule.URLPart) -> String? {
        switch (part, query) {
        case (.path, _): path
        case (.fragment, _): fragment
        case (.query, .whole(let pattern)?): pattern
        case (.item(let name), .items(let items)?): items.first { $0.name == name }?.pattern
        default: nil
        }
    }
}
