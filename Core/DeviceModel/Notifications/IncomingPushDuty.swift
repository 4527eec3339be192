internal import PushRules
internal import WaypostSchema

/// The answer that the system demands of an app for a push of the type `voip` or `pushtotalk`.
///
/// An app whose description has `mustReportCalls` has this duty. The rules are those of "Responding to VoIP
/// notifications from PushKit" and "Creating a Push to Talk app". Apple gives no number of pushes without a call after
/// which the system delivers no more; the number here is a rule of Waypost.
enum IncomingPushDuty {
    /// The app reports a call to CallKit.
    case reportCall

    /// The app names the participant who speaks, or leaves the channel.
    case answerTransmission

    /// The number of VoIP pushes in a row without a call after which the system delivers no more.
    static let maximumMissedCalls = 3

    /// Creates the duty of an app for a push; `nil` if it has none.
    ///
    /// - Parameters:
    ///   - pushType: the push type.
    ///   - payload: the payload; a service update of push to talk brings no transmission.
    ///   - app: the app.
    init?(for pushType: PushType?, _ payload: JSONValue, of app: AppDescription) {
        guard app.mustReportCalls == true else { return nil }
        if pushType == "voip" {
            self = .reportCall
        } else if pushType == "pushtotalk", !Self.isServiceUpdate(pushType, payload) {
            self = .answerTransmission
        } else {
            return nil
        }
    }

    /// Returns whether a push is a service update of push to talk, which brings no transmission.
    static func isServiceUpdate(_ pushType: PushType?, _ payload: JSONValue) -> Bool {
        pushType == "pushtotalk" && payload["aps"]?["ptt-push-type"]?.string == "service-update"
    }

    /// Returns whether the app has done its duty.
    ///
    /// - Parameter result: the result of the app, or `nil` if it did not finish its call in time.
    /// - Returns: whether it has.
    func isFulfilled(by result: AppCallResult?) -> Bool {
        switch self {
        case .reportCall: result?.reportedCall == true
        case .answerTransmission: result?.participant?.isEmpty == false || result?.leavesChannel == true
        }
    }

    /// Returns the consequence of the app's result, as the end of a sentence.
    func consequence(of result: AppCallResult?) -> String {
        switch self {
        case .reportCall:
            isFulfilled(by: result)
                ? "it reported a call"
                : "it reported no call\(Self.limit(result)), so the system ended it (\(Self.source(of: "voip")))"
        case .answerTransmission:
            isFulfilled(by: result)
                ? result?.leavesChannel == true ? "it left the channel" : "it named a participant"
                : "it named no participant and did not leave the channel\(Self.limit(result)), so the system ended it "
                    + "(\(Self.source(of: "pushtotalk")); that the system ends it: ours)"
        }
    }

    private static func limit(_ result: AppCallResult?) -> String {
        result == nil ? " in \(AppCalls.maximumTime / 1_000) seconds" : ""
    }

    /// Returns the source of the duty for a push type.
    private static func source(of pushType: PushType) -> String {
        (pushType.contract?.receiver.evidence ?? []).map { "\($0)" }.joined(separator: "; ")
    }

    /// Returns whether the system still delivers VoIP pushes to an app.
    ///
    /// - Parameters:
    ///   - app: the app.
    ///   - missedCalls: the number of pushes in a row for which it reported no call.
    /// - Returns: the verdict.
    static func gate(for app: BundleIdentifier, after missedCalls: Int) -> NotificationVerdict {
        let pushes = missedCalls == 1 ? "VoIP push" : "\(missedCalls) VoIP pushes"
        let count = "\(app) reported no call for its last \(pushes)"
        guard missedCalls >= maximumMissedCalls else {
            let start = missedCalls == 0 ? "\(app) reported a call for its last VoIP push, or had none" : count
            let explanation = "\(start); the system stops after \(maximumMissedCalls) in a row (the number: ours)"
            return NotificationVerdict(.callReport, passes: true, explanation: explanation)
        }
        let source = Evidence.observed(3, "forum thread 764376, react-native-webrtc/react-native-callkeep 86, 163")
        return NotificationVerdict(
            .callReport,
            passes: false,
            explanation: "\(count), so the system delivers no more until the app is removed and installed again "
                + "(\(source); the number: ours)"
        )
    }
}
