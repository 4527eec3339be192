/// What a person turns sharing with apps on or off for.
///
/// In JSON it is an object: `{}`, `{"app":"com.example.clowntown"}` or `{"conversation":"family"}`.
public enum SharingScope: Hashable, Sendable {
    /// Every app and every conversation.
    case everywhere

    /// One app.
    case app(BundleIdentifier)

    /// One conversation.
    case conversation(ConversationID)
}

extension SharingScope: Codable {
    private enum CodingKeys: CodingKey {
        case app
        case conversation
    }

    /// Reads a scope.
    ///
    /// - Throws: `DecodingError` where both an app and a conversation are named.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let app = try container.decodeIfPresent(BundleIdentifier.self, forKey: .app)
        let conversation = try container.decodeIfPresent(ConversationID.self, forKey: .conversation)
        switch (app, conversation) {
        case (nil, nil): self = .everywhere
        case (let app?, nil): self = .app(app)
        case (nil, let conversation?): self = .conversation(conversation)
        case (_?, _?):
            throw DecodingError.dataCorruptedError(
                forKey: .conversation,
                in: container,
                debugDescription: "sharing is set for an app or for a conversation, not for both at once"
            )
        }
    }

    /// Writes the scope.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .everywhere: break
        case .app(let app): try container.encode(app, forKey: .app)
        case .conversation(let conversation): try container.encode(conversation, forKey: .conversation)
        }
    }
}

/// What a person says to the offer to turn on automatic sharing with an app.
public enum OfferAnswer: String, StringChoice {
    /// Automatic sharing is turned on.
    case accepted

    /// It stays off, and the person said so.
    case declined

    /// The offer went away without an answer.
    case ignored
}
