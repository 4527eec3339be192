import Foundation
import GRDB
import Testing
import WaypostSchema
import WaypostTestSupport

@testable import GatewayStore

/// Databases whose creation was interrupted, by SIGKILL or by a power failure.
@Suite struct InterruptedCreationTests {
    private static let database = StoreFile.database.rawValue
    private static let journal = database + "-journal"

    @Test func transactionThatWasCreatingTheDatabaseIsRolledBack() async throws {
        try await expectEmptyStore(in: interruptedCreation())
    }

    /// A part of a store that the journal of an interrupted creation would destroy.
    enum Part: CaseIterable {
        /// A database that was restored beside the journal.
        case database

        /// A database all of which is in the write-ahead log.
        case log

        /// The record of confirmed commits.
        case commits
    }

    /// SQLite rolls back a journal with a header; the connection that looks at one without a header removes the log.
    @Test(arguments: Part.allCases, [true, false])
    func journalBesideContentsIsRefused(_ part: Part, _ hasHeader: Bool) async throws {
        let creation = try await interruptedCreation()
        let folder = try await part == .commits ? creation : folderWithContents(part)
        var journal = try #require(FileManager.default.contents(atPath: creation.path(of: Self.journal)))
        if !hasHeader { journal.replaceSubrange(0..<28, with: Data(count: 28)) }
        let path = try folder.write(journal, to: Self.journal)
        if part == .commits {
            let counters = StoreCounters(commitCount: 1, lastSequence: 1, lastAgentNumber: 0, lastBatchNumber: 0)
            _ = try folder.write(CommitRecord(counters: counters).bytes, to: StoreFile.commits.rawValue)
        }
        expectRefusal(
            of: folder,
            finding: "there is a rollback journal beside a database with contents; move \(path) away"
        )
        guard part != .commits else { return }
        try FileManager.default.removeItem(atPath: path)
        let store = try SQLiteStore.open(in: folder).store
        let devices = try await store.namespaces().map(\.devices)
        #expect(devices == (part == .database ? [3] : []))
        try store.close()
    }

    @Test(arguments: [1, 4096, 1 << 16]) func databaseWithoutContentsIsCreatedAgain(_ size: Int) async throws {
        let folder = try ScratchFolder()
        _ = try folder.write([UInt8](repeating: 0, count: size), to: Self.database)
        try await expectEmptyStore(in: folder)
        try await expectEmptyStore(in: folder)
    }

    @Test func databaseWhoseStartIsZerosIsRefused() async throws {
        let folder = try await folderWithContents(.database)
        var bytes = try #require(FileManager.default.contents(atPath: folder.path(of: Self.database)))
        bytes.replaceSubrange(0..<512, with: Data(count: 512))
        _ = try folder.write(bytes, to: Self.database)
        expectRefusal(of: folder, finding: "its first 100 bytes are 0")
        // No new database is as long.
        _ = try folder.write([UInt8](repeating: 0, count: 1 << 16 + 1), to: Self.database)
        expectRefusal(of: folder, finding: "its first 100 bytes are 0")
    }

    /// SQLite removes the log of a database without contents.
    @Test(arguments: [0, 4096]) func logOfADatabaseWithoutContentsIsKept(_ size: Int) async throws {
        let folder = try await folderWithContents(.log)
        _ = try folder.write([UInt8](repeating: 0, count: size), to: Self.database)
        expectRefusal(of: folder, finding: "it has no contents, but its write-ahead log has")
    }

    /// Returns a folder with the files that SIGKILL leaves while a transaction creates a database.
    private func interruptedCreation() async throws -> ScratchFolder {
        let folder = try ScratchFolder()
        let image = try ScratchFolder()
        let queue = try DatabaseQueue(path: folder.path(of: Self.database))
        try await queue.writeWithoutTransaction { database in
            // A small cache makes SQLite write pages, and the journal, before the transaction ends.
            try database.execute(
                sql: """
                    PRAGMA application_id = \(Migrations.applicationID);
                    PRAGMA cache_size = 1;
                    BEGIN IMMEDIATE;
                    CREATE TABLE filler (bytes BLOB);
                    """
            )
            for _ in 0..<50 { try database.execute(sql: "INSERT INTO filler VALUES (zeroblob(4000))") }
            for name in [Self.database, Self.journal] {
                try FileManager.default.copyItem(atPath: folder.path(of: name), toPath: image.path(of: name))
            }
            try database.execute(sql: "ROLLBACK")
        }
        return image
    }

    /// Returns a folder with a store whose contents are in the database, or all in its log.
    private func folderWithContents(_ part: Part) async throws -> ScratchFolder {
        let image = try ScratchFolder()
        guard part == .log else {
            let sqlite = try await SQLiteExample()
            try sqlite.store.close()
            try withExtendedLifetime(sqlite) {
                try FileManager.default.copyItem(
                    atPath: sqlite.path(of: .database),
                    toPath: image.path(of: Self.database)
                )
            }
            return image
        }
        let folder = try ScratchFolder()
        let queue = try DatabaseQueue(path: folder.path(of: Self.database))
        try await queue.writeWithoutTransaction { database in
            try database.execute(
                sql: """
                    PRAGMA application_id = \(Migrations.applicationID);
                    PRAGMA journal_mode = WAL;
                    PRAGMA wal_autocheckpoint = 0;
                    """
            )
        }
        try Migrations.migrator.migrate(queue)
        for name in [Self.database, StoreFile.log.rawValue] {
            try FileManager.default.copyItem(atPath: folder.path(of: name), toPath: image.path(of: name))
        }
        try queue.close()
        return image
    }

    /// Expects that the store is not opened, and that its files stay unchanged.
    private func expectRefusal(of folder: ScratchFolder, finding: String) {
        let contents = {
            [Self.database, Self.journal, StoreFile.log.rawValue].map {
                FileManager.default.contents(atPath: folder.path(of: $0))
            }
        }
        let before = contents()
        #expect(throws: StoreOpeningError.damaged(path: folder.path(of: Self.database), finding: finding)) {
            try SQLiteStore.open(in: folder)
        }
        #expect(contents() == before)
    }

    private func expectEmptyStore(in folder: ScratchFolder) async throws {
        let store = try SQLiteStore.open(in: folder.path).store
        #expect(try await store.namespaces().isEmpty)
        try store.close()
    }
}
