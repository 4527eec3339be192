import GatewayStore
import WaypostTestSupport

/// A kind of store that must pass every test of the conformance suite.
enum StoreEngine: String, CaseIterable, Sendable {
    case memory
    case sqlite

    /// Runs `body` on an empty store, and closes the store afterwards.
    func run<Value>(
        logRetention: Int = SQLiteTuning.standardLogRetention,
        _ body: (any GatewayStore) async throws -> Value
    ) async throws -> Value {
        let session = try StoreSession(self, logRetention: logRetention)
        let value = try await body(session.store)
        try session.close()
        return value
    }
}

/// A store in its own scratch folder, which can be closed and opened again.
final class StoreSession {
    private let engine: StoreEngine
    private let logRetention: Int
    private let folder: ScratchFolder
    private(set) var store: any GatewayStore
    private var closeStore: () throws -> Void

    init(_ engine: StoreEngine, logRetention: Int = SQLiteTuning.standardLogRetention) throws {
        self.engine = engine
        self.logRetention = logRetention
        folder = try ScratchFolder()
        (store, closeStore) = try Self.open(engine, logRetention, in: folder)
    }

    /// Whether the contents of the store survive closing and opening it again.
    var outlivesItsProcess: Bool {
        engine != .memory
    }

    func close() throws {
        try closeStore()
    }

    /// Closes the store and opens it again.
    func reopen() throws {
        try close()
        (store, closeStore) = try Self.open(engine, logRetention, in: folder)
    }

    private static func open(
        _ engine: StoreEngine,
        _ logRetention: Int,
        in folder: ScratchFolder
    ) throws -> (store: any GatewayStore, close: () throws -> Void) {
        var tuning = SQLiteTuning()
        tuning.logRetention = logRetention
        let store =
            switch engine {
            case .memory: try SQLiteStore.inMemory(tuning: tuning)
            case .sqlite: try SQLiteStore.open(in: folder.path(of: "store"), tuning: tuning).store
            }
        return (store, store.close)
    }
}
