import GatewayStore
import PostgresStore
import PushRules
import StoreTestSupport
import Synchronization
import Testing
import WaypostSchema
import WaypostTestSupport

/// Tests of what only the PostgreSQL engine does: several gateways on one database, lost connections, and openings.
@Suite struct PostgresStoreTests {
    /// The events of a store ended before the one that a test waits for.
    private struct NoSuchEvent: Error {}

    /// Returns the first event of a store for which `value` returns something.
    private func first<Value>(in store: PostgresStore, _ value: (StoreEvent) -> Value?) async throws -> Value {
        for await event in store.events {
            if let found = value(event) { return found }
        }
        throw NoSuchEvent()
    }

    private func nudges(in store: PostgresStore) async throws -> Set<AgentID> {
        try await first(in: store) { event in
            if case .changed(let changes, _) = event, !changes.nudges.isEmpty { changes.nudges } else { nil }
        }
    }

    @Test func anotherGatewayNudgesTheStream() async throws {
        let gateways = try await PostgresGateways()
        let example = try await ExampleStore(in: gateways.first)
        try await example.connect([example.home])
        let batch = NewBatch(id: "other", notifications: [.example("n1"), .example("now", expiration: 0)])
        let appended = try #require(try await gateways.second.append(batch, at: .noon).appended)
        #expect(appended.deliveries.isEmpty)
        #expect(appended.changes.nudges.isEmpty)
        #expect(try await nudges(in: gateways.first) == [example.home])
        #expect(try await example.page() == ["n1", "now"])
        #expect(try await example.page() == ["n1"])
    }

    @Test func payloadFollowsOnceTheStreamHasEverything() async throws {
        let gateways = try await PostgresGateways()
        let example = try await ExampleStore(in: gateways.first)
        try await example.connect([example.home])
        let batch = NewBatch(id: "other", notifications: [.example("n1")])
        _ = try await gateways.second.append(batch, at: .noon)
        let afterOther = try await example.take(.example("n2"), as: "second")
        #expect(afterOther.deliveries.isEmpty)
        #expect(afterOther.changes.nudges == [example.home])
        let afterNudge = try await example.take(.example("n3"), as: "third")
        #expect(afterNudge.deliveries.map(\.notification.notification.id) == ["n3"])
    }

    @Test func sessionAtAnotherGatewayReplacesTheFormerOne() async throws {
        let gateways = try await PostgresGateways()
        let example = try await ExampleStore(in: gateways.first)
        let old = try #require(try await gateways.first.openSession(example.home))
        let new = try #require(try await gateways.second.openSession(example.home))
        let opened = try await first(in: gateways.first) { event in
            if case .sessionOpened(let agent, let epoch) = event { (agent, epoch) } else { nil }
        }
        #expect(opened.0 == example.home)
        #expect(opened.1 == new)
        let closed = try await gateways.first.closeSession(example.home, old)
        #expect(closed == nil)
        #expect(try await gateways.second.ownSessions() == [example.home: new])
    }

