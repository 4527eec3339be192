import GRDB
import PushRules
import Synchronization
import Testing
import WaypostSchema

@testable import GatewayStore

/// Tests that frequent operations use indexes, so their cost does not grow with the size of the store.
@Suite struct SQLiteQueryPlanTests {
    /// A frequent operation.
    enum Work: CaseIterable {
        case append
        case appendAgain
        case read
        case acknowledge
        case collapse
        case settle
        case disconnect
        case look
        case expire
        case lookUpBatch
        case lookUpKey
        case unregister
        case recover
        case note
        case readLog
        case readLogFirst
        case readLogOfToken
        case readLogSince
        case lookUpLog
        case lookUpIdentifier
        case prune
        case summarize
        case lookUpChannels
        case readLogOfTrace
        case listStreams
        case listInbox

        func run(_ transaction: inout StoreTransaction, _ agent: AgentID) throws {
            let namespaceID = try transaction.findOrCreateNamespaceID(of: .standard)
            switch self {
            case .append:
                _ = try transaction.append(Self.batch(.example("n1", expiration: 500)), at: .noon)
            case .appendAgain:
                transaction.cache = StoreCache()
                for _ in 0..<2 { _ = try transaction.append(Self.batch(), at: .noon) }
            case .read:
                _ = try StoredNotification.fetchPage(transaction.database, of: agent, after: 3, limit: 10, at: .noon)
            case .acknowledge:
                let notifications = [
                    AgentAcknowledgement.Notification(sequence: 1, attempts: DeliveryAttempts(at: .noon)),
                    AgentAcknowledgement.Notification(sequence: 2, attempts: nil),
                ]
                let both = AgentAcknowledgement(agent: agent, notifications: notifications, time: .noon)
                _ = try transaction.acknowledge([both])
            case .collapse:
                _ = try transaction.append(Self.batch(.example("n1", collapseID: "c")), at: .noon)
            case .settle:
                transaction.liveState.addTransient(1, in: namespaceID)
                let end = TransientEnd(sequence: 1, batch: BatchNumber(rawValue: 1), state: .dropped, at: .noon)
                try transaction.recordOutcomes([end])
            case .disconnect: try Self.disconnect(agent, &transaction)
            case .look:
                _ = try StoreTransaction.needsSweep(
                    transaction.database,
                    in: namespaceID,
                    at: .noon,
                    logRetention: 60
                )
            case .expire: _ = try transaction.removeExpired(in: .standard, at: .noon)
            case .lookUpBatch: _ = try BatchRecord.fetch(transaction.database, "batch", in: namespaceID)
            case .lookUpKey: _ = try KeyedBatch.fetch(transaction.database, with: "key", in: namespaceID, at: .noon)
            case .unregister: _ = try transaction.updateDevice("tablet", in: .standard, with: .topics([]), at: .noon)
            case .recover:
                _ = try transaction.openSession(agent)
                _ = try transaction.append(Self.batch(.example("n1", expiration: 0)), at: .noon)
                try transaction.recover(above: StoreCounters())
            case .note: try transaction.recordAttempts([1: DeliveryAttempts(at: .noon)], in: .standard)
            case .readLog: _ = try LogQuery().fetch(transaction.database, in: namespaceID)
            case .readLogFirst:
                let query = LogQuery(topic: "clowns", states: [.stored, .sent], start: .after(2))
                _ = try query.fetch(transaction.database, in: namespaceID)
            case .readLogOfToken:
                for query in [LogQuery(token: "tablet"), LogQuery(token: "tablet", topic: "clowns", start: .after(2))] {
                    _ = try query.fetch(transaction.database, in: namespaceID)
                }
            case .readLogSince:
                for start in [LogQuery.Start.latest, .after(2)] {
                    _ = try LogQuery(since: .noon, start: start).fetch(transaction.database, in: namespaceID)
                }
            case .lookUpLog: _ = try LogEntry.fetch(transaction.database, at: 3, in: namespaceID)
            case .lookUpIdentifier: _ = try LogEntry.fetch(transaction.database, of: "n1", in: namespaceID)
            case .prune:
                _ = try transaction.append(Self.batch(.example("n1", to: "nobody")), at: .noon)
                _ = try transaction.pruneLog(in: namespaceID, at: .seconds(1_000_000))
            case .summarize: _ = try NamespaceSummary.fetchAll(transaction.database)
            case .lookUpChannels:
                _ = try BroadcastChannel.fetch(transaction.database, ["a", "b"])
                _ = try BroadcastChannel.fetch(transaction.database, of: "com.example.clowntown", in: namespaceID)
            case .readLogOfTrace:
                let query = LogQuery(trace: "4bf92f3577b34da6a3ce929d0e0e4736", topic: "clowns")
                _ = try query.fetch(transaction.database, in: namespaceID)
            case .listStreams: _ = try StreamDevice.fetchAll(transaction.database, of: [agent.number], in: namespaceID)
            case .listInbox:
                let device = try DeviceRecord.fetch(transaction.database, "tablet", in: namespaceID)
                _ = try device.map {
                    try StoredNotification.fetchPage(
                        transaction.database,
                        of: $0,
                        in: .standard,
                        after: 0,
                        limit: 10,
                        at: .noon
                    )
                }
            }
        }

        private static func batch(_ notifications: NewNotification...) -> NewBatch {
            NewBatch(id: "batch", notifications: notifications, key: IdempotencyKey(key: "key", fingerprint: [1]))
        }

