internal import GatewayStore
internal import Logging

extension StoreChoice {
    /// Opens the store that was chosen, and logs what a person should hear about it.
    ///
    /// - Throws: `StartFault.cannotOpenStore`.
    func open(
        logRetention: Int,
        logger: Logger,
        onCommit: @escaping @Sendable (CommitReport) -> Void
    ) throws(StartFault) -> SQLiteStore {
        var tuning = SQLiteTuning()
        tuning.logRetention = logRetention
        do throws(StoreOpeningFault) {
            switch self {
            case .memory: return try SQLiteStore.inMemory(tuning: tuning, onCommit: onCommit)
            case .sqlite(let folder):
                let opened = try SQLiteStore.open(in: folder, tuning: tuning, onCommit: onCommit)
                if let lost = opened.report.lost { logger.error("\(lost)") }
                return opened.store
            }
        } catch {
            throw .cannotOpenStore("\(error)")
        }
    }
}
