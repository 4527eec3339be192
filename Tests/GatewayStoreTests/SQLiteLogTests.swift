import GRDB
import PushRules
import Testing
import WaypostSchema
import WaypostTestSupport

@testable import GatewayStore

/// Tests of the log that apply only to stores with files.
@Suite struct SQLiteLogTests {
    @Test(arguments: [false, true]) func endOfUnknownTimeIsLoggedWithTheTimeOfArrival(_ isCrash: Bool) async throws {
        let sqlite = try await SQLiteExample()
        let example = sqlite.example
        try await example.setStorage(.apns, for: "notes")
        try await example.take(
            .example("now", expiration: 0),
            .example("old", for: "notes"),
            .example("new", for: "notes"),
            .example("n1"),
            connected: [example.home],
            at: .seconds(120)
        )
        let sequence = try await example.entry("now").sequence
        try await example.store.recordAttempts([sequence: DeliveryAttempts(at: .seconds(121))], in: .standard)
        let folder = try isCrash ? sqlite.crashImage() : sqlite.folder
        if !isCrash { try sqlite.store.close() }
        let again = example.moved(to: try SQLiteStore.open(in: folder).store)
        #expect(try await again.end(of: "now") == LogEnd(.dropped, at: .seconds(120)))
        #expect(try await again.entry("now").attempts == DeliveryAttempts(at: .seconds(121)))
        #expect(try await again.end(of: "old") == LogEnd(.collapsed, at: .seconds(120)))
        #expect(try await again.end(of: "new") == LogEnd(.stored))
        #expect(try await again.end(of: "n1") == LogEnd(.stored))
        try await again.acknowledge("n1")
        #expect(try await again.end(of: "n1") == LogEnd(.acknowledged, at: .noon))
        withExtendedLifetime(folder) {}
    }

    @Test func logIsDeletedIfTheRetentionIsZero() async throws {
        let sqlite = try await SQLiteExample()
        try await sqlite.example.take(.example("n1"))
        try sqlite.store.close()
        var tuning = SQLiteTuning.hasty
        tuning.logRetention = 0
        let silent = try SQLiteStore.open(in: sqlite.folder.path, tuning: tuning).store
        let example = sqlite.example.moved(to: silent)
        try await example.acknowledge("n1")
        try silent.close()
        // Otherwise, the log would forever show the meanwhile acknowledged notification as stored.
        let store = try SQLiteStore.open(in: sqlite.folder).store
        #expect(try await sqlite.example.moved(to: store).log().isEmpty)
        #expect(try await sqlite.example.moved(to: store).states() == [.acknowledged: 1])
    }

    /// The log is divided into segments, and all but the last one are indexed; this must not affect queries.
    @Test func logOfManySegmentsIsOneLog() async throws {
        let sqlite = try await SQLiteExample()
        let example = sqlite.example
        let segment = 4_096
        // The first ends a segment, two begin one, and the last is far away.
        for (index, sequence) in [segment - 1, segment, 9 * segment, 20 * segment + 5].enumerated() {
            try await sqlite.store.groupCommit.write { $0.counters.lastSequence = sequence - 1 }
            let id = NotificationID(rawValue: "n\(index)")
            let appended = try await example.take(.example(id), as: BatchID(rawValue: "\(index)"))
            #expect(appended.logSequences == sequence...sequence)
        }
        let ids: [NotificationID] = ["n0", "n1", "n2", "n3"]
        for count in 0...5 {
            #expect(try await example.logged(LogQuery(token: "tablet", limit: count)) == ids.suffix(count))
            let first = LogQuery(token: "tablet", start: .after(0), limit: count)
            #expect(try await example.logged(first) == Array(ids.prefix(count)))
        }
        for (index, id) in ids.enumerated() {
            let sequence = try await example.entry(id).sequence
            let behind = LogQuery(token: "tablet", start: .after(sequence))
            #expect(try await example.logged(behind) == Array(ids.dropFirst(index + 1)))
        }
        #expect(try await example.logged(LogQuery(token: "nobody")).isEmpty)
        #expect(try await example.log().count == 4)
    }

