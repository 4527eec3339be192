internal import WaypostSchema

extension LinkDecision {
    /// Returns the decision with the results of at most `count` rules; if some are left out, its explanation says so.
    ///
    /// The last rules stay, because the last one is the rule that decided.
    func limitingTrace(to count: Int) -> Self {
        guard let trace, trace.count > count else { return self }
        var decision = self
        decision.trace = Array(trace.suffix(count))
        decision.explanation += "; the trace has the last \(count) of \(trace.count) rules"
        return decision
    }
}
