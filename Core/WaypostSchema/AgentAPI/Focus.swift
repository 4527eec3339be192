/// A Focus that is on.
public struct Focus: Codable, Sendable, Equatable {
    /// The name, such as `Work`.
    public var name: String

    /// The apps whose notifications are not silenced; empty if absent.
    public var allowedApps: [BundleIdentifier]

    /// The people whose communication notifications are not silenced; absent for none.
    ///
    /// They are identifiers of cards in Contacts, phone numbers or email addresses.
    public var allowedPeople: [String]?

    /// Whether time-sensitive notifications of other apps are not silenced; `true` if absent.
    public var allowsTimeSensitive: Bool

    /// The predicates of the apps' Focus filters by bundle identifier, for the text in `aps.filter-criteria`.
    public var notificationFilters: [String: String]?

    /// The prefixes that the apps' Focus filters put before target content identifiers, by bundle identifier
    /// (`FocusFilterAppContext.targetContentIdentifierPrefix`).
    public var targetContentIdentifierPrefixes: [String: String]?

    /// Creates the Focus.
    public init(
        name: String,
        allowedApps: [BundleIdentifier] = [],
        allowedPeople: [String]? = nil,
        allowsTimeSensitive: Bool = true,
        notificationFilters: [String: String]? = nil,
        targetContentIdentifierPrefixes: [String: String]? = nil
    ) {
        self.name = name
        self.allowedApps = allowedApps
        self.allowedPeople = allowedPeople
        self.allowsTimeSensitive = allowsTimeSensitive
        self.notificationFilters = notificationFilters
        self.targetContentIdentifierPrefixes = targetContentIdentifierPrefixes
    }

    /// Parses a Focus; its name is required.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            name: try container.decode(String.self, forKey: .name),
            allowedApps: try container.decodeIfPresent([BundleIdentifier].self, forKey: .allowedApps) ?? [],
            allowedPeople: try container.decodeIfPresent([String].self, forKey: .allowedPeople),
            allowsTimeSensitive: try container.decodeIfPresent(Bool.self, forKey: .allowsTimeSensitive) ?? true,
            notificationFilters: try container.decodeIfPresent([String: String].self, forKey: .notificationFilters),
            targetContentIdentifierPrefixes: try container.decodeIfPresent(
                [String: String].self,
                forKey: .targetContentIdentifierPrefixes
            )
        )
    }
}
