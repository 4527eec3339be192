import PushRules
import StoreTestSupport
import Synchronization
import Testing
import WaypostSchema

@testable import GatewayStore
@testable import PostgresStore

/// Tests that frequent operations use indexes, so their cost does not grow with the size of the store.
@Suite struct PostgresQueryPlanTests {
    /// The plans of executed statements, which the server's module `auto_explain` sends as notices.
    private final class QueryPlans: Sendable {
        /// Makes the server send the plans, and makes it use any index, although the tables are small.
        static let options = [
            "session_preload_libraries=auto_explain", "auto_explain.log_min_duration=0",
            "auto_explain.log_level=notice", "enable_seqscan=off",
        ]

        private let plans = Mutex<[String]>([])

        func add(_ notice: PostgresNotice) {
            guard notice.message.contains("plan:\n") else { return }
            plans.withLock { $0.append(notice.message) }
        }

        /// Returns the plans since the last call.
        func takeAll() -> [String] {
            plans.withLock { plans in
                defer { plans = [] }
                return plans
            }
        }
    }

    /// Returns the address of a database whose server sends the plans of statements.
    private static func address(of database: String) throws -> PostgresAddress {
        let options = QueryPlans.options.map { "-c%20\($0.replacing("=", with: "%3D"))" }.joined(separator: "%20")
        return try PostgresAddress("\(database)&options=\(options)")
    }

    /// Returns the steps of a plan that read all notifications of a namespace, or of the store.
    private static func stepsThatReadNamespace(in plan: String) -> [String] {
        let lines = plan.split(separator: "\n").map { $0.drop { " ->".contains($0) } }
        return zip(lines, lines.dropFirst() + [""]).compactMap { step, condition -> String? in
            let readsNotifications = ["item", "log", "flight"].contains { table in
                step.contains("Scan") && (step.contains(" on \(table) ") || step.contains(" on \(table)_"))
            }
            // The step of an index follows, and has the condition.
            guard readsNotifications, !step.hasPrefix("Bitmap Heap Scan") else { return nil }
            let isSelective = condition.contains(" AND ") || !condition.hasPrefix("Index Cond: (namespace = ")
            return isSelective && condition.hasPrefix("Index Cond: ") ? nil : "\(step): \(condition)"
        }
    }

    @Test func conditionOfAnIndexDecides() {
        let plans = [
            "->  Index Scan using item_pkey on item  (cost=0)\n      Index Cond: (sequence = 1)",
            "->  Index Scan using item_id on item  (cost=0)\n      Index Cond: (namespace = 1)",
            "Seq Scan on log  (cost=0)\n  Filter: (sequence = 1)", "Seq Scan on flight  (cost=0)",
        ]
        #expect(plans.map { Self.stepsThatReadNamespace(in: $0).count } == [0, 1, 1, 1])
    }

    /// An end that reads the inboxes of the namespace costs more with each device there, and thousands end together.
    @Test(arguments: [StorageMode.lossless, .apns])
    func endOfASessionReadsNoOtherInbox(_ mode: StorageMode) async throws {
        let database = try await PostgresServer.shared.takeDatabase()
        defer { PostgresServer.shared.giveBack(database) }
        let plans = QueryPlans()
        let store = try PostgresStore.open(try Self.address(of: database), onNotice: { plans.add($0) })
        defer { store.close() }
        let example = try await ExampleStore(in: store)
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
        _ = plans.takeAll()
        let changes = try await store.closeSessions([closing])
        #expect(changes.compactMap(\.self).count == 1)
        let sessionPlans = plans.takeAll()
        #expect(sessionPlans.count { $0.contains("\nUpdate on ") } >= 3)
        for plan in sessionPlans { #expect(Self.stepsThatReadNamespace(in: plan).isEmpty, "\(plan)") }
    }
}
