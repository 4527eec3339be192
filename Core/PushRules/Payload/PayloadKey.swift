internal import JSONScanning
internal import TextBasics
internal import WaypostSchema

/// A key of a payload that Apple defines: the shape of its value, and the push types that have it.
struct PayloadKey: Sendable {
    /// The shape of the value.
    let shape: ValueShape

    /// The push types that have the key; `nil` for all of them.
    var pushTypes: Set<PushType>?

    /// The push types for which the value may be an object, if its shape allows one; `nil` for all of them.
    var objectPushTypes: Set<PushType>?

    /// The severity of a value of another shape.
    var severity = FindingSeverity.error

    /// The reason for which the key has no effect any longer; `nil` if it has one.
    var obsolescence: String?

    init(
        _ shape: ValueShape,
        of pushTypes: Set<PushType>? = nil,
        objectFor objectPushTypes: Set<PushType>? = nil,
        severity: FindingSeverity = .error,
        obsolescence: String? = nil
    ) {
        self.shape = shape
        self.pushTypes = pushTypes
        self.objectPushTypes = objectPushTypes
        self.severity = severity
        self.obsolescence = obsolescence
    }

    /// Returns whether the key has an effect in a push of a type.
    func isUsable(with pushType: PushType) -> Bool {
        obsolescence == nil && pushTypes?.contains(pushType) ?? true
    }
}

/// The shape of a value in a payload.
indirect enum ValueShape: Sendable {
    /// A string.
    case string

    /// An array of strings.
    case strings

    /// An array.
    case array

    /// An object of the app.
    case object

    /// An object with these keys.
    case dictionary([String: PayloadKey])

    /// A string, or an object with these keys.
    case stringOrDictionary([String: PayloadKey])

    /// A whole number, 0 or greater.
    case wholeNumber

    /// A number; outside of the range it has no, or another, effect.
    case number(ClosedRange<Double>?)

    /// A time, in seconds since 1970.
    case time

    /// The number 1.
    case one

    /// The number 1 or 0.
    case oneOrZero

    /// The literal `true`.
    case isTrue

    /// One of these strings.
    case oneOf([String])

    /// Returns whether a value has the shape, without the values in it.
    func includes(_ value: JSONNode.Value) -> Bool {
        switch (self, value) {
        case (.string, .string), (.stringOrDictionary, .string), (.stringOrDictionary, .object), (.object, .object),
            (.dictionary, .object), (.number, .number), (.array, .array), (.isTrue, .bool(true)):
            true
        case (.strings, .array(let elements)):
            elements.allSatisfy { if case .string = $0.value { true } else { false } }
        case (.wholeNumber, .number(let number)), (.time, .number(let number)): Int(number) != nil
        case (.one, .number(let number)): number == "1"
        case (.oneOrZero, .number(let number)): number == "1" || number == "0"
        case (.oneOf(let words), .string(let word)): words.contains(word)
        default: false
        }
    }

    /// The keys of the object that the shape allows; `nil` if an app chooses them, or it is no object.
    var keys: [String: PayloadKey]? {
        switch self {
        case .dictionary(let keys), .stringOrDictionary(let keys): keys
        default: nil
        }
    }
}

extension ValueShape: CustomStringConvertible {
    /// The shape as the end of a sentence.
    var description: String {
        switch self {
        case .string: "a string"
        case .strings: "an array of strings"
        case .array: "an array"
        case .object, .dictionary: "an object"
        case .stringOrDictionary: "a string or an object"
        case .wholeNumber: "a whole number, 0 or greater"
        case .number: "a number"
        case .time: "a time in whole seconds since 1970"
        case .one: "the number 1"
        case .oneOrZero: "the number 1 or 0"
        case .isTrue: "true"
        case .oneOf(let words): words.count == 1 ? "'\(words[0])'" : "one of " + words.joined(separator: ", ")
        }
    }
}

extension PayloadKey {
    private static let activities: Set<PushType> = ["liveactivity"]
    private static let sessions: Set<PushType> = ["liveactivity", "nowplaying"]

