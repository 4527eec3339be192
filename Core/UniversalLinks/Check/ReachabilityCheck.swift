internal import JSONScanning
internal import TextBasics
internal import WaypostSchema

/// A check for rules that earlier rules make unreachable, and for exclusions that have no effect.
struct ReachabilityCheck {
    private let rules: [CheckedRule]

    /// The rules for each app, in the order of evaluation; apps with the same rules share a list.
    private let ruleLists: [[Int]]

    /// The number of these lists that contain each rule.
    private let listCounts: [Int]

    init(_ file: AssociationFile, _ rules: [CheckedRule]) {
        self.rules = rules
        ruleLists = RuleLists(file.entries.map(\.value)).lists.map { Array($0.joined()) }
        var counts = Array(repeating: 0, count: rules.count)
        for index in ruleLists.joined() { counts[index] += 1 }
        listCounts = counts
    }

    var findings: [AssociationFinding] {
        let coveringRules = coveringRules
        let unreachable = coveringRules.sorted { $0.key < $1.key }.map { finding(about: rules[$0.key], $0.value) }
        return unreachable + redundantExclusions.filter { coveringRules[$0] == nil }.map(redundantExclusion)
    }

    /// The rules that are unreachable for all of their apps, each with the rules that cover it.
    private var coveringRules: [Int: [Int]] {
        let comparableRules = rules.map { ComparableRule($0.completed) }
        var budget = WorkBudget()
        var coveringRules: [Int: [Int]] = [:]
        for list in ruleLists {
            for (position, rule) in list.enumerated() {
                // When the budget is exhausted, the check reports nothing rather than something wrong.
                if budget.isExhausted { return [:] }
                let earlier = list[..<position].first {
                    comparableRules[$0].covers(comparableRules[rule], &budget)
                }
                guard let earlier else { continue }
                coveringRules[rule, default: []].append(earlier)
            }
        }
        return coveringRules.filter { $0.value.count == listCounts[$0.key] }
    }

    private func finding(about rule: CheckedRule, _ earlier: [Int]) -> AssociationFinding {
        let contradicting = earlier.filter { rules[$0].completed.isExclusion != rule.completed.isExclusion }
        if contradicting.isEmpty,
            earlier.contains(where: { rules[$0].completed.differsOnlyByTrailingSlashes(from: rule.completed) })
        {
            let message = "this differs from \(keyPath(ofFirst: earlier)) only by slashes at the end, which are ignored"
            return AssociationFinding(
                .note,
                .trailingSlashVariant,
                at: rule.placed,
                message: message,
                instead: "keep one of them"
            )
        }
        guard contradicting.count == earlier.count else {
            let message =
                "this rule has no effect: \(keyPath(ofFirst: earlier)) comes first and matches the same URLs or more"
            return AssociationFinding(.warning, .unreachable, at: rule.placed, message: message)
        }
        let effect = rule.completed.isExclusion ? "excludes nothing" : "offers nothing"
        let message = "this rule \(effect): \(keyPath(ofFirst: earlier)) comes first and matches the same URLs or more"
        let instead = adviceOnOptionalItems(of: earlier, covering: rule) ?? "the same rule before that one"
        return AssociationFinding(.error, .unreachable, at: rule.placed, message: message, instead: instead)
    }

    /// Returns the advice to require the query items of the first of some rules, if no rule would cover `rule` then.
    ///
    /// The pattern `*` of a query item also matches if the item is missing, which is easily overlooked.
    private func adviceOnOptionalItems(of earlier: [Int], covering rule: CheckedRule) -> String? {
        var budget = WorkBudget(steps: 10_000)
        let isCovered = earlier.contains { index in
            ComparableRule(rules[index].completed.withRequiredItems).covers(ComparableRule(rule.completed), &budget)
        }
        guard !isCovered, !budget.isExhausted, let first = earlier.min() else { return nil }
        let names = rules[first].completed.optionalItemNames.map { $0.safe(for: .excerpt).printableJSON }.joined(
            separator: ", "
        )
        guard !names.isEmpty else { return nil }
        return #""?*" for the query item \#(names) of \#(keyPath(ofFirst: earlier)): with "*" it may be missing"#
    }

    /// Returns the key path of the first of some rules.
    private func keyPath(ofFirst rules: [Int]) -> String {
        rules.min().map { self.rules[$0].placed.path } ?? ""
    }

    /// The exclusions that no rule follows that offers URLs; without them, the same URLs would not be offered.
    private var redundantExclusions: [Int] {
        var redundantCounts: [Int: Int] = [:]
        for list in ruleLists {
            for rule in list.reversed() {
                guard rules[rule].completed.isExclusion else { break }
                redundantCounts[rule, default: 0] += 1
            }
        }
        return redundantCounts.filter { $0.value == listCounts[$0.key] }.keys.sorted()
    }

    private func redundantExclusion(of rule: Int) -> AssociationFinding {
        let message = "no later rule offers anything, and a URL that no rule matches is not offered anyway"
        return AssociationFinding(
            .warning,
            .uselessExclude,
            at: rules[rule].placed,
            message: message,
            instead: advice(on: rule)
        )
    }

    /// Returns what to do with an exclusion that has no effect; `nil` if its apps have no rules that offer anything.
    private func advice(on exclusion: Int) -> String? {
        let offers = ruleLists.filter { $0.contains(exclusion) }.joined().filter { !rules[$0].completed.isExclusion }
        guard !offers.isEmpty else { return nil }
        let comparableExclusion = ComparableRule(rules[exclusion].completed)
        var budget = WorkBudget()
        let overlapping = offers.filter { ComparableRule(rules[$0].completed).mayOverlap(comparableExclusion, &budget) }
        return overlapping.isEmpty ? "delete it" : "the same rule before \(keyPath(ofFirst: overlapping))"
    }
}

extension LinkRule {
    /// The names of the query items that may have any value, and may be missing.
    fileprivate var optionalItemNames: [String] {
        guard case .items(let items)? = query else { return [] }
        return items.filter(\.isOptional).map(\.name)
    }

    /// The rule with a value required for each of these items.
    fileprivate var withRequiredItems: LinkRule {
        guard case .items(let items)? = query else { return self }
        var rule = self
        rule.query = .items(items.map { $0.isOptional ? LinkRule.Item(name: $0.name, pattern: "?*") : $0 })
        return rule
    }
}

extension LinkRule.Item {
    fileprivate var isOptional: Bool {
        !pattern.isEmpty && pattern.utf8.allSatisfy { $0 == UInt8(ascii: "*") }
    }
}

extension LinkRule {
    fileprivate func differsOnlyByTrailingSlashes(from other: LinkRule) -> Bool {
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
