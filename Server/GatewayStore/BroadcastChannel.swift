package import WaypostSchema

/// A broadcast channel, whose messages go to every subscribed device ("Sending channel management requests to APNs").
package struct BroadcastChannel: Sendable, Equatable {
    /// The messages that are kept for devices that are not connected or not subscribed yet.
    package enum StoragePolicy: Int, Sendable, CaseIterable {
        /// No message: only connected devices get a message.
        case nothing = 0

        /// The newest message.
        case newest = 1
    }

    /// A message that is kept.
    package struct Message: Sendable, Equatable {
        /// The identifier of the message, from the request that sent it.
        package var id: NotificationID

        /// The priority: 10, 5 or 1.
        package var priority: Int

        /// The time after which the message is not delivered, in seconds since 1970.
        package var expiration: Int

        /// The payload, byte for byte as the sender wrote it.
        package var payload: [UInt8]

        /// The place in the sender's trace.
        package var traceparent: TraceParent?

        /// Creates the value from its parts.
        package init(
            id: NotificationID,
            priority: Int,
            expiration: Int,
            payload: [UInt8],
            traceparent: TraceParent? = nil
        ) {
            self.traceparent = traceparent
            self.id = id
            self.priority = priority
            self.expiration = expiration
            self.payload = payload
        }
    }

    /// The name of the channel.
    package var id: ChannelID

    /// The app of the channel.
    package var app: Topic

    /// The environment in which the channel was created, if it is known.
    package var environment: PushEnvironment?

    /// The storage policy.
    package var policy: StoragePolicy

    /// The newest message, if the policy keeps it.
    package var message: Message?

    /// Creates the value from its parts.
    package init(
        id: ChannelID,
        app: Topic,
        environment: PushEnvironment? = nil,
        policy: StoragePolicy,
        message: Message? = nil
    ) {
        self.id = id
        self.app = app
        self.environment = environment
        self.policy = policy
        self.message = message
    }

    /// The topic of the notifications that devices receive from the channel.
    package var topic: Topic {
        Topic(rawValue: app.rawValue + ".push-type.liveactivity")
    }
}

/// A channel and its namespace.
package struct ChannelRecord: Sendable, Equatable {
    /// The channel.
    package var channel: BroadcastChannel

    /// The namespace that the channel was created in.
    package var namespace: Namespace

    /// Creates the value from its parts.
    package init(_ channel: BroadcastChannel, in namespace: Namespace) {
        self.channel = channel
        self.namespace = namespace
    }
}
