internal import TextBasics
package import WaypostSchema

extension SendFault {
    /// A warning about a reason that APNs does not have; `nil` if it has the reason.
    ///
    /// With a status, such a reason is intended.
    package var warning: String? {
        let names = RejectionReason.known.map(\.rawValue)
        guard kind == .respond, let reason = reason?.rawValue, status == nil, !names.contains(reason) else {
            return nil
        }
        let hint = reason.nearest(among: names).map { "did you mean '\($0)'?" } ?? "see docs/provider-api.md"
        return "APNs has no reason '\(reason)', so the status is 400; \(hint)"
    }
}
