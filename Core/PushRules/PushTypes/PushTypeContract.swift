package import WaypostSchema

/// All rules of one push type: what a request and its payload have, how it is stored, and what the device does with it.
///
/// `all` is the table. The checks of requests, batches and payloads and the device read it, and docs/push-types.md is
/// made from it. This is a class because every request looks a row up, and a copy of so many members takes time.
package final class PushTypeContract: Sendable {
    /// The form of the topic.
    package enum TopicForm: Sendable, Hashable {
        /// The bundle identifier of the app.
        case bundleIdentifier

        /// The bundle identifier with a suffix, which begins with a period.
        case suffix(String)

        /// An identifier with a fixed start, which is not that of an app.
        case prefix(String)
    }

    /// The ways in which a provider may identify itself.
    package enum Authentication: Sendable, Hashable {
        /// A provider token or a certificate.
        case tokenOrCertificate

        /// A provider token.
        case token

        /// A certificate.
        case certificate
    }

    /// The advice about the priority; 10, 5 and 1 are accepted, and 10 is the default.
    package enum PriorityAdvice: Sendable, Hashable {
        /// Any.
        case any

        /// Only this one is right.
        case only(Int)

        /// This one delivers in time.
        case advised(Int)

        /// Priority 10 counts against a budget of the device, so 5 is better for what can wait.
        case budgeted
    }

    /// Whether a payload has an `aps` object.
    package enum ApsRule: Sendable, Hashable {
        /// It must have one.
        case required

        /// It may have one.
        case optional

        /// It has none.
        case absent
    }

    /// The advice about the expiration.
    package enum ExpirationAdvice: Sendable, Hashable {
        /// Any.
        case any

        /// 0, or at most so many seconds after it is sent.
        case within(seconds: Int)
    }

    /// The number of pushes that a device handles in a time; later ones wait or are dropped.
    package struct Budget: Sendable, Hashable {
        /// The number.
        package let count: Int

        /// The time in seconds.
        package let seconds: Int

        /// Creates the value from its parts.
        package init(_ count: Int, perSeconds seconds: Int) {
            self.count = count
            self.seconds = seconds
        }
    }

    /// The priorities that are accepted for every push type.
    package static let priorities = [10, 5, 1]

    /// The priority of a request that names none.
    package static let defaultPriority = 10

    /// The name in the table.
    package let name: String

    /// The push type; `nil` for a Wallet pass, which has none of its own.
    package let pushType: PushType?

    // MARK: The request

    /// The topic.
    package let topic: Rule<TopicForm>

    /// The answer to a request for the topic with another push type, except none; only for topics with a suffix.
    package let otherPushType: Rule<RejectionReason>

    /// The provider's identification.
    package let authentication: Rule<Authentication>

    /// The priority.
    package let priority: Rule<PriorityAdvice>

    /// The maximum size of the payload in bytes.
    package let maximumSize: Rule<Int>

    // MARK: The payload

    /// The `aps` object.
    package let aps: Rule<ApsRule>

    /// The keys that a payload must have.
    package let requiredKeys: [Rule<RequiredKeys>]

    /// The keys that have no effect or are not allowed.
    package let ignoredKeys: [Rule<IgnoredKeys>]

    // MARK: The storage

    /// The expiration.
    package let expiration: Rule<ExpirationAdvice>

    // MARK: The device

    /// The systems that receive it.
    package let systems: Rule<String>

    /// The program that receives it.
    package let receiver: Rule<String>

    /// The background mode that the app needs; `nil` for none.
    package let backgroundMode: BackgroundMode?

    /// Whether it starts an app that the system has ended.
    package let launch: Rule<String>

    /// The effect if the user has forced the app to quit.
    package let launchAfterForceQuit: Rule<String>

    /// The budget; `nil` if none is known.
    package let budget: Rule<Budget?>

    /// Creates a row from its parts.
    init(
        name: String,
        pushType: PushType?,
        topic: Rule<TopicForm>,
        otherPushType: Rule<RejectionReason> = Rule(.invalidPushType, .inferred),
        authentication: Rule<Authentication>,
        priority: Rule<PriorityAdvice>,
        maximumSize: Rule<Int>,
        aps: Rule<ApsRule>,
        requiredKeys: [Rule<RequiredKeys>],
        ignoredKeys: [Rule<IgnoredKeys>],
        expiration: Rule<ExpirationAdvice>,
        systems: Rule<String>,
        receiver: Rule<String>,
        backgroundMode: BackgroundMode?,
        launch: Rule<String>,
        launchAfterForceQuit: Rule<String>,
        budget: Rule<Budget?>
    ) {
        self.name = name
        self.pushType = pushType
        self.topic = topic
        self.otherPushType = otherPushType
        self.authentication = authentication
        self.priority = priority
        self.maximumSize = maximumSize
        self.aps = aps
        self.requiredKeys = requiredKeys
        self.ignoredKeys = ignoredKeys
        self.expiration = expiration
        self.systems = systems
        self.receiver = receiver
        self.backgroundMode = backgroundMode
        self.launch = launch
        self.launchAfterForceQuit = launchAfterForceQuit
        self.budget = budget
    }
}

/// Keys of which a payload must have at least one.
package struct RequiredKeys: Sendable, Hashable {
    /// The object with the keys.
    package enum Place: Sendable, Hashable {
        /// The payload.
        case payload

        /// The `aps` object.
        case aps
    }

    /// The keys.
    package let keys: [String]

    /// The object with the keys.
    package let place: Place

    /// The values of `aps.event` for which they are required; `nil` for all.
    package let events: [String]?

    /// The severity of their absence.
    package let severity: FindingSeverity

    /// The consequence of their absence, or what to do; `nil` if that is plain.
    package let advice: String?

    /// Creates the value from its parts.
    package init(
        _ keys: String...,
        in place: Place = .aps,
        for events: [String]? = nil,
        severity: FindingSeverity = .error,
        advice: String? = nil
    ) {
        self.keys = keys
        self.place = place
        self.events = events
        self.severity = severity
        self.advice = advice
    }
}

/// Keys that have no effect in a payload, or do not belong there.
package struct IgnoredKeys: Sendable, Hashable {
    /// The keys of an object.
    package enum Selection: Sendable, Hashable {
        /// These keys of `aps`.
        case aps([String])

        /// All keys of `aps` but these.
        case apsExcept([String])

        /// All keys of the payload beside `aps` but these.
        case payloadExcept([String])
    }

    /// The keys.
    package let selection: Selection

    /// The values of `aps.event` for which they have no effect; `nil` for all.
    package let events: [String]?

    /// The severity of their presence.
    package let severity: FindingSeverity

    /// The reason, as the end of a sentence about a key.
    package let reason: String

    /// Creates the value from its parts.
    package init(_ selection: Selection, for events: [String]? = nil, severity: FindingSeverity, reason: String) {
        self.selection = selection
        self.events = events
        self.severity = severity
        self.reason = reason
    }
}
