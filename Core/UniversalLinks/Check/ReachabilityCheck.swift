internal import WaypostSchema

/// Looks for rules that earlier ones leave nothing to, and for exclusions that exclude nothing.
struct ReachabilityCheck {
    private let rules: [CheckedRule]

    /// The rules for each app, in the order in which they are tried.
    private let rulesByApp: [[Int]]

    /// How many apps each rule is for.
    private let appCounts: [Int]

    init(_ file: AssociationFile, _ rules: [CheckedRule]) {
        self.rules = rules
        let rulesByEntry = Dictionary(grouping: rules.indices) { rules[$0].entry }
        var byApp: [ApplicationIdentifier: [Int]] = [:]
        for (index, entry) in file.entries.enumerated() {
            for app in Set(entry.value.apps.map(\.value)) { byApp[app, default: []] += rulesByEntry[index] ?? [] }
        }
        // Apps with the same rules need but one look.
        rulesByApp = Array(Set(byApp.values))
        var counts = Array(repeating: 0, count: rules.count)
        for index in rulesByApp.joined() { counts[index] += 1 }
        appCounts = counts
    }

    var findings: [AssociationFinding] {
        unreachable + uselessExclusions
    }

    /// The rules that are unreachable for every app that they are for.
    private var unreachable: [AssociationFinding] {
        let covers = rules.map { RuleCover($0.whole) }
        var budget = WorkBudget()
        var coverings: [Int: [Int]] = [:]
        for list in rulesByApp {
            for (position, rule) in list.enumerated() {
                // Beyond the budget nothing more is said, which is better than something wrong.
                if budget.isExhausted { return [] }
                guard let earlier = list[..<position].first(where: { covers[$0].covers(covers[rule], &budget) }) else {
                    continue
                }
                coverings[rule, default: []].append(earlier)
            }
        }
        return coverings.filter { $0.value.count == appCounts[$0.key] }.map { finding(about: rules[$0.key], $0.value) }
    }

    private func finding(about rule: CheckedRule, _ earlier: [Int]) -> AssociationFinding {
        let first = rules[earlier[0]]
        let place = first.placed.path
        guard first.whole.isExclusion == rule.whole.isExclusion else {
            let effect = rule.whole.isExclusion ? "excludes nothing" : "offers nothing"
            let message = "this rule \(effect): \(place) matches all that it does, and comes first"
            return AssociationFinding(.error, .unreachable, at: rule.placed, message, "the same rule before that one")
        }
        if first.whole.isTrailingSlashTwin(of: rule.whole) {
            let message = "this differs from \(place) only by slashes at the end, which do not count"
            return AssociationFinding(.note, .trailingSlashTwin, at: rule.placed, message, "one of them")
        }
        let message = "this rule changes nothing: \(place) matches all that it does, and comes first"
        return AssociationFinding(.warning, .unreachable, at: rule.placed, message)
    }

    /// The exclusions that no rule follows which offers anything: what no rule matches is not offered anyway.
    private var uselessExclusions: [AssociationFinding] {
        var useless: [Int: Int] = [:]
        for list in rulesByApp {
            for rule in list.reversed() {
                guard rules[rule].whole.isExclusion else { break }
                useless[rule, default: 0] += 1
            }
        }
        return useless.filter { $0.value == appCounts[$0.key] }.map { index, _ in
            let message = "no rule follows that offers anything, and what no rule matches is not offered anyway"
            return AssociationFinding(.warning, .uselessExclude, at: rules[index].placed, message, "exclusions first")
        }
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
