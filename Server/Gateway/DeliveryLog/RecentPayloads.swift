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

    private struct State {
        var order: Deque<Key> = []
        var payloads: [Key: [UInt8]] = [:]
        var size = 0

        mutating func add(_ payload: [UInt8], _ key: Key) {
            if let older = payloads.updateValue(payload, forKey: key) {
                size -= older.count
            } else {
                order.append(key)
            }
            size += payload.count
        }
    }

    /// The maximum number of payloads.
    static let capacity = 2_000

    /// The maximum size of all payloads in bytes.
    static let maximumSize = 8 << 20

    private let state = Mutex(State())

    /// Adds the payloads of a batch.
    func note(_ batch: NewBatch) {
        let refused = batch.rejections.lazy.suffix(Self.capacity).compactMap { item in
            item.subject.id.flatMap { id in item.payload.map { (id, $0) } }
        }
        let others = batch.notifications.lazy.suffix(Self.capacity).map { ($0.id, $0.payload) }
        state.withLock { state in
            for (id, payload) in refused { state.add(payload, Key(namespace: batch.namespace, id: id)) }
            for (id, payload) in others { state.add(payload, Key(namespace: batch.namespace, id: id)) }
            while state.order.count > Self.capacity || state.size > Self.maximumSize,
                let oldest = state.order.popFirst()
            {
                state.size -= state.payloads.removeValue(forKey: oldest)?.count ?? 0
            }
        }
    }

    /// Returns the payload of a notification, if it is one of the last.
    func payload(of id: NotificationID, in namespace: Namespace) -> [UInt8]? {
        state.withLock { $0.payloads[Key(namespace: namespace, id: id)] }
    }
}
