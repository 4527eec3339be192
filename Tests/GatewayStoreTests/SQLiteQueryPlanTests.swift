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

        func run(_ ledger: inout Ledger, _ agent: AgentID) throws {
            let home = try ledger.makeNumber(of: .standard)
            switch self {
            case .append: _ = try ledger.append(Self.batch(.example("n1", expiration: 500)), connected: [], at: .noon)
            case .appendAgain:
                ledger.cache = LedgerCache()
                for _ in 0..<2 { _ = try ledger.append(Self.batch(), connected: [], at: .noon) }
            case .read:
                _ = try StoredNotification.fetchPage(ledger.database, of: agent, after: 3, limit: 10, at: .noon)
            case .acknowledge: _ = try ledger.acknowledge(agent, [1, 2])
            case .collapse:
                _ = try ledger.append(Self.batch(.example("n1", collapseID: "c")), connected: [], at: .noon)
            case .settle: try ledger.settle([FlightEnd(batch: BatchNumber(rawValue: 1), state: .dropped, count: 1)])
            case .disconnect: try Self.disconnect(agent, &ledger)
            case .look: _ = try Ledger.isAnythingDue(ledger.database, in: home, at: .noon)
            case .expire: _ = try ledger.expire(.standard, at: .noon)
            case .lookUpBatch: _ = try BatchRecord.fetch(ledger.database, "batch", in: home)
            case .lookUpKey: _ = try KeyedBatch.fetch(ledger.database, with: "key", in: home, at: .noon)
            case .unregister: _ = try ledger.change("tablet", in: .standard, .topics([]), at: .noon)
            case .recover: try ledger.recover(above: StoreCounters())
            }
        }

        private static func batch(_ notifications: NewNotification...) -> NewBatch {
            NewBatch(id: "batch", notifications: notifications, key: IdempotencyKey(key: "key", fingerprint: [1]))
        }

        private static func disconnect(_ agent: AgentID, _ ledger: inout Ledger) throws {
            _ = try ledger.setStorage(.apns, for: "clowns", in: .standard)
            let batch = NewBatch(id: "batch", notifications: [.example("n1"), .example("n2")])
            _ = try ledger.append(batch, connected: [agent], at: .noon)
            _ = try ledger.disconnect(agent)
        }
    }

    /// What a plan says where it goes through everything, or sorts.
    private static let expensive = [
        "SCAN item", "SCAN batch", "SCAN device", "SCAN idempotency", "TEMP B-TREE FOR ORDER",
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
        let statements = try await statements(work, sqlite)
        #expect(statements.count > (work == .append ? 1 : 0))
        for sql in statements {
            let plan = try await sqlite.store.read { database in
                try Row.fetchAll(database, sql: "EXPLAIN QUERY PLAN \(sql)").map { $0["detail"] as String }
            }
            for step in plan {
                let isExpensive =
                    Self.expensive.contains(where: step.contains) && !Self.short.contains(where: step.contains)
                #expect(!isExpensive, "\(step): \(sql)")
            }
        }
    }
}
