internal import WaypostSchema

/// The source of a rule about callbacks.
package enum CallbackSource: Sendable, Hashable {
    /// Apple documents it, on the page with this title.
    case documented(String)

    /// Developers observed it; the number of independent reports, and some of them.
    case observed(Int, String)

    /// It follows from other rules.
    case inferred

    /// It is a decision of Waypost.
    case ours
}

extension CallbackSource: CustomStringConvertible {
    /// The kind of the source.
    package var mark: SourceMark {
        switch self {
        case .documented: .documented
        case .observed: .observed
        case .inferred: .inferred
        case .ours: .ours
        }
    }

    /// The number of independent reports; 0 for other sources.
    package var reportCount: Int {
        if case .observed(let count, _) = self { count } else { 0 }
    }

    /// The source, for people.
    package var description: String {
        switch self {
        case .documented(let title): "Apple: \(title)"
        case .observed(1, let report): "one report: \(report)"
        case .observed(let count, let reports): "\(count) reports: \(reports)"
        case .inferred: "inferred"
        case .ours: "ours"
        }
    }
}

/// The kind of a source, the best one first.
package enum SourceMark: String, StringEnum {
    /// Apple's documentation.
    case documented

    /// Reports, logs or tests of developers.
    case observed

    /// Other rules.
    case inferred

    /// Waypost.
    case ours
}
