internal import ASCII

/// A string that identifies something, as a type of its own so that no two kinds are mixed up.
///
/// It is a plain string in JSON. The schema checks no more than that; who knows the rules of an identifier applies them.
public protocol StringIdentifier: RawRepresentable<String>, Codable, Hashable, Sendable, CustomStringConvertible,
    ExpressibleByStringLiteral
{
    /// Creates the identifier that `rawValue` spells.
    init(rawValue: String)
}

extension StringIdentifier {
    /// Creates the identifier that a literal spells.
    public init(stringLiteral value: String) {
        self.init(rawValue: value)
    }

    /// The identifier's text.
    public var description: String {
        rawValue
    }
}

/// A device token: where a notification is sent.
///
/// It has 64 hexadecimal digits where Waypost made it; other lengths are legal.
public struct DeviceToken: StringIdentifier {
    /// The text.
    public var rawValue: String

    /// Creates the identifier that `rawValue` spells.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}

/// An APNs topic: a bundle identifier, with a suffix for some push types (`.voip`, `.complication`, ...).
public struct Topic: StringIdentifier {
    /// The text.
    public var rawValue: String

    /// Creates the identifier that `rawValue` spells.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The topic of Messages events, which is kept lossless and may carry 64 KiB.
    public static let messages: Self = "waypost.messages"

    /// The topic of activities that go on on another device.
    public static let activities: Self = "waypost.activities"
}

/// A notification's identifier, the `apns-id`: a UUID in its canonical lowercase form where Waypost made it.
public struct NotificationID: StringIdentifier {
    /// The text.
    public var rawValue: String

    /// Creates the identifier that `rawValue` spells.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}

/// The identifier of a batch, made by the gateway: a UUID.
public struct BatchID: StringIdentifier {
    /// The text.
    public var rawValue: String

    /// Creates the identifier that `rawValue` spells.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}

/// A namespace of a gateway: what keeps test runs that share it apart.
///
/// It has 1 to 64 of the characters `A`-`Z`, `a`-`z`, `0`-`9`, `.`, `-` and `_`, and does not begin with a
/// point: `.` and `..` mean something else in a path.
public struct Namespace: StringIdentifier {
    /// The text.
    public var rawValue: String

    /// Creates the identifier that `rawValue` spells.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The namespace of a request that names none.
    public static let standard: Self = "default"

    /// Whether it has the length and the characters of a namespace.
    public var isWellFormed: Bool {
        (1...64).contains(rawValue.utf8.count) && rawValue.utf8.first != UInt8(ascii: ".")
            && rawValue.utf8.allSatisfy { $0.isASCIIAlphanumeric || ".-_".utf8.contains($0) }
    }
}

/// A collapse identifier, the `apns-collapse-id`: a later notification with the same one replaces the earlier.
public struct CollapseIdentifier: StringIdentifier {
    /// The text.
    public var rawValue: String

    /// Creates the identifier that `rawValue` spells.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}

/// An app's bundle identifier, such as `com.example.clowntown`.
public struct BundleIdentifier: StringIdentifier {
    /// The text.
    public var rawValue: String

    /// Creates the identifier that `rawValue` spells.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}

/// A scene session's persistent identifier (`UISceneSession.persistentIdentifier`).
public struct SceneIdentifier: StringIdentifier {
    /// The text.
    public var rawValue: String

    /// Creates the identifier that `rawValue` spells.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}

/// A target content identifier: what a notification, shortcut item or user activity is about, ideally a URL.
public struct TargetContentIdentifier: StringIdentifier {
    /// The text.
    public var rawValue: String

    /// Creates the identifier that `rawValue` spells.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}

/// An application identifier: a prefix, mostly the team's, a point and a bundle identifier, as in
/// `ABCDE12345.com.example.clowntown`.
public struct ApplicationIdentifier: StringIdentifier {
    /// The text.
    public var rawValue: String

    /// Creates the identifier that `rawValue` spells.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}

/// A conversation in Messages.
public struct ConversationID: StringIdentifier {
    /// The text.
    public var rawValue: String

    /// Creates the identifier that `rawValue` spells.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}

/// A message in Messages.
public struct MessageID: StringIdentifier {
    /// The text.
    public var rawValue: String

    /// Creates the identifier that `rawValue` spells.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}

/// A card in Contacts.
public struct ContactID: StringIdentifier {
    /// The text.
    public var rawValue: String

    /// Creates the identifier that `rawValue` spells.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}

/// Where a person is reached in Messages: a telephone number or an e-mail address.
public struct Handle: StringIdentifier {
    /// The text.
    public var rawValue: String

    /// Creates the identifier that `rawValue` spells.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}

/// What a link is about: its URL without what makes no difference to the content.
///
/// Two links with the same key are one item. It is never handed to an app, which gets a URL as it was sent.
public struct ContentKey: StringIdentifier {
    /// The text.
    public var rawValue: String

    /// Creates the identifier that `rawValue` spells.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}

/// What an app knows a highlight by (`SWHighlight.identifier`): opaque, and the same for as long as the device has the link.
public struct HighlightID: StringIdentifier {
    /// The text.
    public var rawValue: String

    /// Creates the identifier that `rawValue` spells.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}

/// An attribution view of an app: the handle by which the app places it, and by which the device alone finds its picture.
///
/// Where the device makes one it has 128 random bits, so that it cannot be guessed.
public struct AttributionViewID: StringIdentifier {
    /// The text.
    public var rawValue: String

    /// Creates the identifier that `rawValue` spells.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}

/// An item of an attribution view's menu.
///
/// The view's own are `reply` and `remove`; all others are the app's.
public struct MenuItemID: StringIdentifier {
    /// The text.
    public var rawValue: String

    /// Creates the identifier that `rawValue` spells.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}

extension Handle {
    /// The form in which handles are compared: digits of a number, letters of an address in lower case.
    ///
    /// A number with a country code and the same number without one are two handles, as nothing here knows the country.
    package var comparable: String {
        let bytes = rawValue.utf8
        let isAddress = bytes.contains { $0 == UInt8(ascii: "@") || $0 > 0x7F || (0x61...0x7A).contains($0 | 0x20) }
        guard !isAddress else { return rawValue.lowercased() }
        let punctuation = " -.()/".utf8
        return String(decoding: bytes.filter { !punctuation.contains($0) }, as: UTF8.self)
    }
}

/// The secret of an agent: who shows it receives the notifications of the agent's devices.
public struct AgentSecret: StringIdentifier {
    /// The secret itself.
    public var rawValue: String

    /// Creates the secret that `rawValue` spells.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// A stand-in, so that no log shows the secret.
    public var description: String {
        "<secret>"
    }
}
