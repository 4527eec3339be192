internal import DequeModule
internal import GatewayStore
internal import Synchronization
internal import WaypostSchema

/// The payloads of the last notifications that this gateway accepted, for people who want to see them.
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
    }

    /// The maximum number of payloads.
    static let capacity = 2_000

    /// The maximum size of all payloads in bytes.
    static let maximumSize = 8 << 20

    private let state = Mutex(State())

    /// Adds the payloads of a batch's accepted notifications.
    ///
    /// - Parameters:
    ///   - batch: the batch.
    ///   - refusals: for each notification of the batch, the reason for its refusal, or `nil`.
    func note(_ batch: NewBatch, _ refusals: [StoreRefusal?]) {
        let accepted = zip(batch.notifications, refusals).suffix(Self.capacity).filter { $0.1 == nil }
        guard !accepted.isEmpty else { return }
        state.withLock { state in
            for (notification, _) in accepted {
                let key = Key(namespace: batch.namespace, id: notification.id)
                if let older = state.payloads.updateValue(notification.payload, forKey: key) {
                    state.size -= older.count
                } else {
                    state.order.append(key)
                }
                state.size += notification.payload.count
            }
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
