internal import Foundation
internal import GatewayStore
internal import PushRules
internal import ServiceLifecycle
internal import Synchronization
internal import WaypostSchema

/// Broadcast channels: their stored messages and their subscribers.
///
/// Changes run one after another (`add`, `performInOrder`). A device that subscribes while a message is sent gets that
/// message, possibly after the one before it, but never an older message last.
final class ChannelService: Service {
    private typealias Job = @Sendable () async -> Void

    /// The maximum number of waiting jobs.
    private static let capacity = 10_000

    /// The maximum number of channels of an app in an environment ("Sending channel management requests to APNs").
    static let maximumChannelsPerApp = 10_000

    let devices: DeviceRegistry
    private let jobs: AsyncStream<Job>
    private let queue: AsyncStream<Job>.Continuation

    /// The jobs that only read; they do not wait for others.
    private let readJobs: AsyncStream<Job>
    private let readQueue: AsyncStream<Job>.Continuation
    private let waitingCount = Mutex(0)

    init(_ devices: DeviceRegistry) {
        self.devices = devices
        (jobs, queue) = AsyncStream.makeStream()
        (readJobs, readQueue) = AsyncStream.makeStream()
    }

    private var store: StoreAccess {
        devices.delivery.store
    }

    // MARK: The job queue

    /// Queues a job; a job that only reads runs at once, beside the others.
    ///
    /// - Throws: `GatewayError.shuttingDown` or `overloaded`; the job does not run then.
    func add(onlyReads: Bool = false, _ job: @escaping @Sendable () async -> Void) throws(GatewayError) {
        let isFull = waitingCount.withLock { waitingCount in
            guard waitingCount < Self.capacity else { return true }
            waitingCount += 1
            return false
        }
        guard !isFull else { throw .overloaded }
        if case .terminated = (onlyReads ? readQueue : queue).yield(job) { throw .shuttingDown }
    }

    /// Runs a job after those that were queued before, and returns its result.
    func performInOrder<Value: Sendable>(
        _ job: @escaping @Sendable () async throws(GatewayError) -> Value
    ) async throws(GatewayError) -> Value {
        let result: Result<Value, GatewayError> = await withCheckedContinuation { continuation in
            do throws(GatewayError) {
                try add { continuation.resume(returning: await Self.outcome(of: job)) }
            } catch {
                continuation.resume(returning: .failure(error))
            }
        }
        return try result.get()
    }

    /// Runs jobs until a graceful shutdown, and then the jobs that are still queued.
    func run() async throws {
        await withGracefulShutdownHandler {
            await withDiscardingTaskGroup { group in
                group.addTask {
                    for await job in self.jobs { await self.run(job) }
                }
                for await job in self.readJobs { group.addTask { await self.run(job) } }
            }
        } onGracefulShutdown: {
            self.queue.finish()
            self.readQueue.finish()
        }
    }

    private func run(_ job: Job) async {
        await job()
        waitingCount.withLock { $0 -= 1 }
    }

    private static func outcome<Value: Sendable>(
        of job: () async throws(GatewayError) -> Value
    ) async -> Result<Value, GatewayError> {
        do throws(GatewayError) {
            return .success(try await job())
        } catch {
            return .failure(error)
        }
    }
}

// MARK: Channels and messages

extension ChannelService {
    /// The maximum time in seconds for which a message is stored: 8 hours ("Sending channel management requests to
    /// APNs").
    private static let maximumStorageTime = 8 * 60 * 60

    /// Returns the channel with an ID, regardless of its namespace; `nil` if there is none.
    func channel(_ id: ChannelID) async throws(GatewayError) -> ChannelRecord? {
        try await store.call { try await $0.channels([id]) }[id]
    }

    /// Returns the sorted IDs of an app's channels that a client of an environment may see.
    ///
    /// If the environment of the client is unknown, it sees the channels of every environment. A channel of an unknown
    /// environment is visible to every client.
    func channelIDs(
        of app: Topic,
        in environment: PushEnvironment?,
        namespace: Namespace
    ) async throws(GatewayError) -> [ChannelID] {
        let channels = try await store.call { try await $0.channels(of: app, in: namespace) }
        return channels.filter { environment == nil || $0.environment == nil || $0.environment == environment }
            .map(\.id)
    }

