internal import SceneCallbacks
internal import SchemaFiles
internal import WaypostSchema

/// The state that a step expects.
struct Expectation: Decodable, Sendable, Equatable {
    var device: String?
    var app: BundleIdentifier?
    var link: String?
    var scene: SceneIdentifier?
    var created: Bool?
    var reason: SceneDecision.Reason?
    var destination: OpenedURL.Destination?
    var visible: [SceneIdentifier]?
    var deliveries: [ExpectedCall]?
    var calls: [ExpectedCall]?
    var notCalled: [ExpectedCall]?
    var findings: [MistakeCode]?
    var minimumSource: SourceMark?
    var shelf: ExpectedShelf?
    var attribution: ExpectedText?

    /// Whether the offer of automatic sharing with the app is open.
    var offered: Bool?
    var conversation: String?
    var choices: [String]?
    var menu: [[String]]?
    var message: ExpectedText?
    var notification: ExpectedNotification?
    var shown: NotificationDecision.Presentation?
    var sound: String?
    var badge: Int?
    var tokens: [TokenPurpose.Kind]?

    /// The number of calls of push receivers, by their names.
    var reloads: [String: Int]?
    var thread: String?
    var launched: String?
    var rejected: RejectionReason?
    var delivered: ExpectedDelivery?
    var never: EventCriteria?
    var sender: ExpectedSender?
    var exit: Int?
    var output: ExpectedText?
    var answer: [String: JSONValue]?
    var within: String?

    /// The maximum time to wait, in milliseconds.
    var timeLimit: Int {
        within.flatMap(DurationText.milliseconds) ?? Self.defaultTimeLimit
    }

    /// The default time limit, in milliseconds.
    private static let defaultTimeLimit = 5_000

    /// Whether it is about the methods of an app that are called for an event.
    var isAboutCallbacks: Bool {
        isAboutCalls || findings != nil
    }

    /// Whether it is about calls of methods, and not only about mistakes.
    var isAboutCalls: Bool {
        deliveries != nil || calls != nil || notCalled != nil || minimumSource != nil
    }

    /// Whether the gateway may refuse what the step sends.
    var allowsRefusal: Bool {
        rejected != nil || answer != nil || notification != nil
    }
}

/// An expected text, or a part of one.
enum ExpectedText: Decodable, Sendable, Equatable {
    case whole(String)
    case part(String)

    private enum CodingKeys: CodingKey {
        case contains
    }

    init(from decoder: any Decoder) throws {
        if let text = try? decoder.singleValueContainer().decode(String.self) {
            self = .whole(text)
        } else {
            self = .part(try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .contains))
        }
    }

    /// Returns whether a text is the expected one.
    func matches(_ text: String) -> Bool {
        switch self {
        case .whole(let whole): text == whole
        case .part(let part): text.contains(part)
        }
    }

    /// The expectation, for messages.
    var text: String {
        switch self {
        case .whole(let whole): whole
        case .part(let part): "…\(part)…"
        }
    }
}

/// The expected links on a shelf.
enum ExpectedShelf: Decodable, Sendable, Equatable {
    case whole([String])
    case part(contains: [String], lacks: [String], first: String?, count: Int?)

    private enum CodingKeys: CodingKey {
        case contains, lacks, first, count
    }

    init(from decoder: any Decoder) throws {
        if let links = try? decoder.singleValueContainer().decode([String].self) {
            self = .whole(links)
            return
        }
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self = .part(
            contains: try container.decodeIfPresent([String].self, forKey: .contains) ?? [],
            lacks: try container.decodeIfPresent([String].self, forKey: .lacks) ?? [],
            first: try container.decodeIfPresent(String.self, forKey: .first),
            count: try container.decodeIfPresent(Int.self, forKey: .count)
        )
    }
}

/// The expected state of a notification.
struct ExpectedNotification: Decodable, Sendable, Equatable {
    /// The title or the identifier; `nil` for what the step sent.
    var title: String?

    var state: DeliveryState

    private enum CodingKeys: CodingKey {
        case title, state
    }

    init(from decoder: any Decoder) throws {
        if let state = try? decoder.singleValueContainer().decode(DeliveryState.self) {
            self.state = state
            return
        }
        let container = try decoder.container(keyedBy: CodingKeys.self)
        title = try container.decode(String.self, forKey: .title)
        state = try container.decode(DeliveryState.self, forKey: .state)
    }
}

/// The expected delivery of everything that was sent.
enum ExpectedDelivery: String, Decodable, Sendable, Equatable {
    /// Everything arrived once, in order, and nothing else arrived.
    case once
}

/// Something that must not happen until the end of the scenario.
struct EventCriteria: Decodable, Sendable, Equatable {
    var notification: String?
    var link: String?
    var app: BundleIdentifier?
    var device: String?
}

/// The expected behavior of the client that used the provider API.
struct ExpectedSender: Decodable, Sendable, Equatable {
    var connections: Int?
    var requests: Int?
    var providerTokens: Int?
    var retriedAfter429: Bool?
    var stoppedAfter410: Bool?
    var answers: [String: Int]?

    private enum CodingKeys: String, CodingKey {
        case connections, requests, answers
        case providerTokens = "provider-tokens"
        case retriedAfter429 = "retried-after-429"
        case stoppedAfter410 = "stopped-after-410"
    }
}
