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
        ruleLists = RuleLists(file.entries.map(\.value)).distinctLists.map { Array($0.joined()) }
        var counts = Array(repeating: 0, count: rules.count)
        for index in ruleLists.joined() { counts[index] += 1 }
        listCounts = counts
    }

    var findings: [AssociationFinding] {
        let coveringRuleIndices = coveringRuleIndices
        let unreachable = coveringRuleIndices.sorted { $0.key < $1.key }.map { finding(about: rules[$0.key], $0.value) }
        return unreachable + redundantExclusionIndices.filter { coveringRuleIndices[$0] == nil }.map(redundancyFinding)
    }

    /// The indices of the rules that are unreachable for all of their apps, each with those of the rules that cover it.
    private var coveringRuleIndices: [Int: [Int]] {
        let comparableRules = rules.map { ComparableRule($0.effectiveRule) }
        var budget = WorkBudget()
        var coveringRuleIndices: [Int: [Int]] = [:]
        for list in ruleLists {
            for (position, ruleIndex) in list.enumerated() {
                // When the budget is exhausted, the check reports nothing rather than something wrong.
                if budget.isExhausted { return [:] }
                let earlierIndex = list[..<position].first {
                    comparableRules[$0].covers(comparableRules[ruleIndex], &budget)
                }
                guard let earlierIndex else { continue }
                coveringRuleIndices[ruleIndex, default: []].append(earlierIndex)
            }
        }
        return coveringRuleIndices.filter { $0.value.count == listCounts[$0.key] }
    }

    private func finding(about rule: CheckedRule, _ earlierIndices: [Int]) -> AssociationFinding {
        let contradictingIndices = earlierIndices.filter {
            rules[$0].effectiveRule.isExclusion != rule.effectiveRule.isExclusion
        }
        let firstKeyPath = keyPath(ofFirst: earlierIndices)
        if contradictingIndices.isEmpty,
            earlierIndices.contains(where: {
                rules[$0].effectiveRule.differsOnlyByTrailingSlashes(from: rule.effectiveRule)
            })
        {
            let message =
                "this differs from \(firstKeyPath) only by slashes at the end, which are ignored; keep one of them"
            return AssociationFinding(.note, .trailingSlashVariant, at: rule.writtenRule, message: message)
        }
        guard contradictingIndices.count == earlierIndices.count else {
            let message = "this rule has no effect: \(firstKeyPath) comes first and matches the same URLs or more"
            return AssociationFinding(.warning, .unreachable, at: rule.writtenRule, message: message)
        }
        let effect = rule.effectiveRule.isExclusion ? "excludes nothing" : "offers nothing"
        let advice = adviceOnOptionalItems(ofRulesAt: earlierIndices, covering: rule) ?? "move it before that rule"
        let message = "this rule \(effect): \(firstKeyPath) comes first and matches the same URLs or more; \(advice)"
        return AssociationFinding(.error, .unreachable, at: rule.writtenRule, message: message)
    }

    /// Returns the advice to require the query items of the first of some rules, if no rule would cover `rule` then.
    ///
    /// The pattern `*` of a query item also matches if the item is missing, which is easily overlooked.
    private func adviceOnOptionalItems(ofRulesAt earlierIndices: [Int], covering rule: CheckedRule) -> String? {
        var budget = WorkBudget(steps: 10_000)
        let isCovered = earlierIndices.contains { index in
            let earlierRule = ComparableRule(rules[index].effectiveRule.withRequiredItems)
            return earlierRule.covers(ComparableRule(rule.effectiveRule), &budget)
        }
        guard !isCovered, !budget.isExhausted, let firstIndex = earlierIndices.min() else { return nil }
        let names = rules[firstIndex].effectiveRule.optionalItemNames
            .map { $0.safe(for: .excerpt).printableJSON }
            .joined(separator: ", ")
        guard !names.isEmpty else { return nil }
        return #"write "?*" for its query item \#(names), which may be missing with "*""#
    }

    /// Returns the key path of the first of the rules at `indices`.
    private func keyPath(ofFirst indices: [Int]) -> String {
        indices.min().map { rules[$0].writtenRule.path } ?? ""
    }

    /// The indices of exclusions that no offering rule follows; without them, the same URLs would not be offered.
    private var redundantExclusionIndices: [Int] {
        var redundantCounts: [Int: Int] = [:]
        for list in ruleLists {
            for ruleIndex in list.reversed() {
                guard rules[ruleIndex].effectiveRule.isExclusion else { break }
                redundantCounts[ruleIndex, default: 0] += 1
            }
        }
        return redundantCounts.filter { $0.value == listCounts[$0.key] }.keys.sorted()
    }

    private func redundancyFinding(aboutExclusionAt index: Int) -> AssociationFinding {
        let advice = advice(onExclusionAt: index).map { "; \($0)" } ?? ""
        let message = "no later rule offers anything, and a URL that no rule matches is not offered anyway\(advice)"
        return AssociationFinding(.warning, .uselessExclude, at: rules[index].writtenRule, message: message)
    }

    /// Returns what to do with an exclusion that has no effect; `nil` if its apps have no rules that offer anything.
    private func advice(onExclusionAt index: Int) -> String? {
        let offeringIndices = ruleLists.filter { $0.contains(index) }.joined()
            .filter { !rules[$0].effectiveRule.isExclusion }
        guard !offeringIndices.isEmpty else { return nil }
        let comparableExclusion = ComparableRule(rules[index].effectiveRule)
        var budget = WorkBudget()
        let overlappingIndices = offeringIndices.filter {
            ComparableRule(rules[$0].effectiveRule).mayOverlap(comparableExclusion, &budget)
        }
        return overlappingIndices.isEmpty ? "delete it" : "move it before \(keyPath(ofFirst: overlappingIndices))"
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
        var (rule, otherRule) = (self, other)
        (rule.comment, otherRule.comment) = (nil, nil)
        (rule.path, otherRule.path) = (path.withoutTrailingSlashes, otherPath.withoutTrailingSlashes)
        return rule == otherRule
    }
}

extension String {
    fileprivate var withoutTrailingSlashes: String {
        var text = self[...]
        while text.hasSuffix("/") { text.removeLast() }
        return String(text)
    }
}
