import Synchronization
package import WaypostSchema

/// The store that lives as long as the gateway's process: `--store memory`.
///
/// It promises nothing across a restart, and its receipts say so (`durability: memory`).
package final class MemoryStore: Sendable {
    private let records = Mutex(GatewayRecords())

    /// What a notification that this store accepted survives.
    package let durability = Durability.memory

    /// Creates an empty store.
    package init() {}

    /// Runs `body` on the records, alone.
    package func withRecords<Value: Sendable>(_ body: (inout GatewayRecords) -> sending Value) -> sending Value {
        records.withLock(body)
    }
}
