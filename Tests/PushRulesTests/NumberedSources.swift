import PushRules

/// The sources of the rules on a page, in the order of their numbers.
struct NumberedSources {
    private var sources: [Evidence] = []

    /// Numbers the sources of all rules, in the order of the page.
    init(_ evidence: [Evidence]) {
        for source in evidence where source != .inferred && !sources.contains(source) { sources.append(source) }
    }

    /// The sources as a list, for the end of the page.
    var list: String {
        sources.enumerated().map { "\($0.offset + 1). \($0.element)" }.joined(separator: "\n")
    }

    /// Returns the numbers of the sources of a rule.
    func marks(of evidence: [Evidence]) -> String {
        evidence.map { source in sources.firstIndex(of: source).map { "[\($0 + 1)]" } ?? "*inferred*" }
            .joined(separator: " ")
    }
}
