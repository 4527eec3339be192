import Delivery
import GRDB
import Synchronization
import Testing
import WaypostSchema

@testable import GatewayStore

/// What is done often goes through keys, however much there is in the store.
@Suite struct SQLiteQueryPlanTests {
    /// Something that is done often.
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

        func run(_ ledger: inout StoreTransaction, _ agent: AgentID) throws {
            let home = try ledger.makeNumber(of: .standard)
            switch self {
            case .append: _ = try ledger.append(Self.batch(.example("n1", expiration: 500)), connected: [], at: .noon)
            case .appendAgain:
                ledger.cache = StoreCache()
                for _ in 0..<2 { _ = try ledger.append(Self.batch(), connected: [], at: .noon) }
            case .read:
                _ = try StoredNotification.fetchPage(ledger.database, of: agent, after: 3, limit: 10, at: .noon)
            case .acknowledge:
                let attempts = [1: DeliveryAttempts(at: .noon)]
                _ = try ledger.acknowledge(agent, [1, 2], attempts: attempts, at: .noon)
            case .collapse:
                _ = try ledger.append(Self.batch(.example("n1", collapseID: "c")), connected: [], at: .noon)
            case .settle: try ledger.settle([TransientEnd(BatchNumber(rawValue: 1), .dropped)])
            case .disconnect: try Self.disconnect(agent, &ledger)
            case .look: _ = try StoreTransaction.isAnythingDue(ledger.database, in: home, at: .noon, logRetention: 60)
            case .expire: _ = try ledger.expire(.standard, at: .noon)
            case .lookUpBatch: _ = try BatchRecord.fetch(ledger.database, "batch", in: home)
            case .lookUpKey: _ = try KeyedBatch.fetch(ledger.database, with: "key", in: home, at: .noon)
            case .unregister: _ = try ledger.change("tablet", in: .standard, .topics([]), at: .noon)
            case .recover:
                _ = try ledger.append(Self.batch(.example("n1", expiration: 0)), connected: [agent], at: .noon)
                try ledger.recover(above: StoreCounters())
            case .note: try ledger.note([1: DeliveryAttempts(at: .noon)], in: .standard)
            case .readLog: _ = try LogQuery().fetch(ledger.database, in: home)
            case .readLogFirst:
                let query = LogQuery(topic: "clowns", states: [.stored, .sent], start: .after(2))
                _ = try query.fetch(ledger.database, in: home)
            case .readLogOfToken:
                for query in [LogQuery(token: "tablet"), LogQuery(token: "tablet", topic: "clowns", start: .after(2))] {
                    _ = try query.fetch(ledger.database, in: home)
                }
            case .readLogSince:
                for start in [LogQuery.Start.latest, .after(2)] {
                    _ = try LogQuery(since: .noon, start: start).fetch(ledger.database, in: home)
                }
            case .lookUpLog: _ = try LogEntry.fetch(ledger.database, at: 3, in: home)
            case .lookUpIdentifier: _ = try LogEntry.fetch(ledger.database, of: "n1", in: home)
            case .prune:
                _ = try ledger.append(Self.batch(.example("n1", to: "nobody")), connected: [], at: .noon)
                _ = try ledger.pruneLog(in: home, at: .seconds(1_000_000))
            case .summarize: _ = try NamespaceSummary.fetchAll(ledger.database)
            }
        }

        private static func batch(_ notifications: NewNotification...) -> NewBatch {
            NewBatch(id: "batch", notifications: notifications, key: IdempotencyKey(key: "key", fingerprint: [1]))
        }

        private static func disconnect(_ agent: AgentID, _ ledger: inout StoreTransaction) throws {
            _ = try ledger.setStorage(.apns, for: "clowns", in: .standard, at: .noon)
            let batch = NewBatch(id: "batch", notifications: [.example("n1"), .example("n2")])
            _ = try ledger.append(batch, connected: [agent], at: .noon)
            _ = try ledger.disconnect(agent, at: .noon)
        }
    }

    /// What a plan says where it goes through everything, or sorts.
    private static let expensive = [
        "SCAN item", "SCAN batch", "SCAN device", "SCAN idempotency", "SCAN log", "log USING PRIMARY KEY (namespace=?)",
        "TEMP B-TREE FOR ORDER",
    ]

    /// Indexes that hold only what is looked for.
    private static let short = ["INDEX item_loose", "INDEX batch_in_flight"]

    /// Returns the statements that `work` executes.
    private func statements(_ work: Work, _ sqlite: SQLiteExample) async throws -> [String] {
        let agent = sqlite.example.home
        return try await sqlite.store.commits.perform { ledger in
            let statements = Mutex<[String]>([])
            ledger.database.trace { event in
                guard case .statement(let statement) = event else { return }
                let sql = statement.expandedSQL
                statements.withLock { $0.append(sql) }
            }
            defer { ledger.database.trace() }
            try work.run(&ledger, agent)
            return statements.withLock(\.self)
        }
    }

    @Test(arguments: Work.allCases) func whatIsDoneOftenScansNothing(_ work: Work) async throws {
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

    /// Returns the steps by which statements are executed.
    private func plans(of statements: [String], _ sqlite: SQLiteExample) async throws -> [String] {
        try await sqlite.store.read { database in
            try statements.flatMap { sql in
                try Row.fetchAll(database, sql: "EXPLAIN QUERY PLAN \(sql)").map { $0["detail"] as String }
            }
        }
    }

    @Test(arguments: [
        (Work.readLogOfToken, "INDEX log_device"), (.readLogOfToken, "INDEX log_token"),
        (.lookUpIdentifier, "INDEX log_id"),
    ])
    func logIsReadThroughItsIndexes(_ work: Work, _ index: String) async throws {
        let sqlite = try await SQLiteExample()
        try await sqlite.example.take(.example("n1"))
        let plans = try await plans(of: statements(work, sqlite), sqlite)
        #expect(plans.contains { $0.contains(index) })
    }
}
