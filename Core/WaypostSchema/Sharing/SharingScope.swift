/// The scope for which a user turns sharing with apps on or off.
///
/// The scope is always explicit, so that a misspelled field does not turn everything off. In JSON it is an object:
/// `{"everywhere":true}`, `{"app":"com.example.clowntown"}` or `{"conversation":"family"}`.
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
        case everywhere
        case app
        case conversation
    }

    /// Parses a scope.
    ///
    /// - Throws: `DecodingError` unless exactly one scope is named.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let isEverywhere = try container.decodeIfPresent(Bool.self, forKey: .everywhere) ?? false
        let app = try container.decodeIfPresent(BundleIdentifier.self, forKey: .app)
        let conversation = try container.decodeIfPresent(ConversationID.self, forKey: .conversation)
        switch (isEverywhere, app, conversation) {
        case (true, nil, nil): self = .everywhere
        case (false, let app?, nil): self = .app(app)
        case (false, nil, let conversation?): self = .conversation(conversation)
        default:
            let context = DecodingError.Context(
                codingPath: decoder.codingPath,
                debugDescription: #"exactly one of "everywhere":true, "app" and "conversation" is required"#
            )
            throw DecodingError.dataCorrupted(context)
        }
    }

    /// Writes the scope.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        if isEverywhere { try container.encode(true, forKey: .everywhere) }
        try container.encodeIfPresent(app, forKey: .app)
        try container.encodeIfPresent(conversation, forKey: .conversation)
    }

    var isEverywhere: Bool {
        self == .everywhere
    }

    var app: BundleIdentifier? {
        if case .app(let app) = self { app } else { nil }
    }

    var conversation: ConversationID? {
        if case .conversation(let conversation) = self { conversation } else { nil }
    }
}
