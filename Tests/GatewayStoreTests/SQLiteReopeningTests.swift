import GRDB
import Synchronization
import Testing
import WaypostSchema
import WaypostTestSupport

@testable import GatewayStore

@Suite struct SQLiteReopeningTests {
    /// The way in which a store ends before it is opened again.
    enum Ending: CaseIterable {
        case closed
        case crashed
    }

    /// All answers of a store about an example.
    private struct Answers: Equatable {
        var devices: [RegisteredDevice?] = []
        var inboxes: [[StoredNotification]] = []
        var batches: [BatchRecord?] = []
        var keyed: KeyedBatch?
        var apps: [AppSettings] = []
        var clock: Timestamp?
        var namespaces: [NamespaceSummary] = []
        var agent: AgentID?
        var log: [LogEntry] = []

        init(of example: ExampleStore) async throws {
            let store = example.store
            for token: DeviceToken in ["tablet", "phone", "laptop", "watch", "nobody"] {
                devices.append(try await store.device(token, in: .standard))
            }
            for agent in [example.home, example.away] { inboxes.append(try await store.stored(agent)) }
            for id: BatchID in ["first", "second", "nothing"] {
                batches.append(try await store.batch(id, in: .standard))
            }
            keyed = try await store.batch(with: "key", in: .standard, at: .noon)
            apps = try await store.apps(in: .standard)
            clock = try await store.clock(of: .standard)
            namespaces = try await store.namespaces()
            agent = try await store.agent(withDigest: .away)
            log = try await example.log()
        }
    }

    private func fill(_ example: ExampleStore) async throws {
        let store = example.store
        let batch = NewBatch(
            id: "first",
            notifications: [
                .example("n1", expiration: 1_000), .example("n2", collapseID: "c"), .example("n3", collapseID: "c"),
                .example("n4", to: "laptop", for: "notes", priority: 5), .example("n5", to: "phone"),
                .example("n6", to: "nobody"),
            ],
            rejected: 2,
            key: IdempotencyKey(key: "key", fingerprint: [1, 2, 3]),
            encodeAnswer: { refusals in Array("\(refusals.count)".utf8) }
        )
        _ = try await store.append(batch, at: .noon)
        try await example.take(.example("odd\u{0}\u{1}é", collapseID: "\u{0}"), as: "second")
        try await example.acknowledge("n1")
        try await example.change("laptop", .power(isLowPowerModeEnabled: true))
        try await example.change("phone", .rotation(to: "watch"))
        try await example.change("tablet", .topics(["clowns", "odd\u{0}"]))
        try await example.setStorage(.apns, for: "notes")
        try await store.setClock(of: .standard, to: Timestamp(milliseconds: .max))
        _ = try await store.join("other", .away, in: "other")
    }

    private func reopened(_ ending: Ending, _ sqlite: SQLiteExample) throws -> (OpenedStore, ScratchFolder) {
        let folder = try ending == .crashed ? sqlite.crashImage() : sqlite.folder
        if ending == .closed { try sqlite.store.close() }
        return (try SQLiteStore.open(in: folder), folder)
    }

    @Test(arguments: Ending.allCases) func everythingSurvivesReopening(_ ending: Ending) async throws {
        let sqlite = try await SQLiteExample()
        try await fill(sqlite.example)
        let before = try await Answers(of: sqlite.example)
        #expect(before.inboxes[0].map(\.notification.id) == ["n3", "n5", "odd\u{0}\u{1}é"])
        #expect(before.keyed?.batch.storedAnswer == Array("6".utf8))
        #expect(before.log.map(\.subject.token).count == 9)
        let (opened, folder) = try reopened(ending, sqlite)
        #expect(try await Answers(of: sqlite.example.moved(to: opened.store)) == before)
        #expect(opened.report == OpeningReport(version: Migrations.version, lostCommits: nil))
        withExtendedLifetime(folder) {}
    }

