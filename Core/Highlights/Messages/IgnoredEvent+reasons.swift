package import WaypostSchema

/// The events that change nothing, in words.
extension IgnoredEvent {
    static func notAWebURL(_ url: String) -> Self {
        Self(reason: .notAWebURL, explanation: "'\(url)' is no http or https URL")
    }

    static func resolvedBefore(_ url: String) -> Self {
        Self(reason: .resolvedBefore, explanation: "'\(url)' was resolved before; the first answer stays")
    }

    static func resolvedToItself(_ url: String) -> Self {
        Self(reason: .resolvedBefore, explanation: "what '\(url)' would stand for stands for it, or is the same")
    }

    static func deleted(_ message: MessageID) -> Self {
        Self(reason: .deletedMessage, explanation: "the message \(message) was deleted")
    }

    static func repeated(_ message: MessageID) -> Self {
        Self(reason: .repeatedMessage, explanation: "the message \(message) came before")
    }

    static func unknown(_ message: MessageID) -> Self {
        Self(reason: .unknownMessage, explanation: "there is no message \(message)")
    }

    static func unknown(_ conversation: ConversationID) -> Self {
        Self(reason: .unknownConversation, explanation: "there is no conversation \(conversation)")
    }

    static func unknown(_ contact: ContactID) -> Self {
        Self(reason: .unknownContact, explanation: "there is no contact \(contact)")
    }

    /// The app is not there.
    package static func unknown(_ app: BundleIdentifier) -> Self {
        Self(reason: .unknownApp, explanation: "the app \(app) is not on the device")
    }

    static func unknownLink(_ url: String?, in message: MessageID) -> Self {
        let what = url.map { "the message \(message) has no link '\($0)'" } ?? "the message \(message) has no link"
        return Self(reason: .unknownLink, explanation: what)
    }

    static func notPinned(in message: MessageID) -> Self {
        Self(reason: .notPinned, explanation: "nothing that was named is pinned in the message \(message)")
    }

    static func notRemoved(_ url: String) -> Self {
        Self(reason: .notRemoved, explanation: "'\(url)' is not removed")
    }

    static func noOpenOffer(_ app: BundleIdentifier) -> Self {
        Self(reason: .noOpenOffer, explanation: "no offer of automatic sharing with \(app) is open")
    }

    static func noHighlight(_ url: String, of app: BundleIdentifier) -> Self {
        Self(reason: .noHighlight, explanation: "\(app) has no highlight for '\(url)'")
    }

    /// The app has no such view: it says the same of one that never was, of one that ended and of another app's.
    package static func unknownView(_ view: AttributionViewID, of app: BundleIdentifier) -> Self {
        Self(reason: .unknownView, explanation: "\(app) has no attribution view \(view), or not in a window")
    }

    /// The view is in a window already.
    package static func displayContextTooLate(_ view: AttributionViewID) -> Self {
        Self(
            reason: .displayContextTooLate,
            explanation: "the display context of \(view) counts only when it is set before the view is in a window"
        )
    }
}
