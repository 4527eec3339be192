internal import Foundation
internal import GatewayStore
internal import WaypostSchema

/// The resource that a path for an app's broadcast channels addresses.
struct ChannelRoute: Sendable, Equatable {
    /// The kind of resource.
    enum Resource: Sendable, Equatable {
        /// A channel, or a new one: `/1/apps/APP/channels` ("Sending channel management requests to APNs").
        ///
        /// An ID in the path is not part of Apple's API.
        case channel(ChannelID?)

        /// All channels: `/1/apps/APP/all-channels`.
        case all

        /// The messages to a channel: `/4/broadcasts/apps/APP` ("Sending broadcast push notification requests to
        /// APNs").
        case broadcasts
    }

    /// The kind of resource.
    var resource: Resource

    /// The app.
    var app: Topic

    /// Whether the path has a query.
    var hasQuery: Bool

    /// Parses a path; `nil` if it is not one of these.
    init?(path: String) {
        let parts = path.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let components = parts[0].split(separator: "/", omittingEmptySubsequences: false).dropFirst().map(String.init)
        switch (components.prefix(2), components.count) {
        case (["1", "apps"], 4) where components[3] == "channels": resource = .channel(nil)
        case (["1", "apps"], 5...) where components[3] == "channels":
            // Some clients do not escape the ID in a path, and base64 contains slashes.
            let id = components[4...].joined(separator: "/")
            resource = .channel(ChannelID(rawValue: id.removingPercentEncoding ?? id))
        case (["1", "apps"], 4) where components[3] == "all-channels": resource = .all
        case (["4", "broadcasts"], 4) where components[2] == "apps": resource = .broadcasts
        default: return nil
        }
        app = Topic(rawValue: resource == .broadcasts ? components[3] : components[2])
        hasQuery = parts.count > 1
    }

    /// The methods that the resource accepts.
    var methods: [String] {
        switch resource {
        case .channel: ["POST", "GET", "DELETE"]
        case .all: ["GET"]
        case .broadcasts: ["POST"]
        }
    }
}

/// The action of a valid request about broadcast channels.
enum ChannelCommand: Sendable, Equatable {
    /// Creates a channel.
    case create(BroadcastChannel.StoragePolicy)

    /// Returns a channel's configuration.
    case read(ChannelID)

    /// Deletes a channel.
    case remove(ChannelID)

    /// Lists an app's channels.
    case list

    /// Sends a message to a channel.
    case send(ChannelID, BroadcastMessage)

    /// Whether the request changes and sends nothing.
    var onlyReads: Bool {
        switch self {
        case .read, .list: true
        case .create, .remove, .send: false
        }
    }
}

/// A message to a channel.
struct BroadcastMessage: Sendable, Equatable {
    /// The identifier of the notifications that the message becomes.
    var id: NotificationID

    /// The priority: 10, 5 or 1.
    var priority: Int

    /// The expiration in seconds since 1970; 0 is deliver now or drop, and `nil` leaves it to the channel's policy.
    var expiration: Int?

    /// The payload.
    var payload: [UInt8]

    /// The unusual things about the message.
    var findings: [NotificationFinding]

    /// The place in the sender's trace.
    var traceparent: TraceParent?
}
