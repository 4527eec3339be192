import GatewayStore
import StoreTestSupport
import Synchronization
import WaypostTestSupport

/// A kind of store that must pass every test of the conformance suite.
enum StoreEngine: String, CaseIterable, Sendable {
    case memory
    case sqlite

    /// The second engine of the tests, with two handles on one store.
    case oracle

    /// The engines that can do without a log.
    static let withoutLog: [Self] = [.memory, .sqlite]

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

/// A store in its own scratch folder, which can be closed and opened again.
final class StoreSession {
    private let engine: StoreEngine
    private let logRetention: Int
    private let folder: ScratchFolder
    private(set) var handles: StoreHandles

    init(_ engine: StoreEngine, logRetention: Int = SQLiteTuning.standardLogRetention) throws {
        self.engine = engine
        self.logRetention = logRetention
        folder = try ScratchFolder()
        handles = StoreHandles(try Self.open(engine, logRetention, in: folder))
    }

    /// One of the handles on the store.
    var store: any GatewayStore {
        handles.next
    }

    /// Whether the contents of the store survive closing and opening it again.
    var outlivesItsProcess: Bool {
        engine == .sqlite
    }

    func close() throws {
        try handles.close()
    }

    /// Closes the store and opens it again.
    func reopen() throws {
        try close()
        handles = StoreHandles(try Self.open(engine, logRetention, in: folder))
    }

    private static func open(
        _ engine: StoreEngine,
        _ logRetention: Int,
        in folder: ScratchFolder
    ) throws -> [any GatewayStore] {
        var tuning = SQLiteTuning()
        tuning.logRetention = logRetention
        return switch engine {
        case .memory: [try SQLiteStore.inMemory(tuning: tuning)]
        case .sqlite: [try SQLiteStore.open(in: folder.path(of: "store"), tuning: tuning).store]
        case .oracle: OracleStore.open(handles: 2, logRetention: logRetention)
        }
    }
}
