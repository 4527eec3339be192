import Dispatch
import Foundation
import GRDB
import LocalFiles
import Testing
import WaypostSchema
import WaypostTestSupport

@testable import GatewayStore

/// Tests of checkpoints, which copy the write-ahead log into the database, and of the commit note meanwhile.
@Suite struct WalCheckpointTests {
    private static let checkpointThreshold = 100_000

    private func makeStore() async throws -> SQLiteExample {
        try await SQLiteExample { $0.checkpointThreshold = Self.checkpointThreshold }
    }

    private func append(_ names: Range<Int>, to sqlite: SQLiteExample) async throws {
        for name in names.map(String.init) {
            let id = NotificationID(rawValue: name)
            try await sqlite.example.take(.example(id), as: BatchID(rawValue: name))
        }
    }

    private func note(of sqlite: SQLiteExample) throws -> CommitRecord? {
        try CommitRecord.read(OpenFile(path: sqlite.path(of: .commits)))
    }

    /// Waits until the writer has finished its work after the last answer.
    private func settle(_ sqlite: SQLiteExample) async throws {
        try await sqlite.onWriter { _ in }
    }

    @Test func logStaysShort() async throws {
        let sqlite = try await makeStore()
        for batch in 0..<40 {
            try await append(batch * 5..<(batch + 1) * 5, to: sqlite)
            #expect(try sqlite.length(of: .log) < 2 * Self.checkpointThreshold)
        }
        try await settle(sqlite)
        #expect(try sqlite.length(of: .database) > Self.checkpointThreshold / 4)
        #expect(try note(of: sqlite)?.isCheckpointing == false)
        #expect(try await sqlite.example.inbox().count == 200)
    }

    @Test func closedStoreHasEverythingInTheDatabase() async throws {
        let sqlite = try await makeStore()
        try await append(0..<5, to: sqlite)
        #expect(try sqlite.length(of: .log) > 0)
        try sqlite.store.close()
        #expect((try? sqlite.length(of: .log)) ?? 0 == 0)
        #expect(try note(of: sqlite)?.isCheckpointing == false)
        let alone = try ScratchFolder()
        try FileManager.default.copyItem(
            atPath: sqlite.path(of: .database),
            toPath: alone.path(of: StoreFile.database.rawValue)
        )
        let store = try SQLiteStore.open(in: alone).store
        #expect(try await sqlite.example.moved(to: store).inbox() == ["0", "1", "2", "3", "4"])
    }

    /// The connection that writes is closed last if nobody closes the store, for example because opening it failed.
    @Test func releasedStoreLeavesItsLogAndItsDatabase() async throws {
        let folder = try ScratchFolder()
        let path = folder.path(of: StoreFile.database.rawValue)
        var database = Data()
        do {
            let example = try await ExampleStore(in: SQLiteStore.open(in: folder).store)
            try await example.take(.example("1"))
            database = try Data(contentsOf: URL(filePath: path))
        }
        let lock = try OpenFile(path: folder.path(of: "lock"), O_RDWR)
        try await waitUntil("the store is closed") { try lock.lock() }
        #expect(try Data(contentsOf: URL(filePath: path)) == database)
        #expect(StoreFolder(path: folder.path).hasLogContents)
        lock.unlock()
    }

    /// Returns a store with the notifications 0, 1 and 2, in which a sync has failed since.
    private func makeStoreAfterFailedSync() async throws -> SQLiteExample {
        let sqlite = try await makeStore()
        try await append(0..<3, to: sqlite)
        let error = DatabaseError(resultCode: .SQLITE_IOERR_FSYNC)
        await #expect(throws: StoreError(error)) { try await sqlite.onWriter { _ in throw error } }
        return sqlite
    }

    @Test func failedSyncIsRecordedUntilTheNextOpening() async throws {
        let sqlite = try await makeStoreAfterFailedSync()
        let recorded = try #require(try note(of: sqlite))
        #expect(recorded.hasFailedSync && !recorded.isCheckpointing)
        let counters = try await sqlite.store.read { try StoreCounters.fetch($0) }
        #expect(recorded.counters == counters)
        let database = try Data(contentsOf: URL(filePath: sqlite.path(of: .database)))
        try sqlite.store.close()
        // The log may have gaps on the disk, so nothing of it is copied.
        #expect(try Data(contentsOf: URL(filePath: sqlite.path(of: .database))) == database)
        #expect(try sqlite.length(of: .log) > 0)
        try sqlite.reopen()
        #expect(try note(of: sqlite)?.hasFailedSync == false)
        #expect(sqlite.report.lostCommits == nil)
        #expect(try await sqlite.example.inbox() == ["0", "1", "2"])
    }

