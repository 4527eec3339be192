internal import GatewayStore
internal import Logging

/// A store that is open, and how to close it.
struct OpenedGatewayStore {
    let store: any GatewayStore
    private let closing: () throws -> Void

    /// Opens what was chosen, and says in the log what a person should hear.
    ///
    /// - Throws: `StartFault.cannotOpenStore`.
    init(_ choice: StoreChoice, logger: Logger) throws(StartFault) {
        switch choice {
        case .memory:
            store = MemoryStore()
            closing = {}
        case .sqlite(let folder):
            do {
                let opened = try SQLiteStore.open(in: folder)
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
