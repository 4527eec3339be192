import Foundation
import GRDB
import LocalFiles
import Testing
import WaypostTestSupport

@testable import GatewayStore

/// Restoring backups of SQLite stores.
@Suite struct RestoringTests {
    private let folder: ScratchFolder

    init() throws {
        folder = try ScratchFolder()
    }

    /// Saves a backup of the example in the folder `store`, and returns its path.
    private func example() async throws -> String {
        let store = try SQLiteStore.open(in: folder.path(of: "store")).store
        _ = try await ExampleStore(in: store)
        let copy = try #require(try await store.backup())
        try copy.file.rewind()
        let path = try folder.write(try copy.file.read(), to: "backup")
        try store.close()
        return path
    }

    /// Changes the database at `path` with SQL.
    private func change(_ path: String, _ sql: String) async throws {
        let queue = try DatabaseQueue(path: path)
        try await queue.writeWithoutTransaction { try $0.execute(sql: sql) }
        try queue.close()
    }

    /// Changes a backup with SQL, and gives it the digest of the changed database.
    private func changeBackup(_ path: String, _ sql: String) async throws {
        try removeDigest(path)
        try await change(path, sql)
        try BackupTrailer.append(to: try OpenFile(path: path, O_RDWR))
    }

    /// Makes a backup one of an earlier gateway, which has no digest.
    private func removeDigest(_ path: String) throws {
        let file = try OpenFile(path: path, O_RDWR)
        try file.truncate(to: try file.size() - BackupTrailer.length)
    }

    private func names(in folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    }

    @Test func restoredFileHasNoTrailer() async throws {
        let path = try await example()
        let target = folder.path(of: "restored")
        let restored = try SQLiteStore.restore(path, into: target)
        #expect(restored.version == Migrations.version)
        #expect(restored.hasDigest)
        let database = try OpenFile(path: StoreFolder(path: target).databasePath).read()
        #expect(try OpenFile(path: path).read().dropLast(BackupTrailer.length) == database[...])
        #expect(try names(in: target) == ["lock", "waypost.sqlite"])
    }

    @Test func folderWithAStoreIsLeftUnchanged() async throws {
        let path = try await example()
        let target = folder.path(of: "store")
        #expect(throws: StoreOpeningError.occupied(path: target)) { try SQLiteStore.restore(path, into: target) }
    }

    /// A log or journal that another database left would be taken for that of the restored one.
    @Test(arguments: ["waypost.sqlite", "waypost.sqlite-wal", "waypost.sqlite-journal", "commits"])
    func folderWithPartsOfAStoreIsLeftUnchanged(_ part: String) async throws {
        let path = try await example()
        let target = folder.path(of: "parts")
        try FileManager.default.createDirectory(atPath: target, withIntermediateDirectories: true)
        _ = try folder.write("x".utf8, to: "parts/\(part)")
        #expect(throws: StoreOpeningError.occupied(path: target)) { try SQLiteStore.restore(path, into: target) }
        #expect(try names(in: target) == [part])
    }

    @Test func failedCopyLeavesNothing() async throws {
        let path = try await example()
        let target = folder.path(of: "parts")
        // The copy has this name until it is complete.
        let obstacle = folder.path(of: "parts/waypost.sqlite.new")
        try FileManager.default.createDirectory(atPath: obstacle, withIntermediateDirectories: true)
        #expect(throws: StoreOpeningError.self) { try SQLiteStore.restore(path, into: target) }
        #expect(try names(in: target) == ["waypost.sqlite.new"])
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
        try await changeBackup(path, "PRAGMA user_version = \(newer)")
        expectRefusal(of: path, .unsupportedVersion(path: path, version: newer, supported: Migrations.version))
    }

    /// A store has a version before it can be saved.
    @Test(arguments: [0, -1]) func backupWithoutAVersionIsRefused(_ version: Int) async throws {
        let path = try await example()
        try await changeBackup(path, "PRAGMA user_version = \(version)")
        expectRefusal(of: path, .notABackup(path: path))
    }

