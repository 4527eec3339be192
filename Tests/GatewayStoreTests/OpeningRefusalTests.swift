import Foundation
import GRDB
import Testing
import WaypostSchema
import WaypostTestSupport

@testable import GatewayStore

@Suite struct OpeningRefusalTests {
    private let folder: ScratchFolder
    private let database: String

    init() throws {
        folder = try ScratchFolder()
        database = folder.path(of: StoreFile.database.rawValue)
    }

    private func contents(_ file: StoreFile) -> Data? {
        FileManager.default.contents(atPath: folder.path(of: file.rawValue))
    }

    /// Expects that the store is not opened, and that the database and its write-ahead log stay unchanged.
    private func expectRefusal(_ error: StoreOpeningError) {
        let before = [contents(.database), contents(.log)]
        #expect(throws: error) { try SQLiteStore.open(in: folder) }
        #expect([contents(.database), contents(.log)] == before)
        #expect("\(error)".contains(folder.path))
    }

    private func makeStore() async throws {
        let store = try SQLiteStore.open(in: folder).store
        _ = try await ExampleStore(in: store)
        try store.close()
    }

    @Test func secondStoreIsRefusedUntilTheFirstIsClosed() async throws {
        let first = try SQLiteStore.open(in: folder).store
        expectRefusal(.inUse(path: folder.path))
        try first.close()
        let second = try SQLiteStore.open(in: folder).store
        #expect(try await second.namespaces().isEmpty)
    }

    @Test func newerFileIsLeftUnchanged() async throws {
        try await makeStore()
        let queue = try DatabaseQueue(path: database)
        try await queue.write {
            try $0.execute(sql: "CREATE TABLE novelty (a); PRAGMA user_version = \(Migrations.version + 1)")
        }
        try queue.close()
        expectRefusal(
            .unsupportedVersion(path: database, version: Migrations.version + 1, supported: Migrations.version)
        )
    }

    @Test func fileThatIsNewerOnlyInItsLogIsLeftUnchanged() async throws {
        try await makeStore()
        let queue = try DatabaseQueue(path: database)
        try await queue.write {
            try $0.execute(sql: "CREATE TABLE novelty (a); PRAGMA user_version = \(Migrations.version + 1)")
        }
        // The files are now in the state that a crash leaves; closing the connection would clean them up.
        let crashed = [StoreFile.database, .log].map { ($0.rawValue, contents($0)) }
        try queue.close()
        for (name, bytes) in crashed { _ = try folder.write(try #require(bytes), to: name) }
        expectRefusal(
            .unsupportedVersion(path: database, version: Migrations.version + 1, supported: Migrations.version)
        )
    }

    @Test func fileOfAnotherProgramIsLeftUnchanged() async throws {
        let queue = try DatabaseQueue(path: database)
        try await queue.write { try $0.execute(sql: "CREATE TABLE mail (a); INSERT INTO mail VALUES (1)") }
        try queue.close()
        expectRefusal(.foreign(path: database))
    }

    @Test(arguments: ["x", "SQLite format 3", "A letter.\n", String(repeating: "SQLite format 3\u{0}", count: 300)])
    func fileThatIsNotADatabaseIsLeftUnchanged(_ text: String) throws {
        _ = try folder.write(text.utf8, to: StoreFile.database.rawValue)
        expectRefusal(.foreign(path: database))
    }

    @Test func emptyFileBecomesANewStore() async throws {
        _ = try folder.write([], to: StoreFile.database.rawValue)
        #expect(try await SQLiteStore.open(in: folder).store.namespaces().isEmpty)
    }

    @Test func fileThatAnotherProgramHoldsIsReportedAsLocked() async throws {
        try await makeStore()
        let other = try DatabaseQueue(path: database)
        try await other.writeWithoutTransaction {
            try $0.execute(sql: "PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; COMMIT")
        }
        #expect(throws: StoreOpeningError.locked(path: database)) { try SQLiteStore.open(in: folder) }
        try other.close()
        #expect(try await SQLiteStore.open(in: folder).store.namespaces().map(\.devices) == [3])
    }

    @Test func folderThatIsAFileCannotBeCreated() throws {
        let path = try folder.write([], to: "taken")
        let error = #expect(throws: StoreOpeningError.self) { try SQLiteStore.open(in: path) }
        guard case .folderCannotBeMade(path, _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test(arguments: ["lock", "commits", "waypost.sqlite"])
    func fileThatIsAFolderCannotBeWritten(_ name: String) throws {
        try FileManager.default.createDirectory(atPath: folder.path(of: name), withIntermediateDirectories: true)
        #expect(throws: StoreOpeningError.notWritable(path: folder.path(of: name))) {
            try SQLiteStore.open(in: folder)
        }
    }

    @Test func missingFoldersAreCreated() async throws {
        let path = folder.path(of: "new/and/deep")
        let store = try SQLiteStore.open(in: path).store
        #expect(try await store.namespaces().isEmpty)
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect(attributes[.posixPermissions] as? Int == 0o700)
    }

    /// Creates a store with a notification, and overwrites the root page of `table`.
    private func damage(_ table: String) async throws {
        let store = try SQLiteStore.open(in: folder).store
        try await ExampleStore(in: store).take(.example("n1"))
        let root = try await store.read { database in
            try Int.fetchOne(database, sql: "SELECT rootpage FROM sqlite_master WHERE name = ?", arguments: [table])
        }
        try store.close()
        var bytes = try #require(contents(.database))
        let start = (try #require(root) - 1) * 4_096
        bytes.replaceSubrange(start..<start + 3_000, with: Data(repeating: 0xA5, count: 3_000))
        try bytes.write(to: URL(filePath: database))
    }

    @Test(arguments: ["item", "batch", "device", "item_slot", "agent_digest"])
    func damagedFileIsRefused(_ table: String) async throws {
        try await damage(table)
        let error = #expect(throws: StoreOpeningError.self) { try SQLiteStore.open(in: folder) }
        guard case .damaged(database, let finding) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(!finding.isEmpty)
    }

    @Test func damagedFileThatIsTooLargeToBeCheckedFailsOnUse() async throws {
        try await damage("item")
        var tuning = SQLiteTuning.hasty
        tuning.maximumCheckedBytes = 4_096
        let store = try SQLiteStore.open(in: folder.path, tuning: tuning).store
        #expect(try await store.device("tablet", in: .standard) != nil)
        let error = await #expect(throws: StoreError.self) { try await ExampleStore(in: store).take(.example("n2")) }
        guard case .failed = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test(arguments: StoreOpeningError.examples) func everyErrorNamesThePath(_ error: StoreOpeningError) {
        #expect("\(error)".contains("/data"))
    }
}

extension StoreOpeningError {
    fileprivate static let examples: [Self] = [
        .folderCannotBeMade(path: "/data", reason: "r"), .notWritable(path: "/data"), .inUse(path: "/data"),
        .locked(path: "/data"), .foreign(path: "/data"), .unsupportedVersion(path: "/data", version: 2, supported: 1),
        .damaged(path: "/data", finding: "f"), .full(path: "/data"), .failed(path: "/data", reason: "r"),
    ]
}
