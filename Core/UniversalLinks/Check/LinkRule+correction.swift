internal import TextBasics

extension LinkRule {
    /// Returns the rule with each of its patterns changed.
    func mappingPatterns(_ transform: (String) -> String) -> LinkRule {
        var rule = self
        rule.path = path.map(transform)
        rule.fragment = fragment.map(transform)
        switch query {
        case .whole(let pattern)?: rule.query = .whole(transform(pattern))
        case .items(let items)?:
            rule.query = .items(items.map { Item(name: $0.name, pattern: transform($0.pattern)) })
        case nil: break
        }
        return rule
    }

    /// Returns the rule with each of its patterns changed; `nil` if one of them cannot be.
    private func mappingAllPatterns(_ transform: (String) -> String?) -> LinkRule? {
        var isComplete = true
        let rule = mappingPatterns { pattern in
            let changedPattern = transform(pattern)
            if changedPattern == nil { isComplete = false }
            return changedPattern ?? pattern
        }
        return isComplete ? rule : nil
    }

    /// The rule with a slash before its path; `nil` if its path is blank, or seems to begin with a domain.
    var withLeadingSlash: LinkRule? {
        guard let path = path?.withoutBlanksAtEnds, !path.isEmpty else { return nil }
        let segments = path.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        if segments.count > 1, segments[0].contains("."), AssociatedDomain.isDomainName(String(segments[0])) {
            return nil
        }
        var rule = self
        rule.path = path.begins(withOneOf: "/*?$") ? path : "/" + path
        return rule
    }

    /// Returns the rule as an exclusion of a path.
    func excluding(_ path: String) -> LinkRule {
        var rule = self
        rule.path = path
        rule.exclude = true
        return rule
    }

    /// Returns the rule for a path that may continue with a query and a fragment; `nil` if the rule cannot have them.
    func splitting(_ text: String) -> LinkRule? {
        let parts = text.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        var rule = self
        rule.path = String(parts[0])
        if parts.count > 1 {
            guard form == .component, fragment == nil else { return nil }
            rule.fragment = String(parts[1])
        }
        if let path = rule.path, let start = path.startOfQuery {
            guard form == .component, query == nil, let items = Self.items(in: path[start...].dropFirst()) else {
                return nil
            }
            rule.query = .items(items)
            rule.path = String(path[..<start])
            guard rule.path?.startOfQuery == nil else { return nil }
        }
        return rule.path?.begins(withOneOf: "/*") == true ? rule : nil
    }

    /// Returns the items of a query that is written as in a URL; `nil` if one has no name or no value, or occurs twice.
    private static func items(in query: Substring) -> [Item]? {
        var items: [Item] = []
        for text in query.split(separator: "&", omittingEmptySubsequences: false) {
            guard let sign = text.firstIndex(of: "=") else { return nil }
            let name = String(text[..<sign])
            let value = String(text[sign...].dropFirst())
            let isName = !name.isEmpty && !name.contains { "*?$".contains($0) }
            guard isName, !items.contains(where: { $0.name == name }) else { return nil }
            // In a URL, "name=*" means an item that is there; the pattern "*" also matches if it is missing.
            let isAnything = !value.isEmpty && value.allSatisfy { $0 == "*" }
            items.append(Item(name: name, pattern: isAnything ? "?*" : value))
        }
        return items
    }

    /// The rule with the escapes in its patterns decoded; `nil` if one of them cannot be decoded.
    var unescapedPatterns: LinkRule? {
        mappingAllPatterns(\.unescapedPattern)
    }

    /// Returns the rule with its patterns and item names escaped, unless `rule` is compared with decoded URLs; `nil` if
    /// one of them is only blank, or two items would have the same name.
    func correctingEscapes(of rule: CheckedRule) -> LinkRule? {
        guard rule.isPercentEncoded else { return self }
        guard var correctedRule = mappingAllPatterns(\.escapedPattern) else { return nil }
        if case .items(let items)? = correctedRule.query {
            let correctedItems = items.map { item in
                Item(name: item.name.withoutBlanksAtEnds.escapedForURL, pattern: item.pattern)
            }
            guard Set(correctedItems.map(\.name)).count == items.count else { return nil }
            correctedRule.query = .items(correctedItems)
        }
        return correctedRule
    }
}

extension CheckedRule {
    /// Whether one of the patterns is of another language, so that it is not clear what its author meant.
    var isOfAnotherLanguage: Bool {
        patterns.contains(where: \.isOfAnotherLanguage)
    }
}

extension CheckedRule.Pattern {
    /// Whether the pattern looks like a regular expression, a template, a word such as `NOT`, or a fragment with its sign.
    fileprivate var isOfAnotherLanguage: Bool {
        if text.contains(where: "{}[]^|\\".contains) || text.hasPrefix("!") { return true }
        let words = text.split(separator: " ", maxSplits: 1)
        return words.count == 2 && words[1].hasPrefix("/") || part == "fragment" && text.hasPrefix("#")
    }
}
