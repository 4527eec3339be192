import Foundation
import GRDB
import PushRules
import Testing
import WaypostSchema
import WaypostTestSupport

@testable import GatewayStore

/// Tests of the segments of the log, and of the names in them.
@Suite struct LogSegmentTests {
    /// Other versions of the gateway have written hashes to files, so they never change.
    @Test(arguments: [
        (LogKey.id("n1"), 9, UInt32(735_339_517)), (.device(7), 15, 1_886_543_348),
        (.token("tablet"), 14, 697_644_227),
    ])
    func hashesOfNamesStayTheSame(_ key: LogKey, bucket: Int, storedBits: UInt32) {
        #expect(key.hash.bucket == bucket)
        #expect(key.hash.storedBits == storedBits)
    }

    @Test func bucketsContainTheDistancesOfAName() {
        var buckets = LogKeyBuckets()
        for distance in [4_095, 0, 300] { buckets.add(.device(1), at: distance) }
        for device in 2..<500 { buckets.add(.device(device), at: device) }
        let bytes = Dictionary(uniqueKeysWithValues: buckets.nonEmptyBuckets)
        for (device, distances) in [(1, [0, 300, 4_095]), (2, [2]), (499, [499]), (500, [])] {
            let hash = LogKeyHash.device(device)
            #expect(LogKeyBuckets.distances(of: hash, in: bytes[hash.bucket] ?? []) == distances)
        }
    }

    /// A log of six segments, which holds the tablet's, the phone's and nobody's notifications in several states.
    private func makeLog(_ random: inout SeededGenerator) async throws -> SQLiteExample {
        let sqlite = try await SQLiteExample()
        for batch in 0..<24 {
            // Some batches begin in one segment and end in the next one.
            let start = (batch / 4 + 1) << LogSegment.bits - 5 + batch % 4 * 2
            try await sqlite.store.groupCommit.write { transaction in
                transaction.counters.lastSequence = max(transaction.counters.lastSequence, start)
            }
            let notifications = (0..<Int.random(in: 1...6, using: &random)).map { item -> NewNotification in
                var notification = NewNotification.example(
                    // An identifier may be used more than once.
                    NotificationID(rawValue: "\(Int.random(in: 0..<40, using: &random))"),
                    to: ["tablet", "phone", "nobody"].randomElement(using: &random) ?? "tablet",
                    for: Bool.random(using: &random) ? "clowns" : "notes",
                    expiration: [nil, 0, 1_000_000].randomElement(using: &random) ?? nil
                )
                notification.traceparent = (StoreWalk.traces + [nil]).randomElement(using: &random) ?? nil
                return notification
            }
            let now = Timestamp.seconds(100 + batch)
            try await sqlite.example.take(contentsOf: notifications, as: BatchID(rawValue: "\(batch)"), at: now)
        }
        let sequences = try await sqlite.store.stored(sqlite.example.home).map(\.sequence)
        let acknowledged = sequences.filter { _ in Bool.random(using: &random) }
        _ = try await sqlite.store.acknowledge(sqlite.example.home, acknowledged)
        return sqlite
    }

    /// Returns whether a query without a limit finds an entry.
    private func isFound(_ entry: LogEntry, by query: LogQuery) -> Bool {
        if let token = query.token, entry.subject.token != token { return false }
        if let trace = query.trace, entry.subject.traceparent?.traceID != trace { return false }
        if let topic = query.topic, entry.subject.topic != topic { return false }
        if let states = query.states, !states.contains(entry.state) { return false }
        if let since = query.since, entry.createdAt < since { return false }
        if case .after(let sequence) = query.start, entry.sequence <= sequence { return false }
        return true
    }

