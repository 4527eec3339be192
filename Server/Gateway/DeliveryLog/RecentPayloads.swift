internal import DequeModule
internal import GatewayStore
internal import Synchronization
internal import WaypostSchema

/// The payloads of the last notifications that this gateway accepted or refused, for people who want to see them.
///
/// The log has no payloads, and the store removes one when its notification leaves the inbox.
final class RecentPayloads: Sendable {
    private struct Key: Hashable {
        let namespace: Namespace
        let id: NotificationID
    }

    /// The last payloads of one kind.
    private struct PayloadCache {
        private var order: Deque<Key> = []
        private var payloads: [Key: [UInt8]] = [:]
        private var size = 0

        subscript(key: Key) -> [UInt8]? {
            payloads[key]
        }

        mutating func add(_ payload: [UInt8], _ key: Key) {
            if let previous = payloads.updateValue(payload, forKey: key) {
                size -= previous.count
            } else {
                order.append(key)
            }
            size += payload.count
        }

        mutating func limit(to capacity: Int, size maximumSize: Int) {
            while order.count > capacity || size > maximumSize, let oldest = order.popFirst() {
                size -= payloads.removeValue(forKey: oldest)?.count ?? 0
            }
        }
    }

    /// The maximum number of payloads of accepted notifications.
    static let capacity = 2_000

    /// The maximum size of these payloads in bytes.
    static let maximumSize = 8 << 20

    /// The maximum number of payloads of refused notifications, and their maximum total size; anybody may send such.
    private static let (refusedCapacity, refusedSize) = (200, 1 << 20)

    private let state = Mutex((accepted: PayloadCache(), refused: PayloadCache()))

    /// Adds the payloads of a batch.
    ///
    /// - Parameters:
    ///   - batch: the batch.
    ///   - refusals: for each notification of the batch, the reason for which the store refused it, or `nil`.
    func record(_ batch: NewBatch, _ refusals: [StoreRefusal?]) {
        let outcomes = zip(batch.notifications, refusals).suffix(Self.capacity)
        let refused =
            batch.rejections.suffix(Self.refusedCapacity).compactMap { item in
                item.subject.id.flatMap { id in item.payload.map { (id, $0) } }
            } + outcomes.lazy.filter { $0.1 != nil }.map { ($0.0.id, $0.0.payload) }
        state.withLock { state in
            for (notification, refusal) in outcomes where refusal == nil {
                state.accepted.add(notification.payload, Key(namespace: batch.namespace, id: notification.id))
            }
            for (id, payload) in refused { state.refused.add(payload, Key(namespace: batch.namespace, id: id)) }
            state.accepted.limit(to: Self.capacity, size: Self.maximumSize)
            state.refused.limit(to: Self.refusedCapacity, size: Self.refusedSize)
        }
    }

    /// Returns the payload of a notification, if it is one of the last; one that was accepted comes first.
    func payload(of id: NotificationID, in namespace: Namespace) -> [UInt8]? {
        let key = Key(namespace: namespace, id: id)
        return state.withLock { $0.accepted[key] ?? $0.refused[key] }
    }
}