    @Test(arguments: 1...Migrations.version) func olderBackupIsMigrated(_ version: Int) throws {
        let path = folder.path(of: "backup")
        let queue = try DatabaseQueue(path: path)
        try Migrations.migrator.migrate(queue, upTo: "\(version)")
        try queue.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA application_id = \(Migrations.applicationID)")
        }
        try queue.close()
        let target = folder.path(of: "restored")
        let restored = try SQLiteStore.restore(path, into: target)
        #expect(restored.version == version)
        #expect(!restored.hasDigest)
        #expect(try SQLiteStore.open(in: target).report.version == Migrations.version)
    }

    @Test func folderIsNotABackup() {
        expectRefusal(of: folder.path, .notReadable(path: folder.path, reason: "it is a folder"))
    }

    @Test func namedPipeIsNotWaitedFor() throws {
        let path = folder.path(of: "pipe")
        try #require(mkfifo(path, 0o600) == 0)
        let error = StoreOpeningError.notReadable(path: path, reason: "it is not a regular file")
        expectRefusal(of: path, error)
        #expect("\(error)" == "\(path) cannot be read: it is not a regular file")
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
        let pageCount = bytes.count / 4_096
        // In the trailer, at the end of a page, and after the header.
        for count in [bytes.count - 1, (pageCount - 1) * 4_096, 100] {
            let part = try folder.write(bytes.prefix(count), to: "part")
            let finding = "it has \(count) bytes, and its pages \(pageCount * 4_096)"
            expectRefusal(of: part, .damaged(path: part, finding: finding))
        }
    }

    /// SQLite's own check notices neither a changed letter in a name nor a change in a page that is not in use.
    @Test func everyChangedBitIsNoticed() async throws {
        let path = try await example()
        try await changeBackup(path, "CREATE TABLE filler AS SELECT randomblob(20000) AS bytes; DROP TABLE filler")
        let bytes = try OpenFile(path: path).read()
        // The low byte of the number of unused pages.
        #expect(bytes[39] > 0)
        let bitCount = bytes.count * 8
        var random = SeededGenerator(seed: Trials.seed(41))
        var bits = Array(0..<FileHeader.length * 8)
        bits += bitCount - BackupTrailer.length * 8..<bitCount
        for _ in 0..<300 * Trials.factor { bits.append(Int.random(in: 0..<bitCount, using: &random)) }
        let target = folder.path(of: "restored")
        var acceptedBits: [Int] = []
        for bit in bits {
            var changed = bytes
            changed[bit / 8] ^= 1 << UInt8(bit % 8)
            let file = try folder.write(changed, to: "changed")
            if !isDamaged(file, target) { acceptedBits.append(bit) }
        }
        #expect(acceptedBits.isEmpty)
        #expect(bits.count == 800 + 512 + 300 * Trials.factor)
        #expect(!FileManager.default.fileExists(atPath: target))
        _ = try SQLiteStore.restore(path, into: target)
    }

    private func isDamaged(_ path: String, _ target: String) -> Bool {
        do throws(StoreOpeningError) {
            _ = try SQLiteStore.restore(path, into: target)
            return false
        } catch {
            guard case .damaged = error else { return false }
            return true
        }
    }

    @Test func changedByteIsNamedAsDamage() async throws {
        let path = try await example()
        var bytes = try OpenFile(path: path).read()
        bytes[bytes.count / 2] ^= 1
        _ = try folder.write(bytes, to: "backup")
        let error = StoreOpeningError.damaged(path: path, finding: "it does not match its digest")
        expectRefusal(of: path, error)
        #expect(
            "\(error)" == "\(path) is damaged (it does not match its digest); restore an undamaged backup, or choose "
                + "another folder"
        )
    }

    /// It is refused as a backup and as a store, although its pages belong together.
    @Test(arguments: [
        ("CREATE TABLE extra (a UNIQUE)", "it has the table extra, which no gateway makes"),
        ("CREATE TABLE \"x\u{9B}\" (a)", "it has the table x\\u{009B}, which no gateway makes"),
        ("CREATE UNIQUE INDEX extra ON item (batch)", "it has the index extra, which no gateway makes"),
        (
            "CREATE TRIGGER extra AFTER INSERT ON item BEGIN DELETE FROM item; END",
            "it has the trigger extra, which no gateway makes"
        ),
        ("CREATE VIEW extra AS SELECT 1", "it has the view extra, which no gateway makes"),
        ("DROP INDEX item_deadline", "it does not have the index item_deadline"),
        ("ALTER TABLE log ADD COLUMN extra TEXT", "its table log is not as a gateway makes it"),
        ("UPDATE store SET commits = 9223372036854775807", "its counters are missing or out of range"),
        ("UPDATE store SET sequence = -1", "its counters are missing or out of range"),
        ("DELETE FROM store", "its counters are missing or out of range"),
    ])
    func fileThatNoGatewayHasWrittenIsDamaged(_ sql: String, _ finding: String) async throws {
        let path = try await example()
        let target = folder.path(of: "restored")
        _ = try SQLiteStore.restore(path, into: target)
        let database = StoreFolder(path: target).databasePath
        try await change(database, sql)
        #expect(throws: StoreOpeningError.damaged(path: database, finding: finding)) {
            _ = try SQLiteStore.open(in: target)
        }
        try await changeBackup(path, sql)
        let other = folder.path(of: "other")
        #expect(throws: StoreOpeningError.damaged(path: path, finding: finding)) {
            _ = try SQLiteStore.restore(path, into: other)
        }
        #expect(!FileManager.default.fileExists(atPath: other))
    }

    /// SQLite keeps statistics in tables of its own.
    @Test func statisticsAreAccepted() async throws {
        let path = try await example()
        try await changeBackup(path, "ANALYZE")
        _ = try SQLiteStore.restore(path, into: folder.path(of: "restored"))
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
