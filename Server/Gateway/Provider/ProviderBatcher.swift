internal import GatewayStore
internal import PushRules
internal import ServiceLifecycle
internal import Synchronization
internal import WaypostSchema

/// Groups single provider requests into batches: the items that arrive while a batch is stored form the next batch.
///
/// An item is durable before its sender gets the response, and is processed like an item of any other batch.
final class ProviderBatcher: Service {
    /// A function that receives the outcome for an item, and the namespace of its device.
    ///
    /// The namespace is the standard one if the device is unknown or was not looked up.
    typealias Completion = @Sendable (ProviderResponse.Outcome, Namespace) -> Void

    /// An item of a batch.
    enum Item: Sendable {
        /// A notification whose sender waits for the response.
        case notification(NewNotification, Completion)

        /// A refusal for the delivery log only, with its namespace; if that is `nil`, it is the namespace of its
        /// device.
        case refused(RejectedItem, in: Namespace?)
    }

    /// The maximum number of items of a batch.
    private static let maximumBatchSize = 1_000

    /// The maximum number of refusals that wait for the log; further ones are not logged, as they cost their senders
    /// nothing.
    private static let maximumRefusals = 1_000

    private struct State {
        var items: [Item] = []
        var refusalCount = 0
        var isClosed = false
    }

    private let devices: DeviceRegistry
    private let capacity: Int
    private let state = Mutex(State())
    private let rates: Mutex<DeviceRates?>
    private let signals: AsyncStream<Void>
    private let signal: AsyncStream<Void>.Continuation

    /// Creates a batcher that holds at most `capacity` items and accepts `rate` notifications per second for a device.
    init(_ devices: DeviceRegistry, rate: Int? = nil, capacity: Int = 100_000) {
        self.devices = devices
        rates = Mutex(rate.map(DeviceRates.init))
        self.capacity = capacity
        (signals, signal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Adds an item; if there is no room, it is refused at once.
    func add(_ item: Item) {
        let refusal: ProviderRefusal? = state.withLock { state in
            guard !state.isClosed else { return ProviderRefusal(.shutdown, "the gateway is shutting down") }
            guard state.items.count < capacity else {
                return ProviderRefusal(
                    .serviceUnavailable,
                    "the gateway is overloaded: too many notifications wait to be stored"
                )
            }
            if item.isRefusal {
                guard state.refusalCount < Self.maximumRefusals else { return nil }
                state.refusalCount += 1
            }
            state.items.append(item)
            return nil
        }
        guard let refusal else {
            signal.yield()
            return
        }
        if case .notification(_, let completion) = item { completion(.refused(refusal), .standard) }
    }

    /// Stores items until a graceful shutdown, and then the items that still wait.
    func run() async throws {
        await withGracefulShutdownHandler {
            for await _ in signals { await storeWaitingItems() }
        } onGracefulShutdown: {
            self.signal.finish()
        }
        state.withLock { $0.isClosed = true }
        await storeWaitingItems()
    }

    private func storeWaitingItems() async {
        while true {
            let items = state.withLock { state in
                let items = Array(state.items.prefix(Self.maximumBatchSize))
                state.items.removeFirst(items.count)
                state.refusalCount -= items.count(where: \.isRefusal)
                return items
            }
            guard !items.isEmpty else { return }
            await store(items)
        }
    }

    private func store(_ items: [Item]) async {
        do throws(GatewayError) {
            let tokens = Set(items.compactMap(\.token))
            let isLimited = rates.withLock { $0 != nil }
            let registrations = try await devices.delivery.store.call {
                try await $0.registrations(of: tokens, withTopics: isLimited)
            }
            for (namespace, items) in Dictionary(
                grouping: items,
                by: { $0.namespace ?? $0.token.flatMap { registrations[$0]?.namespace } ?? .standard }
            ) {
                let items = isLimited ? await refuseExcess(of: items, in: namespace, registrations) : items
                await store(items, in: namespace)
            }
        } catch {
            refuse(items, error, in: .standard)
        }
    }

    private func store(_ items: [Item], in namespace: Namespace) async {
        let notifications = items.compactMap(\.notification)
        let batch = NewBatch(
            id: BatchID(rawValue: devices.sources.makeUUID()),
            namespace: namespace,
            notifications: notifications.map(\.0),
            rejections: items.compactMap(\.rejectedItem)
        )
        do throws(GatewayError) {
            guard case .appended(let appended) = try await devices.delivery.append(batch) else { throw .internalError }
            for (index, (refusal, (notification, completion))) in zip(appended.refusals, notifications).enumerated() {
                if let refusal {
                    completion(.refused(ProviderRefusal(refusal, of: notification)), namespace)
                } else {
                    let uniqueID = UniqueID.string(of: appended, at: index, sources: devices.sources)
                    completion(.accepted(uniqueID: uniqueID), namespace)
                }
            }
        } catch {
            refuse(items, error, in: namespace)
        }
    }

    /// Refuses notifications above the rate of their device; those that the store would refuse do not count.
    private func refuseExcess(
        of items: [Item],
        in namespace: Namespace,
        _ registrations: [DeviceToken: TokenRegistration]
    ) async -> [Item] {
        guard let now = try? await devices.delivery.store.now(in: namespace) else { return items }
        return items.map { item in
            guard let (notification, completion) = item.notification,
                registrations[notification.token]?.activeTopics.contains(notification.topic) == true,
                rates.withLock({ $0?.admit(notification.token, in: namespace, at: now) }) == false
            else { return item }
            let refusal = ProviderRefusal(.tooManyRequests, "the device's rate is exceeded (--device-rate)")
            completion(.refused(refusal), namespace)
            let rejectedItem = RejectedItem(
                subject: LogSubject(notification),
                rejection: refusal.rejection,
                payload: notification.payload
            )
            return .refused(rejectedItem, in: namespace)
        }
    }

    private func refuse(_ items: [Item], _ error: GatewayError, in namespace: Namespace) {
        let refusal = ProviderRefusal(error)
        for case .notification(_, let completion) in items { completion(.refused(refusal), namespace) }
    }
}

extension ProviderBatcher.Item {
    fileprivate var isRefusal: Bool {
        if case .refused = self { true } else { false }
    }

    fileprivate var token: DeviceToken? {
        switch self {
        case .notification(let notification, _): notification.token
        case .refused(let item, _): item.subject.token
        }
    }

    fileprivate var namespace: Namespace? {
        if case .refused(_, let namespace) = self { namespace } else { nil }
    }

    fileprivate var notification: (NewNotification, ProviderBatcher.Completion)? {
        guard case .notification(let notification, let completion) = self else { return nil }
        return (notification, completion)
    }

    fileprivate var rejectedItem: RejectedItem? {
        guard case .refused(let item, _) = self else { return nil }
        return item
    }
}