    /// The keys of `aps` ("Generating a remote notification", and the pages of the push types).
    static let aps: [String: Self] = [
        "alert": Self(.stringOrDictionary(alert)),
        "attributes": Self(.object, of: sessions),
        "attributes-type": Self(.string, of: activities),
        "badge": Self(.wholeNumber),
        "category": Self(.string),
        "content-available": Self(.one),
        "content-changed": Self(.isTrue, of: ["controls", "widgets"]),
        "content-state": Self(.object, of: activities),
        "dismissal-date": Self(.time, of: activities),
        "event": Self(.oneOf(["start", "update", "end"]), of: sessions),
        "filter-criteria": Self(.string),
        "input-push-channel": Self(.string, of: activities),
        "input-push-token": Self(.one, of: activities),
        "interruption-level": Self(.oneOf(["passive", "active", "time-sensitive", "critical"])),
        "mutable-content": Self(.one),
        "ptt-push-type": Self(.oneOf(["service-update"]), of: ["pushtotalk"]),
        "relevance-score": Self(.number(nil), severity: .warning),
        "sound": Self(.stringOrDictionary(sound)),
        "stale-date": Self(.time, of: activities),
        "summary-arg": Self(.string, obsolescence: "has no effect since iOS 15"),
        "summary-arg-count": Self(.wholeNumber, obsolescence: "has no effect since iOS 15"),
        "target-content-id": Self(.string),
        "thread-id": Self(.string),
        "timestamp": Self(.time, of: sessions),
        "url-args": Self(.array, obsolescence: "is only for websites in old versions of Safari"),
    ]

    /// The keys of `aps.alert`; the texts of a Live Activity may be objects with a key for a localized string.
    private static let alert: [String: Self] = [
        "action": Self(.string, obsolescence: "is only for websites in old versions of Safari"),
        "action-loc-key": Self(.string, obsolescence: "has no effect since iOS 10"),
        "body": Self(.stringOrDictionary(localizedText), objectFor: activities),
        "launch-image": Self(.string),
        "loc-args": Self(.strings),
        "loc-key": Self(.string),
        "sound": Self(.stringOrDictionary(sound), of: activities),
        "subtitle": Self(.stringOrDictionary(localizedText), objectFor: activities),
        "subtitle-loc-args": Self(.strings),
        "subtitle-loc-key": Self(.string),
        "summary-arg": Self(.string, obsolescence: "has no effect since iOS 15"),
        "summary-arg-count": Self(.wholeNumber, obsolescence: "has no effect since iOS 15"),
        "title": Self(.stringOrDictionary(localizedText), objectFor: activities),
        "title-loc-args": Self(.strings),
        "title-loc-key": Self(.string),
    ]

    private static let localizedText = ["loc-args": Self(.strings), "loc-key": Self(.string)]

    private static let sound = [
        "critical": Self(.oneOrZero), "name": Self(.string), "volume": Self(.number(0...1), severity: .warning),
    ]

    /// The keys at the top level that a push type defines.
    static let payload: [PushType: [String: Self]] = [
        "fileprovider": ["container-identifier": Self(.string), "domain": Self(.string)],
        "mdm": ["mdm": Self(.string)],
    ]
}

extension String {
    /// Returns the key that this string probably misspells: it differs only in case, hyphens and underscores, or by a
    /// letter, or by two if it has eight or more; `nil` if none is similar.
    ///
    /// A key with a word after it, such as `categoryId`, is another one.
    func misspelledKey(among keys: some Collection<String>) -> String? {
        let ownLetters = letters
        if let key = keys.first(where: { $0.letters == ownLetters }) { return key }
        guard utf8.count <= 64 else { return nil }
        let edits = ownLetters.utf8.count < 8 ? 1 : 2
        return keys.sorted().filter { key in
            let isLonger = ownLetters.hasPrefix(key.letters) && ownLetters.utf8.count > key.letters.utf8.count + 1
            return key.utf8.count >= 4 && !isLonger && ownLetters.editDistance(to: key.letters) <= edits
        }
        .min { ownLetters.editDistance(to: $0.letters) < ownLetters.editDistance(to: $1.letters) }
    }

    /// The letters and digits in lowercase.
    var letters: String {
        lowercased().filter { $0 != "-" && $0 != "_" }
    }
}
