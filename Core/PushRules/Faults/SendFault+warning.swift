internal import TextBasics
package import WaypostSchema

extension SendFault {
    /// A warning about a reason that APNs does not have; `nil` if it has the reason.
    package var warning: String? {
        kind == .respond ? reason?.warning(withStatus: status) : nil
    }
}

extension ConnectionFault {
    /// A warning about a reason that APNs does not have; `nil` if it has the reason.
    package var warning: String? {
        kind == .respond ? reason?.warning(withStatus: status) : nil
    }
}

extension RejectionReason {
    /// Returns a warning about the reason of an injected answer; `nil` if APNs has it.
    ///
    /// With a status, such a reason is intended.
    fileprivate func warning(withStatus status: Int?) -> String? {
        let names = Self.known.map(\.rawValue)
        guard status == nil, !names.contains(rawValue) else { return nil }
        let hint = rawValue.nearest(among: names).map { "did you mean '\($0)'?" } ?? "see docs/provider-api.md"
        return "APNs has no reason '\(rawValue)', so the status is 400; \(hint)"
    }
}
