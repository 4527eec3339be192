/// A question to scene selection: which scene opens for what arrived.
public struct SceneQuery: Codable, Sendable, Equatable {
    /// What brings a target content identifier to an app.
    public enum Carrier: String, StringChoice {
        /// A notification, with its `target-content-id`.
        case notification

        /// A Home Screen quick action.
        case shortcutItem

        /// A user activity, whose `webpageURL` stands in for an identifier.
        case userActivity

        /// A URL to open, which is an identifier itself.
        case urlContext
    }

    /// What arrived; where absent, it is told by what else is there: a URL, a webpage's URL, or else a notification.
    public private(set) var carrier: Carrier

    /// The target content identifier; absent for a launch that is about nothing in particular.
    public private(set) var targetContentIdentifier: TargetContentIdentifier?

    /// The address of the page that a user activity is about.
    public private(set) var webpageURL: String?

    /// The URL to open.
    public private(set) var url: String?

    /// Creates the question for a notification.
    public init(targetContentIdentifier: TargetContentIdentifier? = nil) {
        self = .notification(targetContentIdentifier)
    }

    private init(_ carrier: Carrier, _ identifier: TargetContentIdentifier?, webpageURL: String?, url: String?) {
        self.carrier = carrier
        targetContentIdentifier = identifier
        self.webpageURL = webpageURL
        self.url = url
    }

    /// Returns the question for a notification.
    public static func notification(_ identifier: TargetContentIdentifier?) -> Self {
        Self(.notification, identifier, webpageURL: nil, url: nil)
    }

    /// Returns the question for a Home Screen quick action.
    public static func shortcutItem(_ identifier: TargetContentIdentifier?) -> Self {
        Self(.shortcutItem, identifier, webpageURL: nil, url: nil)
    }

    /// Returns the question for a user activity.
    public static func userActivity(_ identifier: TargetContentIdentifier?, webpageURL: String? = nil) -> Self {
        Self(.userActivity, identifier, webpageURL: webpageURL, url: nil)
    }

    /// Returns the question for a URL to open.
    public static func urlContext(_ url: String) -> Self {
        Self(.urlContext, nil, webpageURL: nil, url: url)
    }

    /// Reads a question.
    ///
    /// - Throws: `DecodingError` naming a field that the carrier does not have, or the one that it lacks.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let identifier = try container.decodeIfPresent(TargetContentIdentifier.self, forKey: .targetContentIdentifier)
        let webpageURL = try container.decodeIfPresent(String.self, forKey: .webpageURL)
        let url = try container.decodeIfPresent(String.self, forKey: .url)
        let told: Carrier = url != nil ? .urlContext : webpageURL != nil ? .userActivity : .notification
        let carrier = try container.decodeIfPresent(Carrier.self, forKey: .carrier) ?? told
        func check(_ isSound: Bool, _ key: CodingKeys, _ message: String) throws {
            guard !isSound else { return }
            throw DecodingError.dataCorruptedError(forKey: key, in: container, debugDescription: message)
        }
        try check(webpageURL == nil || carrier == .userActivity, .webpageURL, "only a userActivity has a webpageURL")
        try check((url == nil) != (carrier == .urlContext), .url, "a urlContext has a url, and nothing else has one")
        try check(
            identifier == nil || carrier != .urlContext,
            .targetContentIdentifier,
            "a urlContext has its url only"
        )
        self.init(carrier, identifier, webpageURL: webpageURL, url: url)
    }
}

/// What a scene's conditions are evaluated on.
public struct SceneSubject: Codable, Sendable, Equatable {
    /// Where the text is from.
    public enum Source: String, StringChoice {
        /// The target content identifier.
        case targetContentIdentifier

        /// The address of the page that a user activity without an identifier is about.
        case webpageURL

        /// The URL to open.
        case url
    }

    /// The text that SELF stands for.
    public var text: String

    /// Where it is from.
    public var source: Source

    /// Creates the value from its parts.
    public init(text: String, source: Source) {
        self.text = text
        self.source = source
    }
}
