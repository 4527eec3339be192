import Foundation
import GRDB
import Testing
import WaypostTestSupport

@testable import GatewayStore

/// Databases whose creation was interrupted, by SIGKILL or by a power failure.
@Suite struct InterruptedCreationTests {
    @Test func transactionThatWasCreatingTheDatabaseIsRolledBack() async throws {
        let folder = try ScratchFolder()
        let image = try ScratchFolder()
        let queue = try DatabaseQueue(path: folder.path(of: "waypost.sqlite"))
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
            for name in ["waypost.sqlite", "waypost.sqlite-journal"] {
                try FileManager.default.copyItem(atPath: folder.path(of: name), toPath: image.path(of: name))
            }
            try database.execute(sql: "ROLLBACK")
        }
        try await expectEmptyStore(in: image)
    }

    @Test func databaseWithoutContentsIsCreatedAgain() async throws {
        let folder = try ScratchFolder()
        _ = try folder.write([UInt8](repeating: 0, count: 4096), to: "waypost.sqlite")
        #expect(try StoreFolder(path: folder.path).readHeader() == nil)
    }

    private func expectEmptyStore(in folder: ScratchFolder) async throws {
        let store = try SQLiteStore.open(in: folder.path).store
        #expect(try await store.namespaces().isEmpty)
        try store.close()
    }
}
