internal import PushRules
internal import WaypostSchema

/// The metadata of a VoIP push, which iOS 26.4 and later give the app: whether it must report a call.
///
/// It need not in the foreground, in a call, or for a push that is very late. Apple does not say how late that is; that
/// it is after the push has expired is a rule of Waypost, because a device does not know when a push was sent.
struct CallMetadata {
    /// The app.
    let app: BundleIdentifier

    /// Whether the app is in the foreground.
    let isInForeground: Bool

    /// Whether the user is in a call.
    let hasActiveCall: Bool

    /// The time at which the push expires, in seconds since 1970; `nil` or 0 for none.
    let expiration: Int?

    /// The time of the device.
    let now: Timestamp

    /// Whether the app must report a call.
    var mustReport: Bool {
        circumstance == nil
    }

    /// A sentence that says why the app need not report a call; `nil` if it must.
    var reason: String? {
        circumstance.map { circumstance in
            let rule = SystemRequirement.mustReport.version
            let sources = rule.evidence.map { "\($0)" }.joined(separator: "; ")
            return "it need not report a call, because \(circumstance) (from iOS \(rule.value) on; \(sources))"
        }
    }

    /// The circumstance in which no call is demanded; `nil` for none.
    private var circumstance: String? {
        if isInForeground { return "\(app) is in the foreground" }
        if hasActiveCall { return "the user is in a call" }
        guard let expiration, expiration > 0, now.rawValue / 1_000 > expiration else { return nil }
        let seconds = now.rawValue / 1_000 - expiration
        return "the push is late: it expired \(seconds) \(seconds == 1 ? "second" : "seconds") ago"
    }
}
