internal import Foundation
internal import GatewayStore
internal import WaypostSchema

/// What a path of a provider listener asks of an app's broadcast channels.
struct ChannelRoute: Sendable, Equatable {
    /// What of them is meant.
    enum Place: Sendable, Equatable {
        /// One, or a new one: `/1/apps/APP/channels` ("Sending channel management requests to APNs"). That its name is in the path
        /// is not Apple's idea.
        case channel(ChannelID?)

        /// All: `/1/apps/APP/all-channels`.
        case all

        /// What is sent to one: `/4/broadcasts/apps/APP` ("Sending broadcast push notification requests to APNs").
        case broadcasts
    }

    /// What of them is meant.
    var place: Place

    /// The app.
    var app: Topic

    /// Whether there is something behind a question mark.
    var hasParameters: Bool

    /// Reads a path; `nil` where it is about something else.
    init?(path: String) {
        let pieces = path.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let words = pieces[0].split(separator: "/", omittingEmptySubsequences: false).dropFirst().map(String.init)
        switch (words.prefix(2), words.count) {
        case (["1", "apps"], 4) where words[3] == "channels": place = .channel(nil)
        case (["1", "apps"], 5...) where words[3] == "channels":
            // Who writes names into paths does not always escape them, and base64 has slashes.
            let name = words[4...].joined(separator: "/")
            place = .channel(ChannelID(rawValue: name.removingPercentEncoding ?? name))
        case (["1", "apps"], 4) where words[3] == "all-channels": place = .all
        case (["4", "broadcasts"], 4) where words[2] == "apps": place = .broadcasts
        default: return nil
        }
        app = Topic(rawValue: place == .broadcasts ? words[3] : words[2])
        hasParameters = pieces.count > 1
    }

    /// The methods that it takes.
    var methods: [String] {
        switch place {
        case .channel: ["POST", "GET", "DELETE"]
        case .all: ["GET"]
        case .broadcasts: ["POST"]
        }
    }
}

/// What a request wants done about broadcast channels, once nothing is wrong with it.
enum ChannelCommand: Sendable, Equatable {
    /// Make one.
    case create(BroadcastChannel.StoragePolicy)

    /// Say what one is like.
    case read(ChannelID)

    /// Forget one.
    case remove(ChannelID)

    /// List them.
    case list

    /// Send something to one.
    case send(ChannelID, BroadcastMessage)
}

/// Something that is sent to a channel.
struct BroadcastMessage: Sendable, Equatable {
    /// The identifier that its notifications get.
    var id: NotificationID

    /// 10, 5 or 1.
    var priority: Int

    /// When it is no longer worth delivering, in seconds since 1970; 0 is now or never, `nil` what the channel's policy says.
    var expiration: Int?

    /// The payload.
    var payload: [UInt8]

    /// What is unusual about it.
    var findings: [NotificationFinding]
}
