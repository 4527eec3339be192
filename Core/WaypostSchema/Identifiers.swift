internal import TextBasics

/// A string that identifies something, with a type of its own to prevent mix-ups.
///
/// In JSON it is a plain string. The schema does not validate it further; the code that uses an identifier does.
public protocol StringIdentifier: RawRepresentable<String>, Codable, Hashable, Sendable, CustomStringConvertible,
    ExpressibleByStringLiteral
{
    /// Creates an identifier from its text.
    init(rawValue: String)
}

extension StringIdentifier {
    /// Creates an identifier from a string literal.
    public init(stringLiteral value: String) {
        self.init(rawValue: value)
    }

    /// The identifier's text.
    public var description: String {
        rawValue
    }
}

/// A device token, the address of a notification.
///
/// Waypost creates tokens of 64 hexadecimal digits; other lengths are valid too.
public struct DeviceToken: StringIdentifier {
    /// The text.
    public var rawValue: String

    /// Creates an identifier from its text.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}

/// An APNs topic: a bundle identifier, with a suffix for some push types (`.voip`, `.complication`, ...).
public struct Topic: StringIdentifier {
    /// The text.
    public var rawValue: String

    /// Creates an identifier from its text.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The topic of Messages events, which are always stored `lossless` and may have up to 64 KiB.
    public static let messages: Self = "waypost.messages"

    /// The topic of activities that are handed off from another device.
    public static let activities: Self = "waypost.activities"
}

/// A notification's identifier, the `apns-id`; Waypost creates a UUID in canonical lowercase form.
public struct NotificationID: StringIdentifier {
    /// The text.
    public var rawValue: String

    /// Creates an identifier from its text.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}

/// The identifier of a batch, a UUID that the gateway creates.
public struct BatchID: StringIdentifier {
    /// The text.
    public var rawValue: String

    /// Creates an identifier from its text.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}

/// A namespace of a gateway, which isolates the test runs that share the gateway.
///
/// It has 1 to 64 of the characters `A`-`Z`, `a`-`z`, `0`-`9`, `.`, `-` and `_`, and does not start with a period,
/// because `.` and `..` have another meaning in a path.
public struct Namespace: StringIdentifier {
    /// The text.
    public var rawValue: String

    /// Creates an identifier from its text.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The namespace of a request that does not name one.
    public static let standard: Self = "default"

    /// Whether the identifier has a valid length and only valid characters.
    public var isWellFormed: Bool {
        (1...64).contains(rawValue.utf8.count) && rawValue.utf8.first != UInt8(ascii: ".")
            && rawValue.utf8.allSatisfy { $0.isASCIIAlphanumeric || ".-_".utf8.contains($0) }
    }
}

/// A collapse identifier, the `apns-collapse-id`: a later notification with the same one replaces the earlier.
public struct CollapseIdentifier: StringIdentifier {
    /// The text.
    public var rawValue: String

    /// Creates an identifier from its text.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}

/// An app's bundle identifier, such as `com.example.clowntown`.
public struct BundleIdentifier: StringIdentifier {
    /// The text.
    public var rawValue: String

    /// Creates an identifier from its text.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}

/// A scene session's persistent identifier (`UISceneSession.persistentIdentifier`).
public struct SceneIdentifier: StringIdentifier {
    /// The text.
    public var rawValue: String

    /// Creates an identifier from its text.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}

/// A target content identifier: the subject of a notification, shortcut item or user activity, ideally a URL.
public struct TargetContentIdentifier: StringIdentifier {
    /// The text.
    public var rawValue: String

    /// Creates an identifier from its text.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}

/// An application identifier: a prefix, usually the team identifier, a period and a bundle identifier.
///
/// Example: `ABCDE12345.com.example.clowntown`.
public struct ApplicationIdentifier: StringIdentifier {
    /// The text.
    public var rawValue: String

    /// Creates an identifier from its text.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}

/// The identifier of a conversation in Messages.
public struct ConversationID: StringIdentifier {
    /// The text.
    public var rawValue: String

    /// Creates an identifier from its text.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}

/// The identifier of a message in Messages.
public struct MessageID: StringIdentifier {
    /// The text.
    public var rawValue: String

    /// Creates an identifier from its text.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}

/// The identifier of a card in Contacts.
public struct ContactID: StringIdentifier {
    /// The text.
    public var rawValue: String

    /// Creates an identifier from its text.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}

/// An address in Messages: a phone number or an email address.
public struct Handle: StringIdentifier {
    /// The text.
    public var rawValue: String

    /// Creates an identifier from its text.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}

/// The content key of a link: its URL without the parts that do not affect the content.
///
/// Two links with the same key are one item. Apps never receive it; they receive a URL as it was sent.
public struct ContentKey: StringIdentifier {
    /// The text.
    public var rawValue: String

    /// Creates an identifier from its text.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}

/// The identifier of a highlight for an app (`SWHighlight.identifier`): opaque, and stable as long as the device has
/// the link.
public struct HighlightID: StringIdentifier {
    /// The text.
    public var rawValue: String

    /// Creates an identifier from its text.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}

/// The handle of an attribution view: the app uses it to place the view, and only the device can find the picture.
///
/// A handle that the device creates has 128 random bits, so it cannot be guessed.
public struct AttributionViewID: StringIdentifier {
    /// The text.
    public var rawValue: String

    /// Creates an identifier from its text.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}

/// The identifier of an item in an attribution view's menu.
///
/// The view's own items are `reply` and `remove`; all others are the app's.
public struct MenuItemID: StringIdentifier {
    /// The text.
    public var rawValue: String

    /// Creates an identifier from its text.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}

extension Handle {
    /// The form for comparing handles: the digits of a phone number, or an email address in lower case.
    ///
    /// A number with a country code and the same number without one are two handles, because the country is unknown
    /// here.
    package var comparable: String {
        let bytes = rawValue.utf8
        let isAddress = bytes.contains { $0 == UInt8(ascii: "@") || $0 > 0x7F || (0x61...0x7A).contains($0 | 0x20) }
        guard !isAddress else { return rawValue.lowercased() }
        let punctuation = " -.()/".utf8
        return String(decoding: bytes.filter { !punctuation.contains($0) }, as: UTF8.self)
    }
}

/// The secret of an agent, which gives access to the notifications of the agent's devices.
public struct AgentSecret: StringIdentifier {
    /// The secret.
    public var rawValue: String

    /// Creates a secret from its text.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// A placeholder, so that logs do not contain the secret.
    public var description: String {
        "<secret>"
    }
}