        private static func disconnect(_ agent: AgentID, _ transaction: inout StoreTransaction) throws {
            _ = try transaction.setStorage(.apns, for: "clowns", in: .standard, at: .noon)
            let batch = NewBatch(id: "batch", notifications: [.example("n1"), .example("n2")])
            let epoch = try transaction.openSession(agent)
            _ = try transaction.append(batch, at: .noon)
            _ = try epoch.map {
                try transaction.closeSession(SessionClosing(agent: agent, epoch: $0, time: .noon))
            }
        }
    }

    /// The parts of a query plan that scan a whole table or sort.
    private static let expensive = [
        "SCAN item", "SCAN channel", "SCAN batch", "SCAN device", "SCAN idempotency", "SCAN log",
        "TEMP B-TREE FOR ORDER",
    ]

    /// Partial indexes, which contain only the rows that are needed.
    private static let short = ["INDEX item_loose", "INDEX batch_in_flight"]

    /// Returns the statements that `work` executes.
    private func statements(_ work: Work, _ sqlite: SQLiteExample) async throws -> [String] {
        let agent = sqlite.example.home
        return try await statements(in: sqlite) { try work.run(&$0, agent) }
    }

    /// Returns the statements that `run` executes.
    private func statements(
        in sqlite: SQLiteExample,
        _ run: @escaping @Sendable (inout StoreTransaction) throws -> Void
    ) async throws -> [String] {
        try await sqlite.store.groupCommit.write { transaction in
            let statements = Mutex<[String]>([])
            transaction.database.trace { event in
                guard case .statement(let statement) = event else { return }
                let sql = statement.expandedSQL
                statements.withLock { $0.append(sql) }
            }
            defer { transaction.database.trace() }
            try run(&transaction)
            return statements.withLock(\.self)
        }
    }

    @Test(arguments: Work.allCases) func frequentOperationScansNothing(_ work: Work) async throws {
        let sqlite = try await SQLiteExample()
        try await sqlite.example.take(.example("n1"), as: "first")
        let statements = try await statements(work, sqlite)
        #expect(statements.count > (work == .append ? 1 : 0))
        for sql in statements {
            for step in try await plans(of: [sql], sqlite) {
                let isExpensive =
                    Self.expensive.contains(where: step.contains) && !Self.short.contains(where: step.contains)
                #expect(!isExpensive, "\(step): \(sql)")
            }
        }
    }

    /// Returns the steps of the query plans of statements.
    private func plans(of statements: [String], _ sqlite: SQLiteExample) async throws -> [String] {
        try await sqlite.store.read { database in
            try statements.flatMap { sql in
                try Row.fetchAll(database, sql: "EXPLAIN QUERY PLAN \(sql)").map { $0["detail"] as String }
            }
        }
    }

    @Test(arguments: [Work.readLogOfToken, .lookUpIdentifier, .readLogOfTrace])
    func namesOfACompleteSegmentAreLookedUp(_ work: Work) async throws {
        let sqlite = try await SQLiteExample()
        try await sqlite.example.take(.example("n1"), as: "first")
        try await sqlite.store.groupCommit.write { $0.counters.lastSequence = 2 << LogSegment.bits }
        try await sqlite.example.take(.example("n2"), as: "second")
        let statements = try await statements(work, sqlite)
        #expect(statements.contains { $0.contains("FROM log_name") })
        // Only the last segment is read from its start to its end.
        let ranges = Set(statements.filter { $0.contains("AND sequence BETWEEN") })
        #expect(ranges.allSatisfy { $0.contains("BETWEEN \(2 << LogSegment.bits) ") })
    }

    /// An end that reads the inboxes of the namespace costs more with each device there, and thousands end together.
    @Test(arguments: [StorageMode.lossless, .apns])
    func endOfASessionReadsNoOtherInbox(_ mode: StorageMode) async throws {
        let sqlite = try await SQLiteExample()
        let example = sqlite.example
        try await example.setStorage(mode)
        let appended = try await example.take(
            .example("n1"),
            .example("n2"),
            .example("now", expiration: 0),
            connected: [example.home]
        )
        let sent = appended.deliveries.prefix(2).map { ($0.notification.sequence, DeliveryAttempts(at: .noon)) }
        let closing = SessionClosing(
            agent: example.home,
            epoch: try #require(example.sessions[example.home]),
            attempts: Dictionary(uniqueKeysWithValues: sent),
            ends: appended.deliveries.suffix(1).map { TransientEnd($0, .dropped) },
            time: .noon
        )
        let statements = try await statements(in: sqlite) { _ = try $0.closeSession(closing) }
        #expect(statements.count { $0.hasPrefix("UPDATE") } >= 3)
        for sql in statements {
            for step in try await plans(of: [sql], sqlite) {
                #expect(!Self.readsNamespace(step), "\(step): \(sql)")
            }
        }
    }

    @Test(arguments: [Work.note, .settle, .acknowledge, .collapse, .unregister])
    func frequentChangeReadsNoOtherInbox(_ work: Work) async throws {
        let sqlite = try await SQLiteExample()
        try await sqlite.example.take(.example("n1"), as: "first")
        for sql in try await statements(work, sqlite) {
            for step in try await plans(of: [sql], sqlite) {
                #expect(!Self.readsNamespace(step), "\(step): \(sql)")
            }
        }
    }

    /// Whether a step of a query plan reads all notifications of a namespace.
    private static func readsNamespace(_ step: String) -> Bool {
        ["item", "log"].contains { step.hasPrefix("SEARCH \($0) ") } && step.hasSuffix("(namespace=?)")
    }
}
