package import WaypostSchema

/// The progress of a batch that was answered before it was stored.
package enum PendingBatch: Sendable, Equatable {
    /// The batch waits to be stored.
    case waiting

    /// The batch was refused as a whole; the error that a waiting sender would have got.
    case refused(APIErrorBody)

    /// The batch was sent before, with this identifier.
    case duplicate(BatchID)
}

/// The batches that were answered before they were stored: those that wait, and those that were not stored.
///
/// They are lost when the process ends, as the batches that wait are.
package struct PendingBatches: Sendable {
    /// The maximum number of outcomes that are kept.
    private static let maximumOutcomes = 1_000

    private struct Key: Hashable {
        var namespace: Namespace
        var id: BatchID
    }

    private var batches: [Key: PendingBatch] = [:]
    private var endedKeys: [Key] = []

    /// Creates the value without batches.
    package init() {}

    /// Returns the progress of a batch; `nil` if it is unknown or stored.
    package func batch(_ id: BatchID, in namespace: Namespace) -> PendingBatch? {
        batches[Key(namespace: namespace, id: id)]
    }

    /// Adds a batch that waits to be stored.
    package mutating func add(_ id: BatchID, in namespace: Namespace) {
        batches[Key(namespace: namespace, id: id)] = .waiting
    }

    /// Records that a batch is stored (`nil`), or the outcome that kept it from being stored.
    ///
    /// A batch that no longer waits, because its namespace was reset, stays unknown.
    package mutating func end(_ id: BatchID, in namespace: Namespace, as outcome: PendingBatch?) {
        let key = Key(namespace: namespace, id: id)
        guard batches[key] != nil else { return }
        batches[key] = outcome
        guard outcome != nil else { return }
        endedKeys.append(key)
        if endedKeys.count > Self.maximumOutcomes { batches[endedKeys.removeFirst()] = nil }
    }

    /// Removes a namespace's batches; those that wait will not be stored.
    package mutating func removeAll(in namespace: Namespace) {
        batches = batches.filter { $0.key.namespace != namespace }
        endedKeys.removeAll { $0.namespace == namespace }
    }
}
