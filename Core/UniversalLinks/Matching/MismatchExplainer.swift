internal import TextBasics

/// Human-readable explanations of why a URL does not match rules.
struct MismatchExplainer {
    private let original: ReportedURL
    private let decoded: ReportedURL

    init(_ url: LinkURL) {
        original = ReportedURL(url, decodesEscapes: false)
        decoded = ReportedURL(url, decodesEscapes: true)
    }

    /// Returns why a part of the URL does not match a rule.
    ///
    /// - Parameters:
    ///   - part: the part; `nil` if all parts match.
    ///   - rule: the rule as written.
    ///   - completedRule: the rule completed with its defaults.
    ///   - variables: the values of the variables in its patterns.
    /// - Returns: a human-readable clause.
    func explanation(
        of part: CompiledLinkRule.Part?,
        rule: LinkRule,
        completedRule: LinkRule,
        variables: PatternVariables
    ) -> String {
        guard let part else { return completedRule.isExclusion ? "it matches, and excludes the URL" : "it matches" }
        guard let pattern = completedRule.pattern(for: part) else { return "it does not match" }
        if let error = Self.error(of: pattern, variables) { return error }
        let origin = rule.pattern(for: part) == nil ? " of the defaults" : ""
        let how = completedRule.comparison.decodesEscapes ? ", with its escapes decoded," : ""
        let (what, texts) = texts(of: part, completedRule.comparison)
        let end = "does not match '\(pattern.safe(for: .excerpt))'\(origin)"
        switch texts.count {
        case 0: return "\(what) is missing, which counts as empty, and \(end)"
        case 1 where texts[0].isEmpty: return "\(what) is empty and \(end)"
        case 1:
            let hint = hint(texts[0], pattern, rule: completedRule, part: part)
            return "\(what) '\(texts[0].safe(for: .excerpt))'\(how) \(end)\(hint)"
        default:
            let list = texts.prefix(5).map { "'\($0.safe(for: .excerpt))'" }.joined(separator: ", ")
            return "\(what) \(list)\(how) \(end); all of them must match"
        }
    }

    /// Returns the name of a part and its texts, in the form in which they are compared.
    private func texts(
        of part: CompiledLinkRule.Part,
        _ comparison: LinkSubject.Comparison
    ) -> (what: String, texts: [String]) {
        let reportedURL = comparison.decodesEscapes ? decoded : original
        return switch part {
        case .path: ("the path", [reportedURL.path.isEmpty ? "/" : reportedURL.path])
        case .query: ("the query", [reportedURL.query])
        case .item(let name):
            (
                "the query item \(name.safe(for: .excerpt))",
                reportedURL.values(of: name, foldingCase: comparison.ignoresCase)
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
    private func hint(_ text: String, _ pattern: String, rule: LinkRule, part: CompiledLinkRule.Part) -> String {
        guard !rule.comparison.ignoresCase, !PatternPart.hasVariables(pattern) else { return "" }
        var compiler = PatternCompiler(.none)
        var budget = WorkBudget(steps: 10_000)
        let folded = CaseFolding.folded(text.utf8)
        let isMatch: Bool? =
            if part == .path {
                compiler.compilePath(pattern, foldingCase: true)?
                    .matches(folded.span.extracting(LinkSubject.Form.trimmed(folded.indices, of: folded)), &budget)
            } else {
                compiler.compile(pattern, foldingCase: true)?.matches(folded.span, &budget)
            }
        return isMatch == true ? ", because the case of letters differs" : ""
    }
}

extension LinkRule {
    /// Returns the rule's pattern for a part.
    fileprivate func pattern(for part: CompiledLinkRule.Part) -> String? {
        switch (part, query) {
        case (.path, _): path
        case (.fragment, _): fragment
        case (.query, .whole(let pattern)?): pattern
        case (.item(let name), .items(let items)?): items.first { $0.name == name }?.pattern
        default: nil
        }
    }
}