    @Test(arguments: Ending.allCases) func numbersContinueAfterReopening(_ ending: Ending) async throws {
        let sqlite = try await SQLiteExample()
        let first = try await sqlite.example.take(.example("n1"), .example("n2"))
        let last = try await sqlite.example.sequence(of: "n2")
        _ = try await sqlite.store.reset(.standard)
        let (opened, folder) = try reopened(ending, sqlite)
        let example = try await ExampleStore(in: opened.store)
        let second = try await example.take(.example("n3"), as: "second")
        #expect(second.number.rawValue > first.number.rawValue)
        #expect(try await example.sequence(of: "n3") > last)
        #expect(example.home.number > sqlite.example.away.number)
        withExtendedLifetime(folder) {}
    }

    @Test(arguments: Ending.allCases) func transientNotificationIsDropped(_ ending: Ending) async throws {
        let sqlite = try await SQLiteExample()
        let example = sqlite.example
        let flying = (1...3).map { NewNotification.example(NotificationID(rawValue: "\($0)"), expiration: 0) }
        let batch = NewBatch(id: "batch", notifications: flying + [.example("n4")])
        try await example.connect([example.home])
        let appended = try #require(try await example.store.append(batch, at: .noon).appended)
        let ends = appended.deliveries.map { TransientEnd($0, .acknowledged) }
        try await example.store.recordOutcomes([ends[0]])
        #expect(try await example.states() == [.accepted: 2, .acknowledged: 1, .stored: 1])
        let (opened, folder) = try reopened(ending, sqlite)
        // An end that is reported after all is not counted twice.
        try await opened.store.recordOutcomes(ends)
        #expect(try await example.moved(to: opened.store).states() == [.dropped: 2, .acknowledged: 1, .stored: 1])
        withExtendedLifetime(folder) {}
    }

    @Test(arguments: Ending.allCases) func newestOfEachTopicRemainsAfterReopening(_ ending: Ending) async throws {
        let sqlite = try await SQLiteExample()
        let example = sqlite.example
        try await example.setStorage(.apns)
        try await example.take(
            .example("n1"),
            .example("n2"),
            .example("n3", for: "notes"),
            .example("n4", for: "notes"),
            .example("n5", to: "phone"),
            .example("n6"),
            .example("n7", to: "laptop"),
            .example("n8", to: "laptop"),
            connected: [example.home, example.away]
        )
        #expect(try await example.inbox().count == 6)
        let (opened, folder) = try reopened(ending, sqlite)
        let again = example.moved(to: opened.store)
        #expect(try await again.inbox() == ["n3", "n4", "n5", "n6"])
        #expect(try await again.inbox(example.away) == ["n8"])
        #expect(try await again.states() == [.stored: 5, .collapsed: 3])
        try await again.take(.example("n9"), as: "second")
        #expect(try await again.inbox() == ["n3", "n4", "n5", "n9"])
        withExtendedLifetime(folder) {}
    }

    @Test func releasedStoreLeavesItsFolder() async throws {
        let folder = try ScratchFolder()
        _ = try SQLiteStore.open(in: folder)
        let store = try SQLiteStore.open(in: folder).store
        #expect(try await store.namespaces().isEmpty)
    }

    /// Blocks that the database runs may hold the last reference, for example those of an abandoned read.
    @Test func storeCanBeReleasedOnTheQueueOfItsDatabase() throws {
        let database = try DatabaseQueue()
        let store = Mutex<SQLiteStore?>(
            SQLiteStore(
                writer: database,
                groupCommit: GroupCommit(
                    database,
                    StoreWriter(counters: StoreCounters(), log: nil),
                    tuning: .hasty,
                    onCommit: { _ in }
                ),
                lock: nil,
                logRetention: 0
            )
        )
        let isReleased = database.writeWithoutTransaction { _ in
            weak let released = store.withLock(\.self)
            store.withLock { $0 = nil }
            return released == nil
        }
        #expect(isReleased)
    }

    @Test func closedStoreThrowsErrors() async throws {
        let sqlite = try await SQLiteExample()
        try sqlite.store.close()
        try sqlite.store.close()
        await #expect(throws: StoreError.failed("the store is closed")) { try await sqlite.store.namespaces() }
        await #expect(throws: StoreError.failed("the store is closed")) {
            try await sqlite.example.take(.example("n1"))
        }
    }
}
