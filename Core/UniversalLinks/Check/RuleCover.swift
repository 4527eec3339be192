/// Whether one rule matches all that another one does, where both are for one app.
struct RuleCover {
    private let path: [PatternCover]?
    private let query: LinkRule.Query?
    private let fragment: PatternCover?
    private let comparison: LinkSubject.Comparison

    /// Creates what there is to know of a rule that says all there is to say of it.
    init(_ rule: LinkRule) {
        comparison = rule.comparison
        let isFolded = comparison.isFolded
        path = rule.path.flatMap { $0.isAnything ? nil : PatternCover($0, isFolded: isFolded).asPath }
        fragment = rule.fragment.flatMap { $0.isAnything ? nil : PatternCover($0, isFolded: isFolded) }
        query = rule.query?.isAnything == true ? nil : rule.query
    }

    /// Whether it is about every URL.
    private var isAnything: Bool {
        path == nil && query == nil && fragment == nil
    }

    /// Whether it matches all that `other` matches.
    func covers(_ other: RuleCover, _ budget: inout WorkBudget) -> Bool {
        guard budget.spend(1) else { return false }
        if isAnything { return true }
        guard comparison == other.comparison else { return false }
        return coversPath(of: other, &budget) && coversQuery(of: other, &budget) && coversFragment(of: other, &budget)
    }

    private func coversPath(of other: RuleCover, _ budget: inout WorkBudget) -> Bool {
        guard let path else { return true }
        guard let others = other.path else { return false }
        return others.allSatisfy { one in path.contains { $0.covers(one, &budget) } }
    }

    private func coversFragment(of other: RuleCover, _ budget: inout WorkBudget) -> Bool {
        guard let fragment else { return true }
        return other.fragment.map { fragment.covers($0, &budget) } ?? false
    }

    private func coversQuery(of other: RuleCover, _ budget: inout WorkBudget) -> Bool {
        let covers = { (mine: String, others: String, budget: inout WorkBudget) in
            let isFolded = comparison.isFolded
            return PatternCover(mine, isFolded: isFolded).covers(PatternCover(others, isFolded: isFolded), &budget)
        }
        switch (query, other.query) {
        case (nil, _): return true
        case (.whole(let mine)?, .whole(let others)?): return covers(mine, others, &budget)
        case (.items(let mine)?, .items(let others)?):
            return mine.allSatisfy { item in
                item.pattern.isAnything
                    || others.contains { $0.name == item.name && covers(item.pattern, $0.pattern, &budget) }
            }
        default: return false
        }
    }
}

extension String {
    /// Whether it is a pattern that matches everything.
    fileprivate var isAnything: Bool {
        !isEmpty && utf8.allSatisfy { $0 == UInt8(ascii: "*") }
    }
}

extension LinkRule.Query {
    /// Whether it asks for nothing.
    fileprivate var isAnything: Bool {
        switch self {
        case .whole(let pattern): pattern.isAnything
        case .items(let items): items.allSatisfy { $0.pattern.isAnything }
        }
    }
}