    @Test func longLogIsForgottenInParts() async throws {
        let sqlite = try await SQLiteExample()
        let count = 2 * Retention.sweepLimit + 1
        let batch = NewBatch(
            id: "batch",
            notifications: [],
            rejections: (0..<count).map { .example(NotificationID(rawValue: "\($0)")) }
        )
        _ = try await sqlite.store.append(batch, at: .noon)
        let part = try await sqlite.store.groupCommit.write { transaction in
            try transaction.pruneLog(in: transaction.findOrCreateNamespaceID(of: .standard), at: .seconds(100_000))
        }
        #expect(part == Retention.sweepLimit)
        // The batch is kept until the last of its entries is forgotten.
        #expect(try await sqlite.example.log().map(\.batch) == Array(repeating: "batch", count: count - part))
        try await sqlite.example.expire(at: 100_000)
        #expect(try await sqlite.example.log().isEmpty)
        let batches = try await sqlite.store.read { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM log_batch") }
        #expect(batches == 0)
    }

    /// The first version had no log, so its stored notifications are delivered and removed without log entries.
    @Test func fileOfTheFirstVersionGetsALog() async throws {
        let folder = try ScratchFolder()
        try await makeFirstVersion(in: folder)
        let opened = try SQLiteStore.open(in: folder)
        #expect(opened.report.version == 10)
        let store = opened.store
        let agent = AgentID(namespace: .standard, number: 1)
        #expect(try await store.stored(agent).map(\.sequence) == [1, 2])
        #expect(
            try await store.namespaces() == [
                NamespaceSummary(name: .standard, devices: 1, stored: 2, oldest: .seconds(90))
            ]
        )
        #expect(try await store.batch("old", in: .standard)?.counts.states == [.stored: 2, .dropped: 1])
        try await store.recordAttempts([1: DeliveryAttempts(at: .noon)], in: .standard)
        let attempts = [1: DeliveryAttempts(at: .noon)]
        #expect(try await store.acknowledge(agent, [1], attempts: attempts, at: .noon).removals.count == 1)
        #expect(try await store.removeExpired(in: .standard, at: .seconds(500)).removals.map(\.sequence) == [2])
        #expect(try await store.logEntries(matching: LogQuery(), in: .standard).isEmpty)
        let batch = NewBatch(id: "new", notifications: [.example("n1")])
        let logged = try await store.append(batch, at: .noon).appended?.logSequences
        #expect(logged == 4...4)
        #expect(try await store.logEntries(matching: LogQuery(token: "tablet"), in: .standard).map(\.batch) == ["new"])
    }

    /// Writes a file of the first version, with two notifications in an inbox and one in flight.
    private func makeFirstVersion(in folder: ScratchFolder) async throws {
        let queue = try DatabaseQueue(path: StoreFolder(path: folder.path).databasePath)
        try Migrations.migrator.migrate(queue, upTo: "1")
        try await queue.write { database in
            try database.execute(
                sql: """
                    PRAGMA application_id = \(Migrations.applicationID);
                    UPDATE store SET commits = 3, sequence = 3, agents = 1, batches = 1;
                    INSERT INTO namespace VALUES (1, 'default', NULL);
                    INSERT INTO agent VALUES (1, 1, x'01');
                    INSERT INTO device VALUES (1, 1, 'tablet', 1, 'iPad', 'active', 0, 0);
                    INSERT INTO device_topic VALUES (1, 1, 'clowns');
                    INSERT INTO batch VALUES (1, 1, 'old', 90000, NULL, 0, 1, 2, 0, 0, 0, 0, 0, NULL);
                    INSERT INTO item VALUES
                        (1, 1, 1, 1, 1, 'clowns', 'alert', 10, NULL, NULL, NULL, NULL, NULL, 'a', x'7B7D'),
                        (1, 1, 2, 1, 1, 'clowns', 'alert', 10, 500, 500, NULL, NULL, NULL, 'b', x'7B7D');
                    """
            )
        }
        try queue.close()
    }
}
