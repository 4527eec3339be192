internal import WaypostSchema

/// A check for rules that earlier rules make unreachable, and for exclusions that have no effect.
struct ReachabilityCheck {
    private let rules: [CheckedRule]

    /// The rules for each app, in the order of evaluation; apps with the same rules share a list.
    private let ruleLists: [[Int]]

    /// The number of these lists that contain each rule.
    private let listCounts: [Int]

    /// Whether any rule is not an exclusion.
    private let offersAnything: Bool

    init(_ file: AssociationFile, _ rules: [CheckedRule]) {
        self.rules = rules
        offersAnything = rules.contains { !$0.whole.isExclusion }
        ruleLists = RuleLists(file.entries.map(\.value)).lists.map { Array($0.joined()) }
        var counts = Array(repeating: 0, count: rules.count)
        for index in ruleLists.joined() { counts[index] += 1 }
        listCounts = counts
    }

    var findings: [AssociationFinding] {
        let coverings = coverings
        let unreachable = coverings.sorted { $0.key < $1.key }.map { finding(about: rules[$0.key], $0.value) }
        return unreachable + uselessExclusions.filter { coverings[$0] == nil }.map(uselessness)
    }

    /// The rules that are unreachable for all of their apps, each with the rules that cover it.
    private var coverings: [Int: [Int]] {
        let covers = rules.map { RuleCover($0.whole) }
        var budget = WorkBudget()
        var coverings: [Int: [Int]] = [:]
        for list in ruleLists {
            for (position, rule) in list.enumerated() {
                // When the budget is exhausted, the check reports nothing rather than something wrong.
                if budget.isExhausted { return [:] }
                guard let earlier = list[..<position].first(where: { covers[$0].covers(covers[rule], &budget) }) else {
                    continue
                }
                coverings[rule, default: []].append(earlier)
            }
        }
        return coverings.filter { $0.value.count == listCounts[$0.key] }
    }

    private func finding(about rule: CheckedRule, _ earlier: [Int]) -> AssociationFinding {
        let contradicting = earlier.filter { rules[$0].whole.isExclusion != rule.whole.isExclusion }
        if contradicting.isEmpty, earlier.contains(where: { rules[$0].whole.isTrailingSlashTwin(of: rule.whole) }) {
            let message = "this differs from \(place(of: earlier)) only by slashes at the end, which are ignored"
            return AssociationFinding(.note, .trailingSlashTwin, at: rule.placed, message, "keep one of them")
        }
        guard contradicting.count == earlier.count else {
            let message = "this rule has no effect: \(place(of: earlier)) comes first and matches the same URLs or more"
            return AssociationFinding(.warning, .unreachable, at: rule.placed, message)
        }
        let effect = rule.whole.isExclusion ? "excludes nothing" : "offers nothing"
        let message = "this rule \(effect): \(place(of: earlier)) comes first and matches the same URLs or more"
        return AssociationFinding(.error, .unreachable, at: rule.placed, message, "the same rule before that one")
    }

    /// Returns the place of the first of some rules.
    private func place(of rules: [Int]) -> String {
        rules.min().map { self.rules[$0].placed.path } ?? ""
    }

    /// The exclusions after which no rule offers anything: a URL that no rule matches is not offered anyway.
    private var uselessExclusions: [Int] {
        var useless: [Int: Int] = [:]
        for list in ruleLists {
            for rule in list.reversed() {
                guard rules[rule].whole.isExclusion else { break }
                useless[rule, default: 0] += 1
            }
        }
        return useless.filter { $0.value == listCounts[$0.key] }.keys.sorted()
    }

    private func uselessness(of rule: Int) -> AssociationFinding {
        let message = "no later rule offers anything, and a URL that no rule matches is not offered anyway"
        let instead = offersAnything ? "exclusions first" : nil
        return AssociationFinding(.warning, .uselessExclude, at: rules[rule].placed, message, instead)
    }
}

extension LinkRule {
    fileprivate func isTrailingSlashTwin(of other: LinkRule) -> Bool {
        guard let path, let otherPath = other.path, path != otherPath else { return false }
        var (mine, others) = (self, other)
        (mine.comment, others.comment) = (nil, nil)
        (mine.path, others.path) = (path.withoutTrailingSlashes, otherPath.withoutTrailingSlashes)
        return mine == others
    }
}

extension String {
    fileprivate var withoutTrailingSlashes: String {
        var text = self[...]
        while text.hasSuffix("/") { text.removeLast() }
        return String(text)
    }
}