    @Test(arguments: 0..<4) func everyPageIsAPartOfTheWholeLog(_ seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let sqlite = try await makeLog(&random)
        let whole = try await sqlite.example.log()
        #expect(Set(whole.map { LogSegment.number(of: $0.sequence) }).count >= 6)
        #expect(whole.map(\.sequence) == whole.map(\.sequence).sorted())
        for _ in 0..<100 {
            let query = LogQuery(
                token: [nil, "tablet", "phone", "nobody", "stranger"].randomElement(using: &random) ?? nil,
                trace: (StoreWalk.traces.map(\.traceID) + [nil, nil]).randomElement(using: &random) ?? nil,
                topic: Bool.random(using: &random) ? nil : "clowns",
                states: Bool.random(using: &random)
                    ? nil : Set(DeliveryState.allCases.filter { _ in Bool.random(using: &random) }),
                since: Bool.random(using: &random) ? nil : .seconds(Int.random(in: 99...125, using: &random)),
                start: whole.randomElement(using: &random).map {
                    Bool.random(using: &random) ? .latest : .after($0.sequence)
                } ?? .latest,
                limit: [1, 3, 10, 1_000].randomElement(using: &random) ?? 1
            )
            let found = whole.filter { isFound($0, by: query) }
            let page = query.start == .latest ? Array(found.suffix(query.limit)) : Array(found.prefix(query.limit))
            #expect(try await sqlite.store.logEntries(matching: query, in: .standard) == page, "\(query)")
        }
        for id in Set(whole.compactMap(\.subject.id)) {
            #expect(try await sqlite.store.logEntry(of: id, in: .standard) == whole.last { $0.subject.id == id })
        }
    }

    private func count(_ sql: String, _ sqlite: SQLiteExample) async throws -> Int {
        try await sqlite.store.read { try Int.fetchOne($0, sql: sql) ?? 0 }
    }

    @Test func segmentIsIndexedOnceItIsComplete() async throws {
        var random = SeededGenerator(seed: 1)
        let sqlite = try await makeLog(&random)
        // The segments of a batch that is in two are indexed with the first batch after both.
        try await sqlite.store.groupCommit.write { $0.counters.lastSequence = 9 << LogSegment.bits }
        try await sqlite.example.take(.example("next"), as: "next")
        let segments = try await count("SELECT COUNT(*) FROM log_segment", sqlite)
        #expect(try await count("SELECT COUNT(*) FROM log_segment WHERE is_indexed = 0", sqlite) == 1)
        #expect(try await count("SELECT COUNT(DISTINCT segment) FROM log_name", sqlite) == segments - 1)
    }

    @Test func segmentGoesWithItsLastEntry() async throws {
        var random = SeededGenerator(seed: 2)
        let sqlite = try await makeLog(&random)
        let example = sqlite.example
        let retention = Retention.logLifetime
        try await example.expire(at: retention + 10_000)
        // What is still in the inbox keeps its segment.
        let kept = try await example.log()
        #expect(!kept.isEmpty)
        #expect(kept.allSatisfy { $0.state == .stored })
        #expect(try await example.logged(LogQuery(token: "tablet", limit: .max)).count > 0)
        let sequences = try await sqlite.store.stored(example.home).map(\.sequence)
        _ = try await sqlite.store.acknowledge(example.home, sequences, at: .seconds(retention + 10_000))
        try await example.expire(at: 3 * retention)
        #expect(try await example.log().isEmpty)
        // The newest segment may get more entries.
        #expect(try await count("SELECT COUNT(*) FROM log_segment", sqlite) == 1)
        #expect(try await count("SELECT COUNT(*) FROM log_name", sqlite) == 0)
        #expect(try await count("SELECT COUNT(*) FROM log_batch", sqlite) == 0)
    }

    @Test func resetDeletesAllSegmentsOfOneNamespace() async throws {
        var random = SeededGenerator(seed: 3)
        let sqlite = try await makeLog(&random)
        _ = try await sqlite.store.join("tablet", .home, in: "other")
        let batch = NewBatch(id: "other", namespace: "other", notifications: [.example("n1")])
        _ = try await sqlite.store.append(batch, at: .noon)
        _ = try await sqlite.store.reset(.standard)
        #expect(try await count("SELECT COUNT(*) FROM log", sqlite) == 0)
        #expect(try await count("SELECT COUNT(*) FROM log_name", sqlite) == 0)
        #expect(try await count("SELECT COUNT(*) FROM log_segment", sqlite) == 1)
        #expect(try await sqlite.store.logEntries(matching: LogQuery(), in: "other").map(\.subject.id) == ["n1"])
    }

