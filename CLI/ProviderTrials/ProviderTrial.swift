package import WaypostSchema

/// A trial of a provider: what its gateway does, and the rule that the requests of the provider must keep.
///
/// A trial is a value. A run performs its steps, and passes what the gateway saw to `judge`.
package struct ProviderTrial: Sendable {
    /// The name, such as `token-reuse`.
    package var name: String

    /// The rule in a sentence, from the provider's side.
    package var rule: String

    /// The source of the rule: the title of a page of Apple, or a public report.
    package var source: String

    /// The advice to the author of a provider that fails.
    package var advice: String

    /// Whether the trial ends within seconds, so that it belongs to the quick set.
    package var isQuick = true

    /// Whether the clock of the provider must move, so that a command needs `faketime`.
    package var movesClock = false

    /// The number of processes of the provider that share the load.
    package var processes = 1

    /// The steps.
    package var steps: [TrialStep]

    /// Returns the verdict on what the gateway saw.
    package var judge: @Sendable (TrialObservation) -> TrialVerdict

    /// Whether the gateway starts again during the trial, so that all gateways must have the same addresses.
    package var restartsGateway: Bool {
        steps.contains { step in
            if case .restart = step { true } else { false }
        }
    }
}

/// A step of a trial.
package enum TrialStep: Sendable, Equatable {
    /// The provider gets messages, and the trial waits until all are accepted, or nothing has happened for a while.
    case load(TrialLoad)

    /// The provider gets messages, and the trial goes on at once.
    case begin(TrialLoad)

    /// The trial waits until all messages so far are accepted, or the seconds are over.
    ///
    /// It does not wait for messages that a fault refuses for good, such as those that get BadDeviceToken.
    case settle(seconds: Int)

    /// The trial waits until this many messages of the last load were requested, or 30 seconds are over.
    case awaitRequests(Int)

    /// A fault is injected into the requests for some devices, or for all if `devices` is `nil`.
    ///
    /// `since` is the time of a 410 in seconds relative to the registration of the devices.
    case inject(SendFault, devices: Range<Int>?, since: Int?)

    /// All faults are removed.
    case removeFaults

    /// A fault happens on every open connection.
    case affectConnections(ConnectionFault)

    /// The clocks of the gateway and of the provider advance by seconds.
    case advance(Int)

    /// Only the clock of the provider moves, by seconds; negative moves it back.
    case skew(Int)

    /// Seconds of real time pass.
    case pause(Int)

    /// The gateway closes its connections and starts again, with a certificate of an authority in the provider's list.
    case restart(TrialAuthority)
}

/// The authorities in the list of a provider; a trial begins with a certificate of the first one.
package enum TrialAuthority: Sendable, Equatable {
    case first, second
}

/// Messages that a provider is asked to send.
package struct TrialLoad: Sendable, Equatable {
    /// The number of messages, each with a marker of its own.
    package var messages: Int

    /// The devices, in turn.
    package var devices: Range<Int>

    /// The kind of messages.
    package var kind: TrialMessage.Kind

    /// Creates a load; by default, 200 alerts to 20 devices.
    package init(_ messages: Int = 200, to devices: Range<Int> = 0..<20, kind: TrialMessage.Kind = .alert) {
        self.messages = messages
        self.devices = devices
        self.kind = kind
    }
}

/// A message that a provider is asked to send, as it reads it: a JSON object on a line.
package struct TrialMessage: Codable, Sendable, Equatable {
    /// The kinds of messages of a load.
    package enum Kind: String, Sendable {
        /// An alert.
        case alert

        /// Alerts for the apps of two teams, in turn.
        case twoTeams

        /// Alerts whose expiration is now, in an hour, and absent, in turn.
        case expirations

        /// One message for each push type, in turn.
        case pushTypes

        /// Payloads of the sizes of `TrialPayloadSize`, in turn.
        case sizes

        /// Updates of a Live Activity.
        case liveActivity
    }

    /// The marker, which is also in the payload.
    package var marker: String

    /// The device token.
    package var token: String

    /// The time at which the token was registered, in seconds since 1970.
    package var registeredAt: Int

    /// The `apns-topic`.
    package var topic: String

    /// The `apns-push-type`.
    package var pushType: String

    /// The wish about the expiration: `now`, `hour`, or absent for no wish.
    package var expiration: String?

    /// The team of the app.
    package var teamID: String

    /// The identifier of the key for the app.
    package var keyID: String

    /// The path of the key for the app.
    package var keyFile: String

    /// The payload to send.
    package var payload: JSONValue

    /// Creates the value from its parts.
    package init(
        marker: String,
        token: String,
        registeredAt: Int,
        topic: String,
        pushType: String,
        expiration: String? = nil,
        teamID: String,
        keyID: String,
        keyFile: String,
        payload: JSONValue
    ) {
        self.marker = marker
        self.token = token
        self.registeredAt = registeredAt
        self.topic = topic
        self.pushType = pushType
        self.expiration = expiration
        self.teamID = teamID
        self.keyID = keyID
        self.keyFile = keyFile
        self.payload = payload
    }
}

/// The verdict on a provider.
package enum TrialVerdict: Sendable, Equatable {
    /// The provider met the condition, and kept the rule.
    case passed(String, figures: [String: Double] = [:])

    /// The provider broke the rule, first with this request, if it was one.
    case failed(String, figures: [String: Double] = [:], request: ProviderRequestRecord? = nil)

    /// The provider never met the condition.
    case notShown(String)
}

/// The things that a gateway saw during a trial.
package struct TrialObservation: Sendable, Equatable {
    /// A message of the trial.
    package struct Message: Sendable, Equatable {
        /// The marker.
        package var marker: String

        /// The number of its load, from 0.
        package var load: Int

        /// The number of its device, from 0.
        package var device: Int

        /// The device token.
        package var token: DeviceToken

        /// The wish about the expiration.
        package var expiration: String?

        /// Creates the value from its parts.
        package init(marker: String, load: Int, device: Int, token: DeviceToken, expiration: String? = nil) {
            self.marker = marker
            self.load = load
            self.device = device
            self.token = token
            self.expiration = expiration
        }
    }

    /// A step that was performed.
    package struct Step: Sendable, Equatable {
        /// The step.
        package var step: TrialStep

        /// The time at which it began, by the system's clock.
        package var at: Timestamp

        /// The number of seconds by which the provider's clock was ahead of the system's when it began.
        package var providerClock: Int

        /// Creates the value from its parts.
        package init(step: TrialStep, at: Timestamp, providerClock: Int) {
            self.step = step
            self.at = at
            self.providerClock = providerClock
        }
    }

    /// The steps, in order.
    package var steps: [Step]

    /// The messages, in the order in which the provider got them.
    package var messages: [Message]

    /// The requests, in the order in which the gateway decided about them, with headers and bodies.
    package var requests: [ProviderRequestRecord]

    /// The connections.
    package var connections: [ProviderConnectionRecord]

    /// The time of the end, by the system's clock.
    package var endedAt: Timestamp

    /// Creates the value from its parts.
    package init(
        steps: [Step],
        messages: [Message],
        requests: [ProviderRequestRecord],
        connections: [ProviderConnectionRecord],
        endedAt: Timestamp
    ) {
        self.steps = steps
        self.messages = messages
        self.requests = requests
        self.connections = connections
        self.endedAt = endedAt
    }
}
