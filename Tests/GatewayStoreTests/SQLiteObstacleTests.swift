import GRDB
import Testing
import WaypostSchema

@testable import GatewayStore

/// Tests of temporary obstacles to writing: no change is stored partially, and the store continues afterwards.
@Suite struct SQLiteObstacleTests {
    /// Appends a batch that needs dozens of pages.
    private func appendMuch(as name: BatchID, to example: ExampleStore) async throws {
        let notifications = (0..<200).map { index in
            var notification = NewNotification.example(NotificationID(rawValue: "\(name) \(index)"))
            notification.payload = Array(repeating: UInt8(ascii: "x"), count: 1_000)
            return notification
        }
        _ = try await example.store.append(NewBatch(id: name, notifications: notifications), at: .noon)
    }

    /// Expects that writing fails between `rise` and `fall`, and succeeds before and after.
    private func expect(
        _ error: StoreError,
        from rise: (SQLiteExample) async throws -> Void,
        to fall: (SQLiteExample) async throws -> Void
    ) async throws {
        let sqlite = try await SQLiteExample()
        let example = sqlite.example
        try await appendMuch(as: "before", to: example)
        let commits = try await sqlite.commits
        try await rise(sqlite)
        await #expect(throws: error) { try await appendMuch(as: "meanwhile", to: example) }
        #expect(try await example.inbox().count == 200)
        #expect(try await example.states(of: "meanwhile") == nil)
        #expect(try await sqlite.commits == commits)
        try await fall(sqlite)
        try await appendMuch(as: "after", to: example)
        #expect(try await example.inbox().count == 400)
        try sqlite.reopen()
        #expect(try await sqlite.example.inbox().count == 400)
        #expect(sqlite.report.lostCommits == nil)
    }

    @Test func storeRecoversFromAFullDisk() async throws {
        try await expect(.full) { sqlite in
            try await sqlite.onWriter { database in
                let pages = try Int.fetchOne(database, sql: "PRAGMA page_count") ?? 0
                try database.execute(sql: "PRAGMA max_page_count = \(pages + 3)")
            }
        } to: { sqlite in
            try await sqlite.onWriter { try $0.execute(sql: "PRAGMA max_page_count = 1000000") }
        }
    }

    @Test func smallChangeFitsOnANearlyFullDisk() async throws {
        let sqlite = try await SQLiteExample()
        try await sqlite.onWriter { database in
            let pages = try Int.fetchOne(database, sql: "PRAGMA page_count") ?? 0
            try database.execute(sql: "PRAGMA max_page_count = \(pages + 3)")
        }
        await #expect(throws: StoreError.full) { try await appendMuch(as: "much", to: sqlite.example) }
        try await sqlite.example.take(.example("n1"), as: "little")
        #expect(try await sqlite.example.inbox() == ["n1"])
    }

    @Test func storeRecoversFromAFileThatAnotherProgramHolds() async throws {
        var other: DatabaseQueue?
        try await expect(.busy) { sqlite in
            let queue = try DatabaseQueue(path: sqlite.path(of: .database), configuration: .dangling)
            try await queue.writeWithoutTransaction { try $0.execute(sql: "BEGIN EXCLUSIVE") }
            other = queue
        } to: { _ in
            try await other?.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
            try other?.close()
        }
    }

    @Test(
        arguments: [
            (.SQLITE_FULL, .full), (.SQLITE_IOERR_SHMSIZE, .full), (.SQLITE_READONLY, .readOnly),
            (.SQLITE_READONLY_DBMOVED, .readOnly), (.SQLITE_PERM, .readOnly), (.SQLITE_CANTOPEN, .readOnly),
            (.SQLITE_BUSY, .busy), (.SQLITE_BUSY_SNAPSHOT, .busy), (.SQLITE_LOCKED, .busy),
        ] as [(ResultCode, StoreError)]
    )
    func databaseErrorBecomesAStoreError(_ code: ResultCode, _ error: StoreError) {
        #expect(StoreError(DatabaseError(resultCode: code)) == error)
    }

    @Test func otherErrorKeepsItsMessage() {
        let error = StoreError(DatabaseError(resultCode: .SQLITE_CONSTRAINT, message: "no such slot"))
        guard case .failed(let reason) = error else {
            Issue.record("\(error)")
            return
        }
        #expect(reason.contains("no such slot"))
        #expect(StoreError(StoreError.overloaded) == .overloaded)
    }
}

extension Configuration {
    /// A configuration that allows a transaction to stay open.
    fileprivate static var dangling: Self {
        var configuration = Self()
        configuration.allowsUnsafeTransactions = true
        return configuration
    }
}
