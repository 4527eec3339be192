package import WaypostSchema

/// The errors for events that change nothing, with their explanations.
extension IgnoredEvent {
    /// The URL is not a web URL.
    package static func notAWebURL(_ url: String) -> Self {
        Self(reason: .notAWebURL, explanation: "'\(url)' is not an http or https URL")
    }

    static func resolvedBefore(_ url: String) -> Self {
        Self(reason: .resolvedBefore, explanation: "'\(url)' is already resolved; the first resolution is kept")
    }

    static func resolvedToItself(_ url: String) -> Self {
        Self(
            reason: .resolvedBefore,
            explanation: "'\(url)' would resolve to itself, directly or through other resolutions"
        )
    }

    static func deleted(_ message: MessageID) -> Self {
        Self(reason: .deletedMessage, explanation: "the message \(message) was deleted")
    }

    static func repeated(_ message: MessageID) -> Self {
        Self(reason: .repeatedMessage, explanation: "the message \(message) was received before")
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

    /// Returns the error for an app that is not on the device.
    package static func unknown(_ app: BundleIdentifier) -> Self {
        Self(reason: .unknownApp, explanation: "the app \(app) is not on the device")
    }

    static func unknownLink(_ url: String?, in message: MessageID) -> Self {
        let what = url.map { "the message \(message) has no link '\($0)'" } ?? "the message \(message) has no link"
        return Self(reason: .unknownLink, explanation: what)
    }

    static func notPinned(in message: MessageID) -> Self {
        Self(reason: .notPinned, explanation: "no such link is pinned in the message \(message)")
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

    /// Returns the error for a view that the app does not have in a window.
    ///
    /// The text is the same for a view that never existed, a view that ended and a view of another app.
    package static func unknownView(_ view: AttributionViewID, of app: BundleIdentifier) -> Self {
        Self(reason: .unknownView, explanation: "\(app) has no attribution view \(view) in a window")
    }

    /// Returns the error for a display context that is set when the view is already in a window.
    package static func displayContextTooLate(_ view: AttributionViewID) -> Self {
        Self(
            reason: .displayContextTooLate,
            explanation: "the view \(view) is in a window already; set its display context before that"
        )
    }
}
