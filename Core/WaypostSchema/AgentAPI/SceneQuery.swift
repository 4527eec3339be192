/// A query to scene selection: which scene opens for a carrier of a target content identifier.
public struct SceneQuery: Codable, Sendable, Equatable {
    /// The carriers of a target content identifier.
    public enum Carrier: String, StringEnum {
        /// A notification, with its `target-content-id`.
        case notification

        /// A Home Screen quick action.
        case shortcutItem

        /// A user activity, whose `webpageURL` replaces a missing identifier.
        case userActivity

        /// A URL to open, which is itself the identifier.
        case urlContext
    }

    /// The carrier; if absent in JSON, it follows from the other fields: `url`, then `webpageURL`, otherwise a
    /// notification.
    public private(set) var carrier: Carrier

    /// The target content identifier; absent if the launch is for nothing in particular.
    public private(set) var targetContentIdentifier: TargetContentIdentifier?

    /// The URL of the webpage of a user activity.
    public private(set) var webpageURL: String?

    /// The URL to open.
    public private(set) var url: String?

    /// Creates the query for a notification.
    public init(targetContentIdentifier: TargetContentIdentifier? = nil) {
        self = .notification(targetContentIdentifier)
    }

    private init(_ carrier: Carrier, _ identifier: TargetContentIdentifier?, webpageURL: String?, url: String?) {
        self.carrier = carrier
        targetContentIdentifier = identifier
        self.webpageURL = webpageURL
        self.url = url
    }

    /// Returns the query for a notification.
    public static func notification(_ identifier: TargetContentIdentifier?) -> Self {
        Self(.notification, identifier, webpageURL: nil, url: nil)
    }

    /// Returns the query for a Home Screen quick action.
    public static func shortcutItem(_ identifier: TargetContentIdentifier?) -> Self {
        Self(.shortcutItem, identifier, webpageURL: nil, url: nil)
    }

    /// Returns the query for a user activity.
    public static func userActivity(_ identifier: TargetContentIdentifier?, webpageURL: String? = nil) -> Self {
        Self(.userActivity, identifier, webpageURL: webpageURL, url: nil)
    }

    /// Returns the query for a URL to open.
    public static func urlContext(_ url: String) -> Self {
        Self(.urlContext, nil, webpageURL: nil, url: url)
    }

    /// Parses a query.
    ///
    /// - Throws: `DecodingError` that names a field the carrier does not have, or the field it lacks.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let identifier = try container.decodeIfPresent(TargetContentIdentifier.self, forKey: .targetContentIdentifier)
        let webpageURL = try container.decodeIfPresent(String.self, forKey: .webpageURL)
        let url = try container.decodeIfPresent(String.self, forKey: .url)
        let defaultCarrier: Carrier = url != nil ? .urlContext : webpageURL != nil ? .userActivity : .notification
        let carrier = try container.decodeIfPresent(Carrier.self, forKey: .carrier) ?? defaultCarrier
        func require(_ isValid: Bool, _ key: CodingKeys, message: String) throws {
            guard !isValid else { return }
            throw DecodingError.dataCorruptedError(forKey: key, in: container, debugDescription: message)
        }
        try require(
            webpageURL == nil || carrier == .userActivity,
            .webpageURL,
            message: "only a userActivity can have one"
        )
        try require(
            (url == nil) != (carrier == .urlContext),
            .url,
            message: "required for a urlContext, and only for it"
        )
        try require(
            identifier == nil || carrier != .urlContext,
            .targetContentIdentifier,
            message: "a urlContext cannot have one"
        )
        self.init(carrier, identifier, webpageURL: webpageURL, url: url)
    }
}
