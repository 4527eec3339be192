internal import WaypostSchema

/// A kind of token of an app, with a name if the app may have several tokens of the kind: `voip`, `control/play`.
struct TokenSelector: Decodable, Sendable, Equatable {
    var kind: TokenPurpose.Kind

    /// The channel, the Live Activity or the control; `nil` for the only token of the kind.
    var name: String?

    init(_ kind: TokenPurpose.Kind, name: String? = nil) {
        self.kind = kind
        self.name = name
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let kind = Self.kindName(in: text).flatMap(TokenPurpose.Kind.init(rawValue:)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "'\(text)' is not a kind of token")
        }
        self.kind = kind
        name = text.contains("/") ? String(text.drop(while: { $0 != "/" }).dropFirst()) : nil
    }

    /// Returns the part of a text that names the kind.
    static func kindName(in text: String) -> String? {
        text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false).first.map(String.init)
    }

    /// Returns whether the selector means the token for a purpose.
    func selects(_ purpose: TokenPurpose) -> Bool {
        purpose.kind == kind && (name == nil || purpose.name == name)
    }

    /// The selector, as it is written in a step.
    var text: String {
        name.map { "\(kind.rawValue)/\($0)" } ?? kind.rawValue
    }
}

/// A token that a step names: that of a device, or one of an app.
struct TokenChoice: Decodable, Sendable, Equatable {
    var device: String

    /// The app; `nil` for the only one that has such a token.
    var app: BundleIdentifier?

    /// The token of the app.
    var token: TokenSelector?

    /// The token of an app; `nil` for that of the device.
    var selector: TokenSelector? {
        token ?? app.map { _ in TokenSelector(.app) }
    }

    /// The choice, for messages.
    var text: String {
        selector.map { "\(device)/\($0.text)" } ?? device
    }
}
