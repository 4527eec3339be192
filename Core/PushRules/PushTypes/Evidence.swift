/// The source of a rule of APNs or of a device, and how well it is known.
package enum Evidence: Sendable, Hashable {
    /// Apple documents it, on the page with this title.
    case documented(String)

    /// An engineer of Apple states it, in the thread of Apple's forum with this number.
    case stated(thread: Int)

    /// Developers observed it; the number of independent reports, and some of them.
    case observed(Int, String)

    /// It follows from other rules, or is likely.
    case inferred

    /// Whether the gateway may refuse a request for such a rule.
    ///
    /// A request that only a single report or a conclusion speaks against is accepted, with a finding.
    package var justifiesRefusal: Bool {
        switch self {
        case .documented, .stated: true
        case .observed(let count, _): count >= 2
        case .inferred: false
        }
    }
}

extension Evidence: CustomStringConvertible {
    /// The source, for people.
    package var description: String {
        switch self {
        case .documented(let title): "Apple: \(title)"
        case .stated(let thread): "an engineer of Apple: forum thread \(thread)"
        case .observed(1, let report): "one report: \(report)"
        case .observed(let count, let reports): "\(count) reports: \(reports)"
        case .inferred: "inferred"
        }
    }
}

/// One cell of the table of push types: a value, and where it is known from.
package struct Rule<Value: Sendable & Hashable>: Sendable, Hashable {
    /// The value.
    package let value: Value

    /// The sources, the best one first; never empty.
    package let evidence: [Evidence]

    /// Creates the rule from its parts.
    package init(_ value: Value, _ evidence: Evidence...) {
        self.value = value
        self.evidence = evidence
    }

    /// Whether the gateway may refuse a request for the rule.
    package var justifiesRefusal: Bool {
        evidence.contains(where: \.justifiesRefusal)
    }
}
