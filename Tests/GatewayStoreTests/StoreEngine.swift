import GatewayStore
import PostgresStore
import StoreTestSupport
import Synchronization
import WaypostTestSupport

/// A kind of store that must pass every test of the conformance suite.
enum StoreEngine: String, CaseIterable, Sendable {
    case memory
    case sqlite

    /// The second engine of the tests, with two handles on one store.
    case oracle

    case postgres

    /// PostgreSQL with two handles on one store, which share its sessions.
    case postgresPair

    /// The engines that can do without a log.
    static let withoutLog: [Self] = [.memory, .sqlite, .postgres, .postgresPair]

    /// Runs `body` on an empty store, and closes the store afterwards.
    func run<Value>(
        logRetention: Int = Retention.logLifetime,
        _ body: (any GatewayStore) async throws -> Value
    ) async throws -> Value {
        let session = try await StoreSession(self, logRetention: logRetention)
        let value = try await body(session.store)
        try session.close()
        return value
    }
}

/// The handles on one store, which take turns.
final class StoreHandles: Sendable {
    private let handles: [any GatewayStore]
    private let turn = Mutex(0)

    init(_ handles: [any GatewayStore]) {
        self.handles = handles
    }

    /// The next handle.
    var next: any GatewayStore {
        handles[
            turn.withLock { turn in
                turn += 1
                return turn % handles.count
            }
        ]
    }

    func close() throws {
        for handle in handles { try handle.close() }
    }
}

/// A store in its own scratch folder or database, which can be closed and opened again.
final class StoreSession {
    private let engine: StoreEngine
    private let logRetention: Int
    private let folder: ScratchFolder
    private let database: String?
    private(set) var handles: StoreHandles

    init(_ engine: StoreEngine, logRetention: Int = Retention.logLifetime) async throws {
        self.engine = engine
        self.logRetention = logRetention
        folder = try ScratchFolder()
        let isPostgres = engine == .postgres || engine == .postgresPair
        database = isPostgres ? try await PostgresServer.shared.takeDatabase() : nil
        handles = StoreHandles(try Self.open(engine, logRetention, in: folder, database))
    }

    deinit {
        try? handles.close()
        if let database { PostgresServer.shared.giveBack(database) }
    }

    /// One of the handles on the store.
    var store: any GatewayStore {
        handles.next
    }

    /// Whether the contents of the store survive closing and opening it again.
    var outlivesItsProcess: Bool {
        switch engine {
        case .sqlite, .postgres, .postgresPair: true
        case .memory, .oracle: false
        }
    }

    func close() throws {
        try handles.close()
    }

    /// Closes the store and opens it again.
    func reopen() throws {
        try close()
        handles = StoreHandles(try Self.open(engine, logRetention, in: folder, database))
    }

    private static func open(
        _ engine: StoreEngine,
        _ logRetention: Int,
        in folder: ScratchFolder,
        _ database: String?
    ) throws -> [any GatewayStore] {
        var tuning = SQLiteTuning()
        tuning.logRetention = logRetention
        switch engine {
        case .memory: return [try SQLiteStore.inMemory(tuning: tuning)]
        case .sqlite: return [try SQLiteStore.open(in: folder.path(of: "store"), tuning: tuning).store]
        case .oracle: return OracleStore.open(handles: 2, logRetention: logRetention)
        case .postgres, .postgresPair:
            var tuning = PostgresTuning()
            tuning.logRetention = logRetention
            // Many tests share two processors, so a pause in the middle of a transaction may be long.
            tuning.idleTransactionTimeout = .seconds(60)
            let address = try PostgresAddress(database ?? "")
            let first = try PostgresStore.open(address, tuning: tuning)
            guard engine == .postgresPair else { return [first] }
            return [first, try PostgresStore.open(address, tuning: tuning, primary: first)]
        }
    }
}
