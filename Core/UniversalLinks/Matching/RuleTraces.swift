internal import WaypostSchema

/// The results of a file's rules for a URL; apps that share their rules share a trace.
struct RuleTraces {
    /// The trace of one list of rules.
    private struct Trace {
        var rules: [LinkRuleTrace]

        /// The index of the closest rule in `rules`.
        var closestIndex: Int?
    }

    private let matcher: AssociationMatcher
    private let url: LinkURL
    private lazy var explainer = MismatchExplainer(url)
    private var traces: [[Int]: Trace] = [:]

    /// The steps of the work up to now.
    private(set) var stepCount = 0

    init(_ matcher: AssociationMatcher, _ url: LinkURL) {
        self.matcher = matcher
        self.url = url
    }

    /// Returns a decision with the trace of the rules for its app and, if no rule matches, the closest rule.
    mutating func adding(to decision: LinkDecision, for app: ApplicationIdentifier) -> LinkDecision {
        var decision = decision
        let trace = trace(ofRulesAt: matcher.ruleIndices(for: app) ?? [])
        decision.trace = trace.rules
        if decision.reason == .noRuleMatched, let closest = trace.closestIndex.map({ trace.rules[$0] }) {
            decision.explanation += "; the closest rule is \(closest.place): \(closest.explanation)"
        }
        return decision
    }

    private mutating func trace(ofRulesAt indices: [Int]) -> Trace {
        if let trace = traces[indices] { return trace }
        let mismatches = matcher.mismatches(of: url, rulesAt: indices, counting: &stepCount)
        let trace = Trace(
            rules: mismatches.map { index, part in
                LinkRuleTrace(
                    rule: matcher.rules[index].value.description,
                    place: matcher.rules[index].path,
                    line: matcher.rules[index].line,
                    matched: part == nil,
                    explanation: explainer.explanation(
                        of: part,
                        rule: matcher.rules[index].value,
                        effectiveRule: matcher.effectiveRule(at: index),
                        variables: matcher.variables
                    )
                )
            },
            closestIndex: closestIndex(in: mismatches)
        )
        traces[indices] = trace
        stepCount += trace.rules.reduce(0) { $0 + explanationSteps(of: $1) }
        return trace
    }

    /// Returns the maximum number of steps of explaining the result of a rule, which reads both texts and may compare
    /// them.
    private func explanationSteps(of trace: LinkRuleTrace) -> Int {
        let (ruleSize, urlSize) = (trace.rule.utf8.count, url.bytes.count)
        let comparisonSteps = trace.matched ? 0 : min(MismatchExplainer.maximumComparisonSteps, ruleSize * urlSize)
        return ruleSize + urlSize + comparisonSteps
    }

    /// Returns the index of the closest rule: the first of the rules that offer URLs with the most matching parts.
    private func closestIndex(in mismatches: [(ruleIndex: Int, part: CompiledLinkRule.URLPart?)]) -> Int? {
        let partCounts = mismatches.map { matcher.effectiveRule(at: $0.ruleIndex).partCount(before: $0.part) }
        return mismatches.indices.filter { !matcher.effectiveRule(at: mismatches[$0].ruleIndex).isExclusion }
            .max { partCounts[$0] < partCounts[$1] }
    }
}

extension LinkRule {
    /// Returns the number of parts before `part` for which the rule has a pattern.
    fileprivate func partCount(before part: CompiledLinkRule.URLPart?) -> Int {
        let (pathCount, queryCount) = (path == nil ? 0 : 1, query == nil ? 0 : 1)
        switch part {
        case nil, .path?: return 0
        case .query?, .item?: return pathCount
        case .fragment?: return pathCount + queryCount
        }
    }
}
