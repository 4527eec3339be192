/// The reason why an event changed nothing.
public struct IgnoredEvent: Error, Codable, Sendable, Equatable {
    /// The kinds of reasons.
    public enum Reason: String, StringEnum {
        /// No device can match the description.
        case unusableDescription

        /// The app is not on the device.
        case unknownApp

        /// There is no such card in Contacts.
        case unknownContact

        /// There is no such conversation.
        case unknownConversation

        /// There is no such message.
        case unknownMessage

        /// The message was received before.
        case repeatedMessage

        /// The message was deleted before.
        case deletedMessage

        /// The message has no such link.
        case unknownLink

        /// The URL was already resolved.
        case resolvedBefore

        /// The link is not pinned there.
        case notPinned

        /// The link is not removed.
        case notRemoved

        /// The text is not an http or https URL.
        case notAWebURL

        /// No app on the device has the scheme of the URL.
        case unknownURLScheme

        /// No offer of automatic sharing is open for the app.
        case noOpenOffer

        /// The app has no highlight for the URL.
        case noHighlight

        /// There is no such attribution view in a window of the app.
        case unknownView

        /// The display context was set after the view was put into a window.
        case displayContextTooLate

        /// The attribution view has no such menu item.
        case unknownMenuItem

        /// The app has no such scene.
        case unknownScene

        /// No such conversation is shown over an app.
        case notPresented

        /// The scene is not in the foreground.
        case notInForeground

        /// The app supports only one scene, which exists.
        case oneSceneOnly

        /// The event needs a new scene, and no declaration of the app accepts its content.
        case noDeclarationMatches

        /// An activation condition is not valid.
        case unusableCondition

        /// The app has no such quick action.
        case unknownShortcutItem

        /// Two quick actions of the app have the same type.
        case repeatedShortcutItem

        /// The app has no such activation, or a process already received it.
        case unknownActivation

        /// There is no such notification.
        case unknownNotification

        /// The notification has no such action.
        case unknownAction

        /// The action does not fit: it needs a text, or takes none.
        case unusableText

        /// The notification waits for its app's service extension.
        case waitsForExtension

        /// The device must be unlocked first.
        case locked

        /// The app has no such call, or the call has finished or timed out.
        case unknownCall

        /// There is no such Live Activity.
        case unknownLiveActivity

        /// A device, or a snapshot, needs a name.
        case noName

        /// There is no such snapshot.
        case unknownSnapshot

        /// The payload of an activity notification is not a handed-off activity.
        case noActivity

        /// The payload of a Messages notification is not a Messages event.
        case noMessagesEvent

        /// There is no such token.
        case unknownToken

        /// The app does not declare tokens of the kind.
        case undeclaredToken

        /// Tokens of the kind need a name, or have none.
        case unusableTokenName
    }

    /// The kind of reason.
    public var reason: Reason

    /// A human-readable explanation.
    public var explanation: String

    /// Creates the value from its parts.
    public init(reason: Reason, explanation: String) {
        self.reason = reason
        self.explanation = explanation
    }
}
