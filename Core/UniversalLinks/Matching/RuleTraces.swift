internal import WaypostSchema

/// The results of a file's rules for a URL; apps that share their rules share a trace.
struct RuleTraces {
    /// The trace of one list of rules.
    private struct Trace {
        var rules: [LinkRuleTrace]

        /// The index of the closest rule in `rules`.
        var nearest: Int?
    }

    private let matcher: AssociationMatcher
    private let url: LinkURL
    private lazy var explainer = MismatchExplainer(url)
    private var traces: [[Int]: Trace] = [:]

    init(_ matcher: AssociationMatcher, _ url: LinkURL) {
        self.matcher = matcher
        self.url = url
    }

    /// Returns a decision with the trace of the rules for its app and, if no rule matches, the closest rule.
    mutating func adding(to decision: LinkDecision, for app: ApplicationIdentifier) -> LinkDecision {
        var decision = decision
        let trace = trace(of: matcher.ruleList(of: app) ?? [])
        decision.trace = trace.rules
        if decision.reason == .noRuleMatched, let nearest = trace.nearest.map({ trace.rules[$0] }) {
            decision.explanation += "; the closest rule is \(nearest.place): \(nearest.explanation)"
        }
        return decision
    }

    private mutating func trace(of rules: [Int]) -> Trace {
        if let trace = traces[rules] { return trace }
        let mismatches = matcher.mismatches(of: url, rules)
        let trace = Trace(
            rules: mismatches.map { rule, part in
                LinkRuleTrace(
                    rule: matcher.rules[rule].value.description,
                    place: matcher.rules[rule].path,
                    line: matcher.rules[rule].line,
                    matched: part == nil,
                    explanation: explainer.explanation(
                        of: part,
                        rule: matcher.rules[rule].value,
                        completedRule: matcher.completedRule(at: rule),
                        variables: matcher.variables
                    )
                )
            },
            nearest: nearest(mismatches)
        )
        traces[rules] = trace
        return trace
    }

    /// Returns the index of the closest rule: the first of the rules that offer URLs with the most matching parts.
    private func nearest(_ mismatches: [(rule: Int, part: CompiledLinkRule.Part?)]) -> Int? {
        let partCounts = mismatches.map { matcher.completedRule(at: $0.rule).partCount(before: $0.part) }
        return mismatches.indices.filter { !matcher.completedRule(at: mismatches[$0].rule).isExclusion }
            .max { partCounts[$0] < partCounts[$1] }
    }
}

extension LinkRule {
    /// Returns the number of parts before `part` for which the rule has a pattern.
    fileprivate func partCount(before part: CompiledLinkRule.Part?) -> Int {
        let (pathCount, queryCount) = (path == nil ? 0 : 1, query == nil ? 0 : 1)
        switch part {
        case nil, .path?: return 0
        case .query?, .item?: return pathCount
        case .fragment?: return pathCount + queryCount
        }
    }
}