    /// Creates a channel with an ID that nobody can guess.
    ///
    /// - Throws: `ProviderRefusal` if its app has too many.
    func createChannel(
        of app: Topic,
        environment: PushEnvironment?,
        policy: BroadcastChannel.StoragePolicy,
        in namespace: Namespace
    ) async throws(ProviderRefusal) -> BroadcastChannel {
        let id = Data(devices.sources.randomBytes(16)).base64EncodedString()
        let channel = BroadcastChannel(
            id: ChannelID(rawValue: id),
            app: app,
            environment: environment,
            policy: policy
        )
        let isAdded: Bool
        do throws(GatewayError) {
            isAdded = try await store.call(creating: namespace) { store, _ in
                try await store.addChannel(channel, in: namespace, limit: Self.maximumChannelsPerApp)
            }
        } catch {
            throw ProviderRefusal(error)
        }
        guard isAdded else {
            throw ProviderRefusal(
                .cannotCreateChannelConfig,
                "the app has \(Self.maximumChannelsPerApp) channels, the maximum; delete one first"
            )
        }
        return channel
    }

    /// Deletes a channel; messages that were sent to it before may still arrive.
    func removeChannel(_ storedChannel: ChannelRecord) async throws(ProviderRefusal) {
        do throws(GatewayError) {
            _ = try await store.call {
                try await $0.removeChannel(storedChannel.channel.id, in: storedChannel.namespace)
            }
        } catch {
            throw ProviderRefusal(error)
        }
    }

    /// Sends a message to every device that is subscribed to a channel.
    ///
    /// - Returns: the number of devices, and the `apns-unique-id` of the first notification, if there is one.
    /// - Throws: `ProviderRefusal` if the channel does not accept the message.
    func broadcast(
        _ message: BroadcastMessage,
        to storedChannel: ChannelRecord
    ) async throws(ProviderRefusal) -> (devices: Int, uniqueID: String?) {
        let channel = storedChannel.channel
        guard channel.policy == .newest || message.expiration ?? 0 == 0 else {
            throw ProviderRefusal(
                .badExpirationDate,
                "the channel stores no messages (message-storage-policy 0), so the apns-expiration must be 0"
            )
        }
        do throws(GatewayError) {
            let now = try await store.now(in: storedChannel.namespace)
            let maximum = channel.policy == .newest ? now.seconds + Self.maximumStorageTime : 0
            let storedMessage = BroadcastChannel.Message(
                id: message.id,
                priority: message.priority,
                expiration: min(message.expiration ?? maximum, maximum),
                payload: message.payload,
                traceparent: message.traceparent
            )
            // The message is stored before it is sent: if sending fails, later subscribers still get it. A message that
            // no later subscriber can get does not replace the stored one.
            let messageToStore = storedMessage.expiration > now.seconds ? storedMessage : nil
            let tokens = try await store.call {
                try await $0.storeMessage(messageToStore, of: channel, in: storedChannel.namespace)
            }
            let notifications = tokens.map { storedMessage.notification(of: channel, to: $0, message.findings) }
            return (tokens.count, try await send(notifications, in: storedChannel.namespace))
        } catch {
            throw ProviderRefusal(error)
        }
    }