    /// In the sixth version, each notification in an inbox also had a row in the log.
    @Test func fileOfTheSixthVersionKeepsItsLog() async throws {
        let folder = try ScratchFolder()
        let queue = try DatabaseQueue(path: StoreFolder(path: folder.path).databasePath)
        try Migrations.migrator.migrate(queue, upTo: "6")
        try await queue.write { database in
            try database.execute(
                sql: """
                    PRAGMA application_id = \(Migrations.applicationID);
                    UPDATE store SET commits = 3, sequence = 5000, agents = 1, batches = 1;
                    INSERT INTO namespace VALUES (1, 'default', NULL);
                    INSERT INTO agent VALUES (1, 1, x'01');
                    INSERT INTO device VALUES (1, 1, 'tablet', 1, 'iPad', 'active', 0, 0);
                    INSERT INTO device_topic VALUES (1, 1, 'clowns');
                    INSERT INTO batch VALUES (1, 1, 'old', 90000, NULL, 0, 0, 1, 1, 0, 0, 0, 0, NULL);
                    INSERT INTO item VALUES
                        (1, 1, 2, 1, 1, 'clowns', 'alert', 10, NULL, NULL, 'c', 'ic', NULL, 'b', x'7B7D', NULL);
                    INSERT INTO log_batch VALUES (1, 1, 'old', 90000, 1, 5000);
                    INSERT INTO log VALUES
                        (1, 1, 1, 'acknowledged', 95000, 1, 'clowns', 'alert', 10, NULL, NULL, 'a', 1, 91000, 92000,
                            NULL, NULL, NULL, NULL, NULL),
                        (1, 2, 1, 'stored', NULL, 1, 'clowns', 'alert', 10, NULL, 'c', 'b', 2, 93000, 94000,
                            NULL, NULL, NULL, NULL, NULL),
                        (1, 5000, 1, 'rejected', 90000, NULL, NULL, NULL, NULL, NULL, NULL, 'x', 0, NULL, NULL,
                            'nobody', 400, 'BadDeviceToken', 'no device has it', NULL);
                    """
            )
        }
        try queue.close()
        let store = try SQLiteStore.open(in: folder).store
        let log = try await store.logEntries(matching: LogQuery(), in: .standard)
        #expect(log.map(\.sequence) == [1, 2, 5_000])
        #expect(log.map(\.state) == [.acknowledged, .stored, .rejected])
        #expect(log.map { $0.attempts?.count } == [1, 2, nil])
        #expect(log.map(\.subject.token) == ["tablet", "tablet", "nobody"])
        #expect(try await store.logEntry(of: "b", in: .standard) == log[1])
        #expect(try await store.logEntries(matching: LogQuery(token: "nobody"), in: .standard) == [log[2]])
        let agent = AgentID(namespace: .standard, number: 1)
        #expect(try await store.stored(agent).map(\.wasSent) == [true])
        // The next notification indexes the segments that are complete.
        let batch = NewBatch(id: "new", notifications: [.example("n1", collapseID: "c")])
        let appended = try await store.append(batch, at: .seconds(96)).appended
        #expect(appended?.logSequences == 5_001...5_001)
        #expect(try await store.logEntry(of: "b", in: .standard)?.state == .collapsed)
        let moved = try await store.logEntries(matching: LogQuery(token: "tablet"), in: .standard)
        #expect(moved.map(\.sequence) == [1, 2, 5_001])
        let retention = Retention.logLifetime
        _ = try await store.removeExpired(in: .standard, at: .seconds(95 + retention))
        #expect(try await store.logEntries(matching: LogQuery(), in: .standard).map(\.sequence) == [2, 5_001])
    }
}
