internal import FoundationEssentials
internal import PushRules
internal import TextBasics
internal import WaypostSchema

/// The rules for the Live Activities of an app, which follow from its description and the user's choices.
///
/// Preconditions of starts, and which Live Activities have tokens, are only for an app with `LiveActivitySettings`.
struct LiveActivityRules {
    /// The token of a Live Activity that a push started, if its app has such tokens.
    struct Token {
        /// Whether it can have one.
        let isPossible: Bool

        /// A human-readable sentence; `nil` if the token is requested at once and reaches the app.
        let note: String?
    }

    private static let guide = Evidence.documented(
        "Starting and updating Live Activities with ActivityKit push notifications"
    )

    /// The number of bytes of a channel's identifier.
    private static let channelSize = 16

    /// The app.
    let app: BundleIdentifier

    /// The types of the app's Live Activities by name, or `nil` if anything decodes.
    let types: [String: LiveActivityType]?

    /// The budget for updates with priority 10; `nil` for none.
    let updateBudget: BudgetRule?

    /// The budget for starts; `nil` for none.
    let startBudget: BudgetRule?

    /// Whether the app has tokens of its own, so that only broadcasts reach it by the token of the device.
    private let hasOwnTokens: Bool

    /// Whether each Live Activity of the app has a token of its own.
    private let hasTokens: Bool

    /// The version of the device's system; `nil` if nothing depends on it.
    private let system: SystemVersion?

    private let settings: LiveActivitySettings?
    private let isForceQuit: Bool

    /// Creates the rules.
    ///
    /// - Parameters:
    ///   - app: the app.
    ///   - description: its description; `nil` if it is not installed.
    ///   - system: the version of the device's system; `nil` if nothing depends on it.
    ///   - isForceQuit: whether the user forced it to quit.
    init(
        of app: BundleIdentifier,
        _ description: AppDescription?,
        on system: SystemVersion?,
        isForceQuit: Bool
    ) {
        self.app = app
        self.system = system
        self.isForceQuit = isForceQuit
        settings = description?.liveActivities
        types = description?.liveActivityTypes
        hasOwnTokens = description?.tokens != nil
        hasTokens = description?.tokens?.contains(.liveActivity) == true
        updateBudget = description.flatMap(BudgetRule.liveActivity(of:))
        startBudget = description.flatMap(BudgetRule.liveActivityStart(of:))
    }

    /// Returns the gate of the device's system for a start; none if the device does not state its version.
    ///
    /// - Parameter hasChannel: whether the start has `input-push-channel`, with which an older device starts nothing.
    /// - Returns: the gate.
    func systemGate(hasChannel: Bool) -> [NotificationVerdict] {
        guard let system else { return [] }
        let start = SystemRequirement.liveActivityStart
        let requirement: SystemRequirement = hasChannel && start.isMet(by: system) ? .inputPushChannel : start
        return [.system(requirement, on: system)]
    }

    /// The gate of the user's choice for a start; none if nothing depends on it.
    var authorizationGate: [NotificationVerdict] {
        guard let settings else { return [] }
        let isAllowed = settings.isAllowed != false
        let reason =
            isAllowed
            ? "the user allows Live Activities of \(app); notifications need not be allowed"
            : "the user does not allow Live Activities of \(app): liveActivities.isAllowed is false "
                + "(\(TokenContract.switchReports))"
        return [NotificationVerdict(.authorization, passes: isAllowed, explanation: reason)]
    }

    /// The reason why the app's server has no token for starts; `nil` if it can have one.
    var missingStartToken: String? {
        guard settings?.hasRun == false else { return nil }
        return "\(app) has not run since its installation, so its server has no push-to-start token: "
            + "liveActivities.hasRun is false (\(Evidence.inferred))"
    }

    /// Returns the reason why nothing can be subscribed to a channel; `nil` if it can.
    func problem(withChannel channel: JSONValue?) -> String? {
        guard settings != nil, let channel, !Self.isChannel(channel) else { return nil }
        let value = channel.string.map { "'\($0.safe(for: .excerpt))'" } ?? "not a text"
        return "input-push-channel is \(value); the identifier of a channel is a text in base64 (\(Self.guide))"
    }

    /// Returns the channel of a broadcast; `nil` if the notification was sent to a token.
    ///
    /// The collapse identifier of a broadcast is its channel. The gateway's identifiers of channels have 16 bytes; a
    /// shorter collapse identifier that happens to be base64 names none.
    ///
    /// - Parameters:
    ///   - notification: the notification.
    ///   - purpose: the purpose of its token; `nil` if that is not a token of an app.
    /// - Returns: the channel.
    func channel(ofBroadcast notification: DeliveredNotification, purpose: TokenPurpose?) -> String? {
        guard hasOwnTokens, purpose == nil, let identifier = notification.collapseID?.rawValue,
            Data(base64Encoded: identifier)?.count == Self.channelSize
        else { return nil }
        return identifier
    }

    /// Returns whether a value is the identifier of a channel, as far as a device can tell.
    private static func isChannel(_ value: JSONValue) -> Bool {
        guard let string = value.string, let bytes = Data(base64Encoded: string) else { return false }
        return !bytes.isEmpty
    }

    /// Whether a Live Activity of the app may have a token of its own now.
    var allowsTokens: Bool {
        hasTokens && settings?.isAllowedOnLockScreen != false
    }

    /// Whether the device is older than `input-push-token`; a Live Activity there has a token without it.
    private var isBeforeTokenKey: Bool {
        system.map { !SystemRequirement.inputPushToken.isMet(by: $0) } ?? false
    }

    /// A sentence about the key with which a start asks for a token, if the device is older.
    private var ignoredTokenKey: String? {
        guard let system, isBeforeTokenKey else { return nil }
        let sentence = SystemRequirement.inputPushToken.sentence(for: system)
        return "\(sentence), so the key has no effect; it has a token without the key (\(Evidence.inferred))"
    }

    /// Returns the token of a Live Activity that a push starts; `nil` if the app does not describe this.
    ///
    /// - Parameters:
    ///   - isRequested: whether the start has `input-push-token`.
    ///   - channel: its `input-push-channel`; `nil` for none.
    /// - Returns: the token.
    func token(isRequested: Bool, channel: String?) -> Token? {
        guard settings != nil, hasTokens else { return nil }
        if let channel {
            let name = channel.safe(for: .excerpt)
            return Token(isPossible: false, note: "it listens to the channel \(name), and has no token (\(Self.guide))")
        }
        guard isRequested || isBeforeTokenKey else {
            let reason = "it has no token, because the start has no \"input-push-token\": 1"
            return Token(isPossible: false, note: "\(reason) (\(Self.guide))")
        }
        if !allowsTokens {
            let reason = "it has no token before the user allows it on the Lock Screen"
            return Token(
                isPossible: true,
                note: "\(reason): liveActivities.isAllowedOnLockScreen is false (\(TokenContract.lockScreenReports))"
            )
        }
        guard isForceQuit else { return Token(isPossible: true, note: isRequested ? ignoredTokenKey : nil) }
        let reason = "the user forced the app to quit, so its token does not reach the server before the app runs"
        return Token(isPossible: true, note: "\(reason) (\(TokenContract.forceQuitReports))")
    }
}
