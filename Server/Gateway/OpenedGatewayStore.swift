internal import GatewayStore
internal import Logging

/// A store that is open, and how to close it.
struct OpenedGatewayStore {
    let store: any GatewayStore
    private let closing: () throws -> Void

    /// Opens what was chosen, and says in the log what a person should hear.
    ///
    /// - Throws: `StartFault.cannotOpenStore`.
    init(_ choice: StoreChoice, logRetention: Int, logger: Logger) throws(StartFault) {
        switch choice {
        case .memory:
            store = MemoryStore(logRetention: logRetention)
            closing = {}
        case .sqlite(let folder):
            do {
                var tuning = SQLiteTuning()
                tuning.logRetention = logRetention
                let opened = try SQLiteStore.open(in: folder, tuning: tuning)
                if let lost = opened.report.lost { logger.error("\(lost)") }
                store = opened.store
                closing = opened.store.close
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
