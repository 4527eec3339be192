package import WaypostSchema

/// A channel: what is sent to it goes to every device that is subscribed to it ("Sending channel management requests to APNs").
package struct BroadcastChannel: Sendable, Equatable {
    /// What is kept for devices that are not there, or not subscribed yet.
    package enum StoragePolicy: Int, Sendable, CaseIterable {
        /// Nothing: a message is for whoever is there.
        case nothing = 0

        /// The newest message.
        case newest = 1
    }

    /// A message that is kept.
    package struct Message: Sendable, Equatable {
        /// Its identifier, that of the request that brought it.
        package var id: NotificationID

        /// 10, 5 or 1.
        package var priority: Int

        /// When it is no longer worth delivering, in seconds since 1970.
        package var expiration: Int

        /// The payload, byte for byte as the sender wrote it.
        package var payload: [UInt8]

        /// Creates the value from its parts.
        package init(id: NotificationID, priority: Int, expiration: Int, payload: [UInt8]) {
            self.id = id
            self.priority = priority
            self.expiration = expiration
            self.payload = payload
        }
    }

    /// Its name.
    package var id: ChannelID

    /// The app it belongs to.
    package var app: Topic

    /// The environment it was made in, where that could be told.
    package var environment: PushEnvironment?

    /// What is kept.
    package var policy: StoragePolicy

    /// The newest message, where the policy keeps it.
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

    /// The topic of what devices get of it.
    package var topic: Topic {
        Topic(rawValue: app.rawValue + ".push-type.liveactivity")
    }
}
