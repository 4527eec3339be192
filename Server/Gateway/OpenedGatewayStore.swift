internal import GatewayStore
internal import Logging

/// A store that is open, what is to be asked of it beside what every store does, and how to close it.
struct OpenedGatewayStore: Sendable {
    let store: any GatewayStore

    /// Returns how many items wait to be written.
    let waitingItems: @Sendable () -> Int

    /// Writes something, to see whether that goes.
    let probe: @Sendable () async throws(StoreFault) -> Void
    private let closing: @Sendable () throws -> Void

    /// Opens what was chosen, and says in the log what a person should hear.
    ///
    /// - Throws: `StartFault.cannotOpenStore`.
    init(
        _ choice: StoreChoice,
        logRetention: Int,
        logger: Logger,
        onCommit: @escaping @Sendable (CommitReport) -> Void
    ) throws(StartFault) {
        switch choice {
        case .memory:
            store = MemoryStore(logRetention: logRetention)
            waitingItems = { 0 }
            probe = {}
            closing = {}
        case .sqlite(let folder):
            do {
                var tuning = SQLiteTuning()
                tuning.logRetention = logRetention
                let opened = try SQLiteStore.open(in: folder, tuning: tuning, onCommit: onCommit)
                if let lost = opened.report.lost { logger.error("\(lost)") }
                let store = opened.store
                self.store = store
                waitingItems = { store.waitingItems }
                probe = { () async throws(StoreFault) in try await store.probe() }
                closing = { try store.close() }
            } catch {
                throw .cannotOpenStore("\(error)")
            }
        }
    }

    /// Closes the store.
    func close() throws {
        try closing()
    }
}
