internal import Delivery
internal import GatewayStore
internal import ServiceLifecycle
internal import Synchronization
internal import WaypostSchema

/// Takes in what providers send one by one, many at a time: what comes while a batch is being stored is the next batch.
///
/// An item is durable before it is answered, and takes the way of every other item.
final class ProviderBatcher: Service {
    /// What became of an item, and the name that it got besides its own.
    typealias Answer = @Sendable (Result<String, ProviderRefusal>) -> Void

    /// Something to take in.
    enum Item: Sendable {
        /// A notification, whose sender waits for the answer.
        case notification(NewNotification, Answer)

        /// What was refused, for the log alone: that of its namespace, or of its device's where none is known.
        case refused(RejectedItem, in: Namespace?)
    }

    /// The most items of a batch.
    private static let batch = 1_000

    /// The most refusals that wait for the log: they cost their senders nothing, so that more are left out of it.
    private static let refusals = 1_000

    private struct State {
        var waiting: [Item] = []
        var refusals = 0
        var isClosed = false
    }

    private let devices: DeviceRegistry
    private let capacity: Int
    private let state = Mutex(State())
    private let rates: Mutex<DeviceRates?>
    private let signals: AsyncStream<Void>
    private let signal: AsyncStream<Void>.Continuation

    /// Creates an intake in which at most `capacity` items wait, of which each device takes `rate` a second.
    init(_ devices: DeviceRegistry, rate: Int? = nil, capacity: Int = 100_000) {
        self.devices = devices
        rates = Mutex(rate.map(DeviceRates.init))
        self.capacity = capacity
        (signals, signal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Takes an item in; where there is no room, its sender is told at once.
    func add(_ item: Item) {
        let refusal: ProviderRefusal? = state.withLock { state in
            guard !state.isClosed else { return ProviderRefusal(.shutdown, "the gateway shuts down") }
            guard state.waiting.count < capacity else {
                return ProviderRefusal(
                    .serviceUnavailable,
                    "more is waiting to be stored than the gateway keeps in mind"
                )
            }
            if item.isRefusal {
                guard state.refusals < Self.refusals else { return nil }
                state.refusals += 1
            }
            state.waiting.append(item)
            return nil
        }
        guard let refusal else {
            signal.yield()
            return
        }
        if case .notification(_, let answer) = item { answer(.failure(refusal)) }
    }

    /// Stores what comes until a graceful shutdown, and then what has come.
    func run() async throws {
        await withGracefulShutdownHandler {
            for await _ in signals { await storeWhatWaits() }
        } onGracefulShutdown: {
            self.signal.finish()
        }
        state.withLock { $0.isClosed = true }
        await storeWhatWaits()
    }

    private func storeWhatWaits() async {
        while true {
            let items = state.withLock { state in
                let items = Array(state.waiting.prefix(Self.batch))
                state.waiting.removeFirst(items.count)
                state.refusals -= items.count(where: \.isRefusal)
                return items
            }
            guard !items.isEmpty else { return }
            await store(items)
        }
    }

    private func store(_ items: [Item]) async {
        do throws(GatewayError) {
            let tokens = Set(items.compactMap(\.token))
            let namespaces = try await devices.delivery.store.call { try await $0.namespaces(of: tokens) }
            for (namespace, items) in Dictionary(
                grouping: items,
                by: { $0.namespace ?? $0.token.flatMap { namespaces[$0] } ?? .standard }
            ) {
                await store(items, in: namespace)
            }
        } catch {
            refuse(items, error)
        }
    }

    private func store(_ items: [Item], in namespace: Namespace) async {
        let items = await limit(items, in: namespace)
        let notifications = items.compactMap(\.notification)
        let batch = NewBatch(
            id: BatchID(rawValue: devices.sources.makeUUID()),
            namespace: namespace,
            notifications: notifications.map(\.0),
            rejections: items.compactMap(\.rejected)
        )
        do throws(GatewayError) {
            guard case .appended(let appended) = try await devices.delivery.append(batch) else { throw .internalError }
            for (index, (refusal, (_, answer))) in zip(appended.refusals, notifications).enumerated() {
                if let refusal {
                    answer(.failure(ProviderRefusal(refusal)))
                } else {
                    answer(.success(UniqueID.text(of: appended, at: index, devices.sources)))
                }
            }
        } catch {
            refuse(items, error)
        }
    }

    /// Refuses what comes above the rate of its device; what is refused anyway does not count.
    private func limit(_ items: [Item], in namespace: Namespace) async -> [Item] {
        guard rates.withLock({ $0 != nil }), let now = try? await devices.delivery.store.now(in: namespace) else {
            return items
        }
        let tokens = Set(items.compactMap { $0.notification?.0.token })
        let topics = await devices.activeTopics(of: tokens, in: namespace)
        return items.map { item in
            guard let (notification, answer) = item.notification,
                topics[notification.token]?.contains(notification.topic) == true,
                rates.withLock({ $0?.admit(notification.token, in: namespace, at: now) }) == false
            else { return item }
            let refusal = ProviderRefusal(.tooManyRequests, "the device takes no more for now (--device-rate)")
            answer(.failure(refusal))
            let rejected = RejectedItem(subject: LogSubject(notification), rejection: refusal.rejection)
            return .refused(rejected, in: namespace)
        }
    }

    private func refuse(_ items: [Item], _ error: GatewayError) {
        let refusal = ProviderRefusal(error)
        for case .notification(_, let answer) in items { answer(.failure(refusal)) }
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

    fileprivate var notification: (NewNotification, ProviderBatcher.Answer)? {
        guard case .notification(let notification, let answer) = self else { return nil }
        return (notification, answer)
    }

    fileprivate var rejected: RejectedItem? {
        guard case .refused(let item, _) = self else { return nil }
        return item
    }
}

/// How often each device was sent to of late, so that what comes above a rate can be refused.
///
/// It keeps one moment for each device that was sent to within the last second: the one at which everything that was sent to
/// it would have been sent at the rate ("generic cell rate algorithm", ITU-T I.371).
struct DeviceRates: Sendable {
    /// How many notifications a second a device gets, and at once.
    let rate: Int

    /// Devices are looked through for those that are at rest when there are so many, and again when there are twice as many.
    private var capacity = 10_000

    private static let microseconds = 1_000_000

    private struct Device: Hashable {
        var token: DeviceToken
        var namespace: Namespace
    }

    /// The moments, in microseconds of the namespace's clock.
    private var due: [Device: Int] = [:]

    /// Creates the state in which nothing was sent.
    init(rate: Int) {
        self.rate = max(1, min(rate, Self.microseconds))
    }

    /// How many devices it has in mind.
    var known: Int {
        due.count
    }

    /// Counts a notification for a device; whether it is within the rate, and not counted where it is not.
    mutating func admit(_ token: DeviceToken, in namespace: Namespace = .standard, at moment: Timestamp) -> Bool {
        let now = max(0, min(moment.rawValue, Int.max / 2_000)) * 1_000
        let interval = Self.microseconds / rate
        // A clock that was moved back finds moments that are too far away to be true.
        let device = Device(token: token, namespace: namespace)
        let last = due[device].flatMap { $0 - now > Self.microseconds ? nil : $0 } ?? now
        let start = max(last, now)
        guard start - now <= interval * (rate - 1) else { return false }
        if due.count >= capacity {
            due = due.filter { $0.key.namespace != namespace || $0.value > now }
            capacity = max(capacity, 2 * due.count)
        }
        due[device] = start + interval
        return true
    }
}