    @Test func keyIsTakenOnceByTwoGateways() async throws {
        let gateways = try await PostgresGateways()
        let example = try await ExampleStore(in: gateways.first)
        let outcomes = try await withThrowingTaskGroup(of: AppendOutcome.self) { group in
            for number in 0..<20 {
                let store = number.isMultiple(of: 2) ? gateways.first : gateways.second
                group.addTask {
                    var batch = NewBatch(id: BatchID(rawValue: "b\(number)"), notifications: [.example("n")])
                    batch.key = IdempotencyKey(key: "key", fingerprint: [1])
                    return try await store.append(batch, at: .noon)
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(outcomes.compactMap(\.appended).count == 1)
        #expect(try await example.inbox().count == 1)
    }

    @Test func readerNeverPassesANotificationThatAppearsLater() async throws {
        let gateways = try await PostgresGateways()
        let example = try await ExampleStore(in: gateways.first)
        let (count, reader, home) = (150, gateways.second, example.home)
        let areDone = Mutex(false)
        async let seen = {
            var (seen, cursor, isLast) = (0, 0, false)
            while true {
                let page = try await reader.readInbox(of: home, after: cursor, limit: 7, at: .noon)
                seen += page.count
                cursor = page.last?.sequence ?? cursor
                if page.isEmpty && isLast { return seen }
                isLast = areDone.withLock(\.self)
            }
        }()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (name, store) in [("a", gateways.first), ("b", gateways.second)] {
                group.addTask {
                    for number in 0..<count {
                        let id = "\(name)\(number)"
                        let batch = NewBatch(
                            id: BatchID(rawValue: id),
                            notifications: [.example(NotificationID(rawValue: id))]
                        )
                        _ = try await store.append(batch, at: .noon)
                    }
                }
            }
            try await group.waitForAll()
        }
        areDone.withLock { $0 = true }
        #expect(try await seen == 2 * count)
    }

    @Test func sessionsOfAGatewayThatEndedAreClosed() async throws {
        let gateways = try await PostgresGateways()
        let example = try await ExampleStore(in: gateways.first)
        try await example.setStorage(.apns)
        let ended = try PostgresGateways.open(gateways.database)
        _ = try #require(try await ended.openSession(example.home))
        let batch = NewBatch(
            id: "batch",
            notifications: [.example("n1"), .example("n2"), .example("now", expiration: 0)]
        )
        _ = try await gateways.first.append(batch, at: .noon)
        ended.close()
        let next = try PostgresGateways.open(gateways.database)
        defer { next.close() }
        #expect(try await example.states() == [.stored: 1, .collapsed: 1, .dropped: 1])
        #expect(try await example.entry("now").state == .dropped)
    }

    @Test func lostConnectionsAreOpenedAgain() async throws {
        let gateways = try await PostgresGateways()
        let example = try await ExampleStore(in: gateways.first)
        try await PostgresServer.shared.endConnections(to: gateways.database)
        try await example.take(.example("n1"))
        #expect(try await example.inbox() == ["n1"])
        let isGap = try await first(in: gateways.first) { $0 == .gap ? true : nil }
        #expect(isGap)
    }

    @Test func gatewayThatSeemedToHaveEndedChangesNothing() async throws {
        let gateways = try await PostgresGateways()
        let example = try await ExampleStore(in: gateways.first)
        try await PostgresServer.shared.run("DELETE FROM lane", at: gateways.database)
        await #expect(throws: StoreError.unavailable) { try await example.take(.example("lost")) }
        #expect(try await example.inbox().isEmpty)
        try await example.take(.example("n1"))
        #expect(try await example.inbox() == ["n1"])
    }

    @Test func gatewaysThatOpenAnEmptyDatabaseTogetherCreateItsTablesOnce() async throws {
        let database = try await PostgresServer.shared.takeDatabase()
        defer { PostgresServer.shared.giveBack(database) }
        let stores = try await withThrowingTaskGroup(of: PostgresStore.self) { group in
            for _ in 0..<4 { group.addTask { try PostgresGateways.open(database) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        defer { for store in stores { store.close() } }
        for store in stores { #expect(try await store.namespaces().isEmpty) }
    }

    @Test func faultsOfADatabaseOfVersion4AreTaken() async throws {
        let database = try await PostgresServer.shared.takeDatabase()
        defer { PostgresServer.shared.giveBack(database) }
        try PostgresGateways.open(database).close()
        try await PostgresServer.shared.run(
            """
            DROP INDEX fault_for_all;
            ALTER TABLE fault DROP COLUMN seen;
            ALTER TABLE fault ALTER COLUMN token SET NOT NULL;
            INSERT INTO fault (namespace, id, token, fault, remaining)
            VALUES ('default', 'old', 'aa', '{"kind":"hang","times":1,"token":"aa"}', 1);
            UPDATE waypost SET version = 4;
            """,
            at: database
        )
        let store = try PostgresGateways.open(database)
        defer { store.close() }
        _ = try await store.addFault(SendFault(kind: .reset, times: 1), as: "all", in: .standard)
        #expect(try await store.faultTargets() == FaultTargets(tokens: ["aa"], namespaces: [.standard]))
        var taken: [FaultID] = []
        for _ in 0..<2 {
            let decision = try await store.takeFault(for: "aa", in: .standard)
            if case .inject(let fault) = decision { taken.append(fault.id) }
        }
        #expect(taken == ["old", "all"])
        #expect(try await store.faultTargets().isEmpty)
    }

    @Test(arguments: [
        ("UPDATE waypost SET version = 1000", "its version is 1000"),
        ("DROP TABLE waypost", "has tables of another program"),
    ])
    func databaseOfAnotherVersionIsRefused(_ sql: String, _ words: String) async throws {
        let gateways = try await PostgresGateways()
        try await PostgresServer.shared.run(sql, at: gateways.database)
        #expect {
            try PostgresGateways.open(gateways.database)
        } throws: { error in
            "\(error)".contains(words)
        }
    }
}

/// Tests of addresses of databases.
@Suite struct PostgresAddressTests {
    @Test(arguments: [
        "postgres://waypost@localhost/waypost", "postgres://waypost@127.0.0.1:5432/waypost",
        "postgres:///waypost?host=/run/postgresql", "postgres://waypost@db.example/waypost",
        "postgres://waypost@db.example/waypost?sslmode=verify-full",
    ])
    func addressIsAccepted(_ uri: String) throws {
        #expect(try !PostgresAddress(uri).hasPassword)
    }

    @Test(arguments: ["disable", "prefer", "require", "verify-ca"])
    func weakProtectionIsRefusedBeyondThisMachine(_ mode: String) {
        #expect(throws: PostgresAddress.Refusal.unprotected(host: "db.example", mode: mode)) {
            try PostgresAddress("postgres://waypost@db.example/waypost?sslmode=\(mode)")
        }
    }

    @Test func malformedAddressIsRefusedWithLibpqsReason() {
        #expect {
            try PostgresAddress("postgres://[/waypost")
        } throws: { error in
            if case PostgresAddress.Refusal.malformed(let reason) = error { !reason.isEmpty } else { false }
        }
    }

    @Test func descriptionHasNoPassword() throws {
        let address = try PostgresAddress("postgres://waypost:secret@localhost/waypost")
        #expect(address.hasPassword)
        #expect("\(address)" == "PostgreSQL, localhost, database waypost")
    }
}
