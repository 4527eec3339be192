import Dispatch
import GatewayStore
import StoreTestSupport
import Testing
import WaypostSchema
import WaypostTestSupport

@testable import PostgresStore

/// Tests of the order in which transactions lock agents: with two orders, two gateways could wait for each other.
@Suite(.timeLimit(.minutes(5))) struct PostgresLockTests {
    /// A change that names an agent by its secret.
    enum Change: CaseIterable {
        case registration
        case secretRotation

        /// Makes the change to the agent `home` of an example.
        func make(in store: PostgresStore) async throws {
            switch self {
            case .registration: _ = try await store.register(.example("watch"), in: .standard, at: .noon)
            case .secretRotation: _ = try await store.rotateSecret(from: .home, to: .unknown, in: .standard)
            }
        }
    }

    /// Returns whether a table has rows; `source` is its name and a condition.
    private func hasRows(_ source: String, at database: String) async -> Bool {
        (try? await PostgresServer.shared.run("SELECT 1 / count(*) FROM \(source)", at: database)) != nil
    }

    @Test(arguments: Change.allCases)
    func changesOfOneTransactionLockAgentsByNumber(_ change: Change) async throws {
        let gateways = try await PostgresGateways()
        let example = try await ExampleStore(in: gateways.first)
        let (store, database, server) = (gateways.first, gateways.database, PostgresServer.shared)
        let (first, last) = (example.home.number, example.away.number)
        try #require(first < last)
        let gate = DispatchSemaphore(value: 0)
        let begun = AsyncStream.makeStream(of: Void.self)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                // The statement keeps the transaction open until the test terminates its backend; no time is measured.
                await #expect(throws: (any Error).self) {
                    try await server.run(
                        "BEGIN; SELECT 1 FROM agent WHERE number = \(first) FOR UPDATE; SELECT pg_sleep(600)",
                        at: database + "&application_name=holder"
                    )
                }
            }
            let activities = "pg_stat_activity WHERE datname = current_database()"
            try await waitUntil("the first agent is locked") {
                await hasRows("\(activities) AND wait_event = 'PgSleep'", at: database)
            }
            // While the writer is busy, the next changes gather for one transaction.
            group.addTask {
                try await store.write { _ in
                    begun.continuation.finish()
                    gate.wait()
                }
            }
            for await _ in begun.stream {}
            group.addTask {
                let batch = NewBatch(id: "batch", notifications: [.example("n1", to: "laptop")])
                _ = try await store.append(batch, at: .noon)
            }
            group.addTask { try await change.make(in: store) }
            try await waitUntil("both changes wait") { store.waitingItems >= 2 }
            gate.signal()
            try await waitUntil("the transaction waits for the first agent") {
                await hasRows("\(activities) AND wait_event_type = 'Lock'", at: database)
            }
            let lock = "SELECT 1 FROM agent WHERE number = \(last) FOR UPDATE NOWAIT"
            let isLastFree = (try? await server.run(lock, at: database)) != nil
            #expect(isLastFree)
            try await server.run(
                "SELECT pg_terminate_backend(pid) FROM \(activities) AND application_name = 'holder'",
                at: database
            )
            try await group.waitForAll()
        }
        #expect(try await example.inbox(example.away) == ["n1"])
    }
}
