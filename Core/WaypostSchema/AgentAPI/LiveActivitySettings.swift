/// The user's choices and the state of an app on which the starts of its Live Activities and their tokens depend.
///
/// The rules for these apply only to an app that has this value, even if it is empty.
public struct LiveActivitySettings: Codable, Sendable, Equatable {
    /// Whether the user allows Live Activities of the app in Settings; absent for yes, as after an installation.
    public var isAllowed: Bool?

    /// Whether the user allows frequent updates in Settings; absent for yes.
    public var allowsFrequentUpdates: Bool?

    /// Whether the app has run since its installation, so that its server can have a push-to-start token; absent for
    /// yes.
    public var hasRun: Bool?

    /// Whether the user has allowed Live Activities of the app on the Lock Screen, so that one that a push starts has
    /// a token; absent for yes.
    public var isAllowedOnLockScreen: Bool?

    /// Whether the app gets another push-to-start token after each start by a push; absent for yes.
    public var renewsStartToken: Bool?

    /// Creates the value from its parts.
    public init(
        isAllowed: Bool? = nil,
        allowsFrequentUpdates: Bool? = nil,
        hasRun: Bool? = nil,
        isAllowedOnLockScreen: Bool? = nil,
        renewsStartToken: Bool? = nil
    ) {
        self.isAllowed = isAllowed
        self.allowsFrequentUpdates = allowsFrequentUpdates
        self.hasRun = hasRun
        self.isAllowedOnLockScreen = isAllowedOnLockScreen
        self.renewsStartToken = renewsStartToken
    }
}
