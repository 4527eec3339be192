import Foundation
import GRDB
import LocalFiles
import Synchronization
import Testing
import WaypostSchema
import WaypostTestSupport

@testable import GatewayStore

/// Copies of SQLite stores.
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
        #expect(
            Set(names).subtracting(["waypost.sqlite-shm", "waypost.sqlite-wal"]) == [
                "commits", "lock", "waypost.sqlite",
            ]
        )
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
        let storeFolder = StoreFolder(path: sqlite.folder.path)
        let lock = try storeFolder.lockDatabase(besides: storeFolder.lock())
        let writer = try DatabasePool(path: path)
        let length = { @Sendable in
            try (FileManager.default.attributesOfItem(atPath: path + "-wal")[.size] as? Int) ?? 0
        }
        try await writer.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA wal_autocheckpoint = 0")
            var log = try WriteAheadLog(
                database,
                in: lock,
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
}
