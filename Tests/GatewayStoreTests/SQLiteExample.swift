import Foundation
import GRDB
import Testing
import WaypostSchema
import WaypostTestSupport

@testable import GatewayStore

/// An SQLite store in a scratch folder, with the devices of `ExampleStore`.
final class SQLiteExample {
    let folder: ScratchFolder
    let tuning: SQLiteTuning
    private(set) var store: SQLiteStore
    private(set) var report: OpeningReport
    private(set) var example: ExampleStore

    init(_ tune: (inout SQLiteTuning) -> Void = { _ in }) async throws {
        folder = try ScratchFolder()
        var tuning = SQLiteTuning.hasty
        tune(&tuning)
        self.tuning = tuning
        let opened = try SQLiteStore.open(in: folder.path, tuning: tuning)
        (store, report) = (opened.store, opened.report)
        example = try await ExampleStore(in: store)
    }

    /// The number of transactions that changed something.
    var commits: Int {
        get async throws {
            try await store.read { try StoreCounters.fetch($0).commitCount }
        }
    }

    /// Closes the store and opens it again.
    func reopen() throws {
        try store.close()
        let opened = try SQLiteStore.open(in: folder.path, tuning: tuning)
        (store, report) = (opened.store, opened.report)
        example = example.moved(to: store)
    }

    /// Returns a folder with the files that a crash would leave now.
    func crashImage() throws -> ScratchFolder {
        let image = try ScratchFolder()
        for file in StoreFile.allCases {
            try FileManager.default.copyItem(atPath: path(of: file), toPath: image.path(of: file.rawValue))
        }
        return image
    }

    /// Returns the path of one of the store's files.
    func path(of file: StoreFile) -> String {
        folder.path(of: file.rawValue)
    }

    /// Returns the size of one of the store's files, in bytes.
    func length(of file: StoreFile) throws -> Int {
        try Data(contentsOf: URL(filePath: path(of: file))).count
    }

    /// Runs `body` on the writing connection, as a change.
    func onWriter(_ body: @escaping @Sendable (Database) throws -> Void) async throws {
        try await store.groupCommit.write { try body($0.database) }
    }
}

/// A file in a store's folder that a crash leaves.
enum StoreFile: String, CaseIterable {
    case database = "waypost.sqlite"
    case log = "waypost.sqlite-wal"
    case commits
}

extension SQLiteTuning {
    /// A tuning with a short busy time-out, so the tests hardly wait for other programs.
    static var hasty: Self {
        var tuning = Self()
        tuning.busyTimeout = 0.05
        return tuning
    }
}

extension SQLiteStore {
    /// Opens the store in a test's folder.
    static func open(in folder: ScratchFolder) throws(StoreOpeningError) -> OpenedStore {
        try open(in: folder.path, tuning: .hasty)
    }
}

extension ExampleStore {
    /// Returns the same example for a store that already contains it.
    func moved(to store: any GatewayStore) -> Self {
        Self(self, in: store)
    }
}
