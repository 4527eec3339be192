internal import GatewayStore
internal import Synchronization
internal import WaypostSchema

/// The existing broadcast channels, by ID, as the store has them.
final class ChannelRegistry: Sendable {
    /// A channel and its namespace.
    struct Known: Sendable {
        var channel: BroadcastChannel
        var namespace: Namespace
    }

    /// The maximum number of channels of an app in an environment ("Sending channel management requests to APNs").
    static let mostOfApp = 10_000

    private struct AppKey: Hashable {
        var namespace: Namespace
        var app: Topic
        var environment: PushEnvironment?
    }

    private struct State {
        var channels: [ChannelID: Known] = [:]
        var names: [AppKey: Set<ChannelID>] = [:]
    }

    private let state = Mutex(State())

    /// Returns the channel with an ID, regardless of its namespace.
    subscript(id: ChannelID) -> Known? {
        state.withLock { $0.channels[id] }
    }

    /// Returns the sorted IDs of an app's channels that a client of an environment may see.
    ///
    /// If the environment of the client is unknown, it sees the channels of every environment. A channel of an unknown
    /// environment is visible to every client.
    func names(of app: Topic, in environment: PushEnvironment?, _ namespace: Namespace) -> [ChannelID] {
        let environments = environment.map { [$0, nil] } ?? [.sandbox, .production, nil]
        return state.withLock { state in
            environments.flatMap { environment in
                state.names[AppKey(namespace: namespace, app: app, environment: environment)] ?? []
            }
        }.sorted { $0.rawValue < $1.rawValue }
    }

    /// Whether an app may have another channel.
    func hasRoom(for channel: BroadcastChannel, in namespace: Namespace) -> Bool {
        let key = AppKey(namespace: namespace, app: channel.app, environment: channel.environment)
        return state.withLock { $0.names[key]?.count ?? 0 } < Self.mostOfApp
    }

    /// Adds a channel, or replaces the one that has its ID.
    func set(_ channel: BroadcastChannel, in namespace: Namespace) {
        let key = AppKey(namespace: namespace, app: channel.app, environment: channel.environment)
        state.withLock { state in
            state.channels[channel.id] = Known(channel: channel, namespace: namespace)
            state.names[key, default: []].insert(channel.id)
        }
    }

    /// Removes a channel.
    func remove(_ id: ChannelID) {
        state.withLock { state in
            guard let known = state.channels.removeValue(forKey: id) else { return }
            let (channel, namespace) = (known.channel, known.namespace)
            let key = AppKey(namespace: namespace, app: channel.app, environment: channel.environment)
            state.names[key]?.remove(id)
            if state.names[key]?.isEmpty == true { state.names[key] = nil }
        }
    }

    /// Removes the channels of a namespace.
    func removeAll(in namespace: Namespace) {
        let names = state.withLock { $0.channels.filter { $1.namespace == namespace }.keys }
        for id in names { remove(id) }
    }
}