    /// Subscribes a device to exactly these channels, and sends it the stored messages of the new ones.
    ///
    /// - Throws: `GatewayError` if the device or a channel does not exist, neither the device nor an app on it is
    ///   registered for its topic, or the token is that of an app and `ids` is not empty.
    func subscribe(
        _ token: DeviceToken,
        to ids: [ChannelID],
        in namespace: Namespace
    ) async throws(GatewayError) -> DeviceChannels {
        let device = try await devices.device(token, in: namespace)
        if let purpose = device.purpose, !ids.isEmpty {
            throw .cannotSubscribe("this is \(purpose.title); a device is subscribed by its own token")
        }
        let appTopics = try await store.call { try await $0.appTopics(ofDeviceWith: token, in: namespace) }
        let topics = appTopics.union(device.topics)
        let channels = try await store.call { try await $0.channels(Set(ids)) }
        var requestedChannels: [ChannelID: BroadcastChannel] = [:]
        for id in ids {
            guard let record = channels[id], record.namespace == namespace else {
                throw .unknownChannel(id)
            }
            guard topics.contains(record.channel.topic) else {
                throw .cannotSubscribe(
                    "neither the device nor a token of an app on it is registered for '\(record.channel.topic)', the "
                        + "topic of channel '\(id)'"
                )
            }
            requestedChannels[id] = record.channel
        }
        guard device.standing == .active else {
            throw .cannotSubscribe("the device is no longer active")
        }
        // The messages are sent first: after a failure and a retry, the device gets them twice rather than never.
        let previousIDs = try await store.call { try await $0.subscriptions(of: token, in: namespace) }
        let newChannels = requestedChannels.values.filter { !previousIDs.contains($0.id) }
        try await sendMessages(of: newChannels, to: token, in: namespace)
        let channelIDs = Set(requestedChannels.keys)
        let addedChannels = try await store.call { try await $0.subscribe(token, to: channelIDs, in: namespace) } ?? []
        // Another gateway may have sent messages in the meantime, to the devices that were subscribed then.
        let changedChannels = addedChannels.filter { $0.message != requestedChannels[$0.id]?.message }
        try await sendMessages(of: changedChannels, to: token, in: namespace)
        return DeviceChannels(channels: channelIDs.sorted { $0.rawValue < $1.rawValue })
    }

    /// Sends a device the stored messages of channels.
    private func sendMessages(
        of channels: [BroadcastChannel],
        to token: DeviceToken,
        in namespace: Namespace
    ) async throws(GatewayError) {
        let now = try await store.now(in: namespace)
        let notifications = channels.sorted { $0.id.rawValue < $1.id.rawValue }.compactMap { channel in
            channel.message.flatMap { $0.expiration > now.seconds ? $0.notification(of: channel, to: token) : nil }
        }
        _ = try await send(notifications, in: namespace)
    }

    /// Returns the IDs of the channels that a device is subscribed to, sorted.
    func channels(of token: DeviceToken, in namespace: Namespace) async throws(GatewayError) -> DeviceChannels {
        _ = try await devices.device(token, in: namespace)
        let ids = try await store.call { try await $0.subscriptions(of: token, in: namespace) }
        return DeviceChannels(channels: ids.sorted { $0.rawValue < $1.rawValue })
    }

    /// Stores notifications as a batch of their own; returns the `apns-unique-id` of the first, if there is one.
    private func send(
        _ notifications: [NewNotification],
        in namespace: Namespace
    ) async throws(GatewayError) -> String? {
        guard !notifications.isEmpty else { return nil }
        let batch = NewBatch(
            id: BatchID(rawValue: devices.sources.makeUUID()),
            namespace: namespace,
            notifications: notifications
        )
        guard case .appended(let appended) = try await devices.delivery.append(batch) else { throw .internalError }
        return UniqueID.string(of: appended, at: 0, sources: devices.sources)
    }
}

extension BroadcastChannel.Message {
    /// Returns the notification for one device; at most one notification of a channel is in its inbox.
    fileprivate func notification(
        of channel: BroadcastChannel,
        to token: DeviceToken,
        _ findings: [NotificationFinding] = []
    ) -> NewNotification {
        NewNotification(
            id: id,
            token: token,
            topic: channel.topic,
            pushType: "liveactivity",
            priority: priority,
            expiration: expiration,
            collapseID: CollapseIdentifier(rawValue: channel.id.rawValue),
            payload: payload,
            findings: findings,
            traceparent: traceparent,
            isBroadcast: true
        )
    }
}
