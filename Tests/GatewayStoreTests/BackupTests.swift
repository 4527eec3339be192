import Foundation
import GRDB
import LocalFiles
import Synchronization
import Testing
import WaypostSchema
import WaypostTestSupport

@testable import GatewayStore

/// Copies of SQLite stores, and restoring them.
@Suite struct BackupTests {
    private let folder: ScratchFolder

    init() throws {
        folder = try ScratchFolder()
    }

    private func backup(of store: SQLiteStore) async throws -> String {
        let copy = try #require(try await store.backup())
        try copy.file.rewind()
        return try folder.write(try copy.file.read(), to: "backup")
    }

    private func example() async throws -> String {
        let store = try SQLiteStore.open(in: folder.path(of: "store")).store
        _ = try await ExampleStore(in: store)
        let path = try await backup(of: store)
        try store.close()
        return path
    }

    @Test func copyHasNoNameInTheFolder() async throws {
        _ = try await example()
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path(of: "store"))
        #expect(names.sorted() == ["commits", "lock", "waypost.sqlite"])
    }

    @Test func copyOfACrashedProcessIsRemoved() throws {
        _ = try SQLiteStore.open(in: folder.path(of: "store"))
        let left = try folder.write("x".utf8, to: "store/.waypost-copy")
        let own = try folder.write("x".utf8, to: "store/copy-of-mine")
        _ = try SQLiteStore.open(in: folder.path(of: "store"))
        #expect(!FileManager.default.fileExists(atPath: left))
        #expect(FileManager.default.fileExists(atPath: own))
    }

    @Test func copyOfACrashedProcessIsReplaced() async throws {
        let store = try SQLiteStore.open(in: folder.path(of: "store")).store
        _ = try folder.write("x".utf8, to: "store/.waypost-copy")
        #expect(try await store.backup() != nil)
    }

    @Test func thereIsOneCopyAtATime() async throws {
        let store = try SQLiteStore.open(in: folder.path(of: "store")).store
        var copy = try await store.backup()
        await #expect(throws: StoreError.busy) { try await store.backup() }
        withExtendedLifetime(copy) {}
        copy = nil
        #expect(try await store.backup() != nil)
    }

    @Test func copyEndsWithTheRequestForIt() async throws {
        let store = try SQLiteStore.open(in: folder.path(of: "store")).store
        // More pages than are copied at once.
        try await DatabaseQueue(path: folder.path(of: "store/waypost.sqlite")).write { database in
            try database.execute(sql: "CREATE TABLE filler AS SELECT randomblob(20000000)")
        }
        let (steps, step) = AsyncStream.makeStream(of: Void.self)
        let isCanceled = DispatchSemaphore(value: 0)
        let request = Task {
            try await store.backup {
                step.yield()
                isCanceled.wait()
            }
        }
        for await _ in steps { break }
        request.cancel()
        isCanceled.signal()
        await #expect(throws: StoreError.self) { try await request.value }
        #expect(try await store.backup() != nil)
    }

    @Test func closedStoreMakesNoCopy() async throws {
        let store = try SQLiteStore.open(in: folder.path(of: "store")).store
        try store.close()
        await #expect(throws: StoreError.self) { try await store.backup() }
    }

    @Test func logIsNotEmptiedWhileACopyIsMade() async throws {
        let sqlite = try await SQLiteExample { $0.checkpointThreshold = 20_000 }
        let isCopied = Mutex(true)
        let path = sqlite.path(of: .database)
        let commits = try OpenFile(path: folder.path(of: "note"), O_RDWR | O_CREAT)
        try await sqlite.example.take(
            contentsOf: (0..<200).map { .example(NotificationID(rawValue: "\($0)")) },
            as: "a",
            at: .noon
        )
        try sqlite.store.close()
        let writer = try DatabasePool(path: path)
        let length = { @Sendable in
            try (FileManager.default.attributesOfItem(atPath: path + "-wal")[.size] as? Int) ?? 0
        }
        try await writer.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA wal_autocheckpoint = 0")
            var log = try WriteAheadLog(
                database,
                commitFile: commits,
                isCheckpointing: false,
                lengthLimit: 4_096
            ) { isCopied.withLock(\.self) }
            var counters = StoreCounters()
            for _ in 0..<20 { try database.execute(sql: "UPDATE item SET payload = CAST(payload || x'20' AS BLOB)") }
            try log.checkpoint(database, &counters)
            #expect(try length() > 0)
            isCopied.withLock { $0 = false }
            for _ in 0..<20 { try database.execute(sql: "UPDATE item SET payload = CAST(payload || x'20' AS BLOB)") }
            try log.checkpoint(database, &counters)
            #expect(try length() == 0)
        }
    }

    @Test func copyIsConsistentWhileChangesGoOn() async throws {
        let store = try SQLiteStore.open(in: folder.path(of: "store")).store
        let example = try await ExampleStore(in: store)
        async let changes: Void = {
            for number in 0..<200 {
                try await example.take(
                    .example(NotificationID(rawValue: "\(number)"), to: "tablet"),
                    as: BatchID(rawValue: "\(number)")
                )
            }
        }()
        let path = try await backup(of: store)
        try await changes
        let target = folder.path(of: "restored")
        _ = try SQLiteStore.restore(path, into: target)
        let restored = try SQLiteStore.open(in: target).store
        let summaries = try await restored.namespaces()
        let log = try await restored.logEntries(matching: LogQuery(start: .after(0), limit: .max), in: .standard)
        #expect(summaries.first?.stored == log.count { $0.state == .stored })
        // It goes on with numbers that the copy does not have.
        let next = try await ExampleStore(example, in: restored).take(.example("next", to: "tablet"), as: "next")
        #expect(next.logSequences?.lowerBound == (log.last?.sequence ?? 0) + 1)
    }

    @Test func folderWithAStoreIsLeftUnchanged() async throws {
        let path = try await example()
        let target = folder.path(of: "store")
        #expect(throws: StoreOpeningError.occupied(path: target)) { try SQLiteStore.restore(path, into: target) }
    }

    @Test func folderWithPartsOfAStoreIsLeftUnchanged() async throws {
        let path = try await example()
        // A log that another database left would be taken for that of the restored one.
        try FileManager.default.createDirectory(atPath: folder.path(of: "parts"), withIntermediateDirectories: true)
        _ = try folder.write("x".utf8, to: "parts/waypost.sqlite-wal")
        let target = folder.path(of: "parts")
        #expect(throws: StoreOpeningError.occupied(path: target)) { try SQLiteStore.restore(path, into: target) }
    }

    @Test func folderInUseIsLeftUnchanged() async throws {
        let path = try await example()
        let target = folder.path(of: "other")
        let store = try SQLiteStore.open(in: target).store
        #expect(throws: StoreOpeningError.inUse(path: target)) { try SQLiteStore.restore(path, into: target) }
        try store.close()
    }

    @Test func newerBackupIsRefused() async throws {
        let path = try await example()
        let newer = Migrations.version + 1
        let queue = try DatabaseQueue(path: path)
        try await queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA user_version = \(newer)") }
        try queue.close()
        expectRefusal(of: path, .unsupportedVersion(path: path, version: newer, supported: Migrations.version))
    }

    @Test func folderIsNotABackup() {
        expectRefusal(of: folder.path, .notReadable(path: folder.path, reason: "Is a directory"))
    }

    @Test(arguments: ["", "x", "SQLite format 3", String(repeating: "SQLite format 3\u{0}", count: 300)])
    func fileThatIsNotABackupIsRefused(_ text: String) throws {
        let path = try folder.write(text.utf8, to: "backup")
        expectRefusal(of: path, .notABackup(path: path))
    }

    @Test func databaseOfAnotherProgramIsRefused() async throws {
        let path = folder.path(of: "mail")
        let queue = try DatabaseQueue(path: path)
        try await queue.write { try $0.execute(sql: "CREATE TABLE mail (a)") }
        try queue.close()
        expectRefusal(of: path, .notABackup(path: path))
    }

    @Test func truncatedBackupIsRefused() async throws {
        let path = try await example()
        let bytes = try OpenFile(path: path).read()
        let part = try folder.write(bytes.prefix(bytes.count / 2), to: "part")
        do throws(StoreOpeningError) {
            _ = try SQLiteStore.restore(part, into: folder.path(of: "restored"))
            Issue.record("a part of a backup was restored")
        } catch {
            guard case .damaged = error else { throw error }
        }
    }

    /// It is refused as a backup and as a store, although its pages belong together.
    @Test(arguments: [
        "CREATE TRIGGER remove AFTER INSERT ON item BEGIN DELETE FROM item; END", "CREATE VIEW names AS SELECT 1",
        "UPDATE store SET commits = 9223372036854775807", "UPDATE store SET sequence = -1",
        "DELETE FROM store",
    ])
    func fileThatNoGatewayHasWrittenIsDamaged(_ change: String) async throws {
        let path = try await example()
        let target = folder.path(of: "restored")
        _ = try SQLiteStore.restore(path, into: target)
        for file in [path, StoreFolder(path: target).databasePath] {
            let queue = try DatabaseQueue(path: file)
            try await queue.writeWithoutTransaction { try $0.execute(sql: change) }
            try queue.close()
        }
        let refusal = #expect(throws: StoreOpeningError.self) {
            _ = try SQLiteStore.restore(path, into: folder.path(of: "other"))
        }
        guard case .damaged = refusal else { throw try #require(refusal) }
        let failure = #expect(throws: StoreOpeningError.self) { _ = try SQLiteStore.open(in: target) }
        guard case .damaged = failure else { throw try #require(failure) }
    }

    @Test func fileThatDoesNotExistIsNamed() {
        let path = folder.path(of: "nothing")
        expectRefusal(of: path, .notFound(path: path))
        #expect("\(StoreOpeningError.notFound(path: path))" == "there is no file \(path)")
    }

    private func expectRefusal(of path: String, _ error: StoreOpeningError) {
        let target = folder.path(of: "restored")
        #expect(throws: error) { try SQLiteStore.restore(path, into: target) }
        // A refusal creates nothing, not even the folder.
        #expect(!FileManager.default.fileExists(atPath: target))
    }
}
