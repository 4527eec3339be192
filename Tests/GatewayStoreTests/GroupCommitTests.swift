import Dispatch
import Foundation
import GRDB
import LocalFiles
import Synchronization
import Testing
import WaypostSchema
import WaypostTestSupport

@testable import GatewayStore

/// A condition that becomes true once.
private final class Flag: Sendable {
    private let state = Mutex(false)

    var isSet: Bool {
        state.withLock(\.self)
    }

    func set() {
        state.withLock { $0 = true }
    }
}

@Suite struct GroupCommitTests {
    private struct Poison: Error {}

    /// Blocks the writing connection, runs `body`, which starts callers, and unblocks it when `items` items wait and
    /// `flag` is set, if there is one.
    private func gather(
        _ items: Int,
        in store: SQLiteStore,
        until flag: Flag? = nil,
        _ body: (inout ThrowingTaskGroup<Void, any Error>) -> Void
    ) async throws {
        let gate = DispatchSemaphore(value: 0)
        let begun = AsyncStream.makeStream(of: Void.self)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                try await store.groupCommit.write { _ in
                    begun.continuation.finish()
                    gate.wait()
                }
            }
            for await _ in begun.stream {}
            body(&group)
            try await waitUntil("all callers wait") { store.groupCommit.waitingItems >= items && flag?.isSet != false }
            gate.signal()
            try await group.waitForAll()
        }
    }

    private func append(_ name: String, _ count: Int = 1, to store: SQLiteStore) async throws {
        let notifications = (0..<count).map { NewNotification.example(NotificationID(rawValue: "\(name).\($0)")) }
        let batch = NewBatch(id: BatchID(rawValue: name), notifications: notifications)
        _ = try await store.append(batch, at: .noon)
    }

    @Test func waitingCallersShareACommit() async throws {
        let sqlite = try await SQLiteExample()
        let store = sqlite.store
        let before = try await sqlite.commits
        try await gather(64, in: store) { group in
            for caller in 0..<64 { group.addTask { try await append("\(caller)", to: store) } }
        }
        #expect(try await sqlite.commits == before + 1)
        #expect(Set(try await sqlite.example.inbox()).count == 64)
    }

    @Test(arguments: [(1, 10, 4), (2, 5, 5), (4, 2, 2), (3, 4, 4)])
    func commitHasABoundedSize(_ items: Int, _ callers: Int, _ expected: Int) async throws {
        let sqlite = try await SQLiteExample { $0.maximumItemsInCommit = 3 }
        let store = sqlite.store
        let before = try await sqlite.commits
        try await gather(items * callers, in: store) { group in
            for caller in 0..<callers { group.addTask { try await append("\(caller)", items, to: store) } }
        }
        #expect(try await sqlite.commits == before + expected)
        #expect(try await sqlite.example.inbox().count == items * callers)
    }

    @Test(arguments: [0, 5, 63]) func failingCallerFailsAlone(_ place: Int) async throws {
        let sqlite = try await SQLiteExample()
        let store = sqlite.store
        let before = try await sqlite.commits
        try await gather(64, in: store) { group in
            for caller in 0..<64 {
                group.addTask {
                    // Each caller waits for its turn, so the order is known.
                    try await waitUntil("the callers before wait") { store.groupCommit.waitingItems >= caller }
                    if caller == place {
                        await #expect(throws: StoreError.failed("Poison()")) {
                            try await store.groupCommit.write { transaction in
                                try transaction.execute("DELETE FROM item", [])
                                throw Poison()
                            }
                        }
                    } else {
                        try await append("\(caller)", to: store)
                    }
                }
            }
        }
        #expect(try await sqlite.example.inbox().map(\.rawValue) == (0..<64).filter { $0 != place }.map { "\($0).0" })
        for caller in 0..<64 where caller != place {
            #expect(try await sqlite.example.states(of: BatchID(rawValue: "\(caller)")) == [.stored: 1])
        }
        // The group is repeatedly split in half, so the other callers do not need a commit each.
        #expect(try await sqlite.commits == before + 6)
    }

    @Test func numbersOfAFailedChangeAreUsedAgain() async throws {
        let sqlite = try await SQLiteExample()
        try await append("first", to: sqlite.store)
        await #expect(throws: StoreError.self) {
            try await sqlite.store.groupCommit.write { transaction in
                transaction.counters.lastSequence += 100
                throw Poison()
            }
        }
        try await append("second", to: sqlite.store)
        let sequences = try await sqlite.store.stored(sqlite.example.home).map(\.sequence)
        #expect(sequences == [1, 2])
    }

    @Test func failedChangeIsNotCached() async throws {
        let sqlite = try await SQLiteExample()
        let device = NewDevice(token: "watch", name: "", topics: ["clowns"], digest: .home, joins: true)
        await #expect(throws: StoreError.self) {
            try await sqlite.store.groupCommit.write { transaction in
                _ = try transaction.register(device, in: .standard, at: .noon)
                _ = try transaction.findOrCreateNamespaceID(of: "other")
                throw Poison()
            }
        }
        let notifications = [NewNotification.example("n1", to: "watch")]
        let batch = NewBatch(id: "batch", notifications: notifications)
        let outcome = try await sqlite.store.append(batch, at: .noon)
        #expect(outcome.appended?.refusals == [.unknownToken])
        try await sqlite.store.setClock(of: "other", to: .noon)
        #expect(try await sqlite.store.clock(of: "other") == .noon)
    }

    @Test func itemsBeyondTheQueueLimitAreRefused() async throws {
        let sqlite = try await SQLiteExample { $0.maximumItemsInQueue = 10 }
        let store = sqlite.store
        let isRefused = Flag()
        try await gather(10, in: store, until: isRefused) { group in
            group.addTask {
                try await append("fits", 10, to: store)
            }
            group.addTask {
                try await waitUntil("10 items wait") { store.groupCommit.waitingItems >= 10 }
                await #expect(throws: StoreError.overloaded) { try await append("too much", to: store) }
                isRefused.set()
            }
        }
        #expect(try await sqlite.example.inbox().count == 10)
        #expect(try await sqlite.example.states(of: "too much") == nil)
        try await append("fits again", to: store)
        try await append("fits alone", 50, to: store)
        #expect(try await sqlite.example.inbox().count == 61)
    }

    @Test func operationWithoutChangesIsNotACommit() async throws {
        let sqlite = try await SQLiteExample()
        let before = try await sqlite.commits
        _ = try await sqlite.store.acknowledge(sqlite.example.home, [1, 2, 3])
        try await sqlite.example.disconnect()
        try await sqlite.store.recordOutcomes([.unknown])
        _ = try await sqlite.store.removeExpired(in: .standard, at: .noon)
        _ = try await sqlite.store.reset("nothing")
        #expect(try await sqlite.store.updateDevice("nobody", in: .standard, with: .topics([]), at: .noon) == nil)
        #expect(try await sqlite.commits == before)
    }

    @Test func commitNoteIsWrittenBeforeTheCallReturns() async throws {
        let sqlite = try await SQLiteExample()
        for batch in 0..<5 {
            try await append("\(batch)", 3, to: sqlite.store)
            let note = try CommitRecord.read(OpenFile(path: sqlite.path(of: .commits)))
            let counters = try await sqlite.store.read { try StoreCounters.fetch($0) }
            #expect(note == CommitRecord(counters: counters))
        }
    }

    @Test(arguments: [ResultCode.SQLITE_IOERR_FSYNC, .SQLITE_IOERR_WRITE, .SQLITE_CORRUPT])
    func nothingIsWrittenAfterADiskError(_ code: ResultCode) async throws {
        let sqlite = try await SQLiteExample()
        try await append("before", to: sqlite.store)
        let error = DatabaseError(resultCode: code)
        await #expect(throws: StoreError(error)) { try await sqlite.onWriter { _ in throw error } }
        await #expect(throws: StoreError(error)) { try await append("after", to: sqlite.store) }
        #expect(try await sqlite.example.inbox() == ["before.0"])
        try sqlite.reopen()
        try await append("again", to: sqlite.store)
        #expect(try await sqlite.example.inbox() == ["before.0", "again.0"])
    }

    /// The disk may have the commit, so neither of the callers that share it may hear that nothing was stored.
    @Test func outcomeIsUnknownIfTheDiskFailsDuringTheCommit() async throws {
        let sqlite = try await SQLiteExample()
        let store = sqlite.store
        try await append("before", to: store)
        try await sqlite.onWriter { $0.add(transactionObserver: FailingCommit(), extent: .databaseLifetime) }
        try await gather(2, in: store) { group in
            for caller in 0..<2 {
                group.addTask {
                    await #expect(throws: StoreError.outcomeUnknown) { try await append("\(caller)", to: store) }
                }
            }
        }
        let failure = await #expect(throws: StoreError.self) { try await append("after", to: store) }
        #expect(failure == StoreError(DatabaseError(resultCode: .SQLITE_IOERR_FSYNC)))
    }

    @Test func waitingChangesAreWrittenWhenTheStoreCloses() async throws {
        let sqlite = try await SQLiteExample()
        let store = sqlite.store
        let isClosing = Flag()
        try await gather(20, in: store, until: isClosing) { group in
            for caller in 0..<20 { group.addTask { try await append("\(caller)", to: store) } }
            group.addTask {
                try await waitUntil("20 items wait") { store.groupCommit.waitingItems >= 20 }
                isClosing.set()
                // Closing waits for pending writes, so it must not block one of the few threads that run tests.
                try await withCheckedThrowingContinuation { continuation in
                    Thread.detachNewThread { continuation.resume(with: Result { try store.close() }) }
                }
            }
        }
        try sqlite.reopen()
        #expect(try await sqlite.example.inbox().count == 20)
    }
}

/// Makes every commit that changes something fail as if the disk had failed.
private final class FailingCommit: TransactionObserver {
    private var hasChanges = false

    func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool {
        true
    }

    func databaseDidChange(with event: DatabaseEvent) {
        hasChanges = true
    }

    func databaseWillCommit() throws {
        guard hasChanges else { return }
        throw DatabaseError(resultCode: .SQLITE_IOERR_FSYNC)
    }

    func databaseDidCommit(_ db: Database) {}

    func databaseDidRollback(_ db: Database) {}
}
