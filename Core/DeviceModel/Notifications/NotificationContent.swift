public import WaypostSchema

/// The part of a notification's payload that a device reads (`UNNotificationContent`).
///
/// The keys are those of "Generating a remote notification" (User Notifications). A value that is absent or of another
/// type than documented is `nil`, so that a device shows what it can.
public struct NotificationContent: Sendable, Equatable {
    /// The alert's title.
    public var title: String?

    /// The line below the title.
    public var subtitle: String?

    /// The alert's text.
    public var body: String?

    /// The number for the app's icon; 0 removes it.
    public var badge: Int?

    /// The sound.
    public var sound: NotificationSound?

    /// The group of the notification among those of its app, from `aps.thread-id`.
    public var threadIdentifier: String?

    /// The category, whose actions the app declares.
    public var categoryIdentifier: String?

    /// The importance; *active* if the payload has none.
    public var interruptionLevel: InterruptionLevel

    /// The place among the notifications of the app in a summary, from 0 to 1; the highest is the first.
    public var relevanceScore: Double?

    /// The text that the filter of a Focus compares.
    public var filterCriteria: String?

    /// The target content identifier of the notification, from `aps.target-content-id`.
    public var targetContentIdentifier: TargetContentIdentifier?

    /// The name of the image or storyboard that the app shows while it starts.
    public var launchImageName: String?

    /// Whether the app is to update itself in the background (`content-available` is 1).
    public var isContentAvailable: Bool

    /// Whether the app's service extension may change the content (`mutable-content` is 1).
    public var isMutable: Bool

    /// Whether the alert has any text; one of empty strings is no alert.
    var hasAlert: Bool {
        [title, subtitle, body].contains { $0?.isEmpty == false }
    }

    /// Whether the alert has only empty texts.
    var isAlertEmpty: Bool {
        !hasAlert && [title, subtitle, body].contains { $0 != nil }
    }

    /// Returns the content of a communication notification (`UNNotificationContent.updating(from:)`).
    ///
    /// The sender is the title, the name of a group the subtitle, and the conversation the thread (Waypost's own rule).
    func updating(from communication: Communication, sender: String) -> Self {
        var content = self
        content.title = sender
        // No text of the payload is lost.
        content.body = body ?? title
        if communication.isGroup == true { content.subtitle = communication.groupName ?? subtitle }
        content.threadIdentifier = threadIdentifier ?? communication.conversation
        return content
    }

    /// Parses a payload.
    ///
    /// - Parameters:
    ///   - payload: the payload.
    ///   - strings: the strings of the app in the user's language, by key, for the keys that end in `loc-key`.
    ///   - isLiveActivity: whether the payload is for a Live Activity, whose sound is inside the alert.
    public init(payload: JSONValue, strings: [String: String] = [:], isLiveActivity: Bool = false) {
        let aps = payload["aps"]
        let alert = aps?["alert"]
        func text(_ name: String, _ key: String, arguments: String) -> String? {
            // In the alert of a Live Activity, the text itself is a dictionary with the key and the arguments.
            let nestedKey = alert?[name]?["loc-key"]?.string
            guard let key = alert?[key]?.string ?? nestedKey else { return alert?[name]?.string }
            let values = (nestedKey == nil ? alert?[arguments] : alert?[name]?["loc-args"])?.strings ?? []
            // Without such a string, the text is the key, as `localizedUserNotificationString` returns it.
            return strings[key].map { LocalizedFormat($0).text(with: values) } ?? key
        }
        title = text("title", "title-loc-key", arguments: "title-loc-args")
        subtitle = text("subtitle", "subtitle-loc-key", arguments: "subtitle-loc-args")
        // A plain string as alert is its text.
        body = alert?.string ?? text("body", "loc-key", arguments: "loc-args")
        badge = aps?["badge"]?.wholeNumber.flatMap { $0 >= 0 ? $0 : nil }
        sound = (isLiveActivity ? alert?["sound"] : aps?["sound"]).flatMap(NotificationSound.init)
        threadIdentifier = aps?["thread-id"]?.string
        categoryIdentifier = aps?["category"]?.string
        interruptionLevel = aps?["interruption-level"]?.string.flatMap(InterruptionLevel.init) ?? .active
        relevanceScore = aps?["relevance-score"]?.number.map { min(1, max(0, $0)) }
        filterCriteria = aps?["filter-criteria"]?.string
        launchImageName = alert?["launch-image"]?.string
        isContentAvailable = aps?["content-available"]?.wholeNumber == 1
        isMutable = aps?["mutable-content"]?.wholeNumber == 1
        targetContentIdentifier = aps?["target-content-id"]?.string.map(TargetContentIdentifier.init(rawValue:))
    }
}

extension NotificationSound {
    /// Parses the value of `sound`: a name, or a dictionary for a critical alert.
    fileprivate init?(_ value: JSONValue) {
        if let name = value.string {
            self.init(name: name)
        } else if let name = value["name"]?.string {
            self.init(
                name: name,
                isCritical: value["critical"]?.wholeNumber == 1,
                volume: value["volume"]?.number.map { min(1, max(0, $0)) }
            )
        } else {
            return nil
        }
    }
}

/// A format of a string file, with `%@` for the next argument and `%1$@` for the first one.
struct LocalizedFormat {
    private let format: String

    init(_ format: String) {
        self.format = format
    }

    /// Returns the text with its arguments; a placeholder without an argument stays as it is.
    func text(with arguments: [String]) -> String {
        var (result, rest, nextArgument) = ("", format[...], 0)
        while let percent = rest.firstIndex(of: "%") {
            result += rest[..<percent]
            rest = rest[rest.index(after: percent)...]
            let digits = rest.prefix { $0.isASCII && $0.isNumber }
            if rest.hasPrefix("%") {
                result += "%"
                rest = rest.dropFirst()
            } else if rest.hasPrefix("@") {
                result += nextArgument < arguments.count ? arguments[nextArgument] : "%@"
                nextArgument += 1
                rest = rest.dropFirst()
            } else if let number = Int(digits), rest.dropFirst(digits.count).hasPrefix("$@") {
                let placeholder = "%\(digits)$@"
                result += arguments.indices.contains(number - 1) ? arguments[number - 1] : placeholder
                rest = rest.dropFirst(digits.count + 2)
            } else {
                result += "%"
            }
        }
        return result + rest
    }
}

extension JSONValue {
    /// The value as a whole number, or `nil`.
    var wholeNumber: Int? {
        guard case .integer(let number) = self else { return nil }
        return number
    }

    /// The value as a number, or `nil`.
    var number: Double? {
        switch self {
        case .integer(let number): Double(number)
        case .unsigned(let number): Double(number)
        case .double(let number): number
        default: nil
        }
    }

    /// The elements as strings, or `nil` if this is not an array.
    ///
    /// An element that is neither a string nor a number becomes an empty string.
    fileprivate var strings: [String]? {
        guard case .array(let elements) = self else { return nil }
        return elements.map { element in
            switch element {
            case .string(let text): text
            case .integer(let number): "\(number)"
            case .unsigned(let number): "\(number)"
            case .double(let number): "\(number)"
            default: ""
            }
        }
    }
}
