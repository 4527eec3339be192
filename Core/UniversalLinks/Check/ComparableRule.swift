/// A rule prepared for comparing it with other rules: whether it matches all or some of what another one matches.
struct ComparableRule {
    /// The patterns of a rule for a query.
    private enum Query {
        case anything
        case whole(ComparablePattern)
        case items([String: ComparablePattern])
    }

    /// The patterns for the path; `nil` if any path matches, and likewise for the fragment.
    private let path: [ComparablePattern]?
    private let query: Query
    private let fragment: ComparablePattern?
    private let comparisonMode: NormalizedURL.ComparisonMode

    /// Prepares a rule that has its defaults applied.
    init(_ rule: LinkRule) {
        comparisonMode = rule.comparisonMode
        let foldingCase = comparisonMode.ignoresCase
        let restrictivePattern = { (pattern: String) in
            let comparable = ComparablePattern(PatternPart.parts(of: pattern.utf8), foldingCase: foldingCase)
            return comparable.matchesEverything ? nil : comparable
        }
        let path = rule.path.map(PathPatternParts.init)
        let paths = [path?.whole, path?.folder].compactMap { parts in
            parts.map { ComparablePattern($0, foldingCase: foldingCase) }
        }
        self.path = paths.isEmpty || paths[0].matchesEverything ? nil : paths
        fragment = rule.fragment.flatMap(restrictivePattern)
        switch rule.query {
        case nil: query = .anything
        case .whole(let pattern)?: query = restrictivePattern(pattern).map(Query.whole) ?? .anything
        case .items(let items)?:
            let requiredItems = items.compactMap { item in restrictivePattern(item.pattern).map { (item.name, $0) } }
            query = requiredItems.isEmpty ? .anything : .items(Dictionary(requiredItems) { first, _ in first })
        }
    }

    /// Whether the rule matches every URL.
    private var matchesEverything: Bool {
        if case .anything = query { path == nil && fragment == nil } else { false }
    }

    /// Returns whether the rule matches everything that `other` matches.
    func covers(_ other: ComparableRule, _ budget: inout WorkBudget) -> Bool {
        guard budget.spend(1) else { return false }
        if matchesEverything { return true }
        guard comparisonMode == other.comparisonMode else { return false }
        return coversPath(of: other, &budget) && coversQuery(of: other, &budget) && coversFragment(of: other, &budget)
    }

    private func coversPath(of other: ComparableRule, _ budget: inout WorkBudget) -> Bool {
        guard let path else { return true }
        guard let otherPatterns = other.path else { return false }
        return otherPatterns.allSatisfy { pattern in path.contains { $0.covers(pattern, &budget) } }
    }

    private func coversFragment(of other: ComparableRule, _ budget: inout WorkBudget) -> Bool {
        guard let fragment else { return true }
        return other.fragment.map { fragment.covers($0, &budget) } ?? false
    }

    private func coversQuery(of other: ComparableRule, _ budget: inout WorkBudget) -> Bool {
        switch (query, other.query) {
        case (.anything, _): return true
        case (.whole(let mine), .whole(let others)): return mine.covers(others, &budget)
        case (.items(let mine), .items(let others)):
            return mine.allSatisfy { name, pattern in others[name].map { pattern.covers($0, &budget) } ?? false }
        default: return false
        }
    }

    /// Returns whether a URL may match this rule and `other`; the answer may be a false positive.
    func mayOverlap(_ other: ComparableRule, _ budget: inout WorkBudget) -> Bool {
        guard comparisonMode == other.comparisonMode else { return true }
        if let path, let others = other.path,
            !path.contains(where: { mine in others.contains { mine.mayOverlap($0, &budget) } })
        {
            return false
        }
        if let fragment, let others = other.fragment, !fragment.mayOverlap(others, &budget) { return false }
        switch (query, other.query) {
        case (.whole(let mine), .whole(let others)): return mine.mayOverlap(others, &budget)
        case (.items(let mine), .items(let others)):
            return mine.allSatisfy { name, pattern in others[name].map { pattern.mayOverlap($0, &budget) } ?? true }
        default: return true
        }
    }
}
