internal import WaypostSchema

/// The batches that were answered before they were stored, as a value: those that wait, and those that came to nothing.
struct PendingBatches: Sendable {
    /// What a batch is known by.
    struct Key: Hashable {
        var namespace: Namespace
        var id: BatchID
    }

    /// How far a batch has come.
    enum Phase: Sendable {
        /// It waits for being stored.
        case waiting

        /// It was refused whole.
        case refused(GatewayError)

        /// It was sent before, and is known by the identifier it got then.
        case known(BatchID)
    }

    /// The most batches that came to nothing and are remembered.
    private static let memory = 1_000

    private var phases: [Key: Phase] = [:]
    private var ended: [Key] = []

    /// How far a batch has come; `nil` where it is not one of these, or is stored.
    subscript(key: Key) -> Phase? {
        phases[key]
    }

    /// Lets a batch wait.
    mutating func add(_ key: Key) {
        phases[key] = .waiting
    }

    /// Notes that a batch is stored, or what else became of it.
    mutating func end(_ key: Key, as phase: Phase?) {
        phases[key] = phase
        guard phase != nil else { return }
        ended.append(key)
        if ended.count > Self.memory { phases[ended.removeFirst()] = nil }
    }

    /// Forgets a namespace's batches: those that wait are not taken in any more.
    mutating func forget(_ namespace: Namespace) {
        phases = phases.filter { $0.key.namespace != namespace }
        ended.removeAll { $0.namespace == namespace }
    }
}