    /// SQLite would share the other program's index of the log, which may be made of what the system had in memory.
    @Test func storeIsOpenedAfterAFailedSyncOnlyIfNoOtherProgramUsesIt() async throws {
        let sqlite = try await makeStoreAfterFailedSync()
        try sqlite.store.close()
        let path = sqlite.path(of: .database)
        let other = try #require(FileHandle(forUpdatingAtPath: path))
        var lock = flock()
        lock.l_type = Int16(F_RDLCK)
        lock.l_whence = Int16(SEEK_SET)
        lock.l_start = 0x4000_0002
        lock.l_len = 510
        // The command F_OFD_SETLK, which Swift does not import: the lock counts as one of another process.
        let status = fcntl(other.fileDescriptor, 37, &lock)
        try #require(status == 0)
        #expect(throws: StoreOpeningError.locked(path: path)) { try sqlite.reopen() }
        #expect(try note(of: sqlite)?.hasFailedSync == true)
        try other.close()
        try sqlite.reopen()
        #expect(try await sqlite.example.inbox() == ["0", "1", "2"])
    }

    /// A read or a write that failed leaves no gap in the log.
    @Test(arguments: [ResultCode.SQLITE_IOERR_READ, .SQLITE_IOERR_WRITE, .SQLITE_CORRUPT])
    func otherDiskErrorIsNotAFailedSync(_ code: ResultCode) async throws {
        let sqlite = try await makeStore()
        let error = DatabaseError(resultCode: code)
        await #expect(throws: StoreError(error)) { try await sqlite.onWriter { _ in throw error } }
        #expect(try note(of: sqlite)?.hasFailedSync == false)
    }

    /// Runs `body` during a read, which prevents the truncation of the log.
    private func whileReading(_ sqlite: SQLiteExample, _ body: () async throws -> Void) async throws {
        let gate = DispatchSemaphore(value: 0)
        let begun = AsyncStream.makeStream(of: Void.self)
        let store = sqlite.store
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                try await store.read { database in
                    _ = try StoreCounters.fetch(database)
                    begun.continuation.finish()
                    gate.wait()
                }
            }
            for await _ in begun.stream {}
            let result: Result<Void, any Error>
            do {
                result = .success(try await body())
            } catch {
                result = .failure(error)
            }
            gate.signal()
            try await group.waitForAll()
            try result.get()
        }
    }

    @Test func noteStaysUntilTheLogIsTruncated() async throws {
        let sqlite = try await makeStore()
        try await whileReading(sqlite) {
            try await append(0..<40, to: sqlite)
            #expect(try note(of: sqlite)?.isCheckpointing == true)
            #expect(try sqlite.length(of: .log) > Self.checkpointThreshold)
        }
        try await append(40..<120, to: sqlite)
        try await settle(sqlite)
        #expect(try note(of: sqlite)?.isCheckpointing == false)
        #expect(try await sqlite.example.inbox().count == 120)
    }

    @Test func crashDuringACheckpointLosesNothing() async throws {
        let sqlite = try await makeStore()
        var image: ScratchFolder?
        try await whileReading(sqlite) {
            try await append(0..<40, to: sqlite)
            image = try sqlite.crashImage()
        }
        let folder = try #require(image)
        let opened = try SQLiteStore.open(in: folder)
        #expect(opened.report.lostCommits == nil)
        #expect(try await sqlite.example.moved(to: opened.store).inbox().count == 40)
        let note = try CommitRecord.read(OpenFile(path: folder.path(of: StoreFile.commits.rawValue)))
        #expect(note?.isCheckpointing == false)
    }

    @Test func damageIsFoundAfterACrashDuringACheckpoint() async throws {
        let sqlite = try await makeStore()
        try await append(0..<40, to: sqlite)
        try sqlite.store.close()
        let former = try Data(contentsOf: URL(filePath: sqlite.path(of: .database)))
        try sqlite.reopen()
        try await append(40..<80, to: sqlite)
        try sqlite.store.close()
        var database = try Data(contentsOf: URL(filePath: sqlite.path(of: .database)))
        // Every second page is replaced by an older version.
        for page in stride(from: 8_192, to: former.count, by: 8_192) {
            database.replaceSubrange(page..<page + 4_096, with: former[page..<page + 4_096])
        }
        try database.write(to: URL(filePath: sqlite.path(of: .database)))
        var noted = try #require(try note(of: sqlite))
        noted.isCheckpointing = true
        #expect(try OpenFile(path: sqlite.path(of: .commits), O_RDWR).overwrite(with: noted.bytes))
        let error = #expect(throws: StoreOpeningError.self) { try sqlite.reopen() }
        guard case .damaged(_, let finding) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(!finding.isEmpty)
    }
}
