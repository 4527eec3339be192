import Foundation
import GRDB
import LocalFiles
import Synchronization
import Testing
import WaypostSchema
import WaypostTestSupport

@testable import GatewayStore

/// The files of a store that others remove, replace or damage while it is open.
@Suite struct MovedFilesTests {
    @Test(arguments: [true, false]) func storeWhoseFolderIsGoneStoresNothing(_ isReplaced: Bool) async throws {
        let sqlite = try await SQLiteExample()
        #expect(sqlite.store.isInPlace)
        try await sqlite.store.probe()
        let path = sqlite.folder.path
        try FileManager.default.moveItem(atPath: path, toPath: path + "-moved")
        if isReplaced { try FileManager.default.copyItem(atPath: path + "-moved", toPath: path) }
        #expect(!sqlite.store.isInPlace)
        await #expect(throws: StoreError.moved) { try await sqlite.store.probe() }
        try? FileManager.default.removeItem(atPath: path)
        try FileManager.default.moveItem(atPath: path + "-moved", toPath: path)
        // The same files are at their place again.
        try await sqlite.store.probe()
    }

    @Test func folderIsLockedEvenWithoutItsLockFile() async throws {
        let sqlite = try await SQLiteExample()
        try FileManager.default.removeItem(atPath: sqlite.folder.path(of: "lock"))
        #expect(throws: StoreOpeningError.inUse(path: sqlite.folder.path)) {
            _ = try SQLiteStore.open(in: sqlite.folder.path)
        }
        try await sqlite.store.probe()
    }

    @Test func filesAreForTheirOwnerOnly() async {
        // The umask applies to the whole process, so this test runs in its own process.
        await #expect(processExitsWith: .success) {
            umask(0)
            let sqlite = try await SQLiteExample()
            let names = try FileManager.default.contentsOfDirectory(atPath: sqlite.folder.path)
            #expect(names.contains("waypost.sqlite-wal"))
            for name in names {
                let attributes = try FileManager.default.attributesOfItem(atPath: sqlite.folder.path(of: name))
                #expect(attributes[.posixPermissions] as? Int == 0o600, "\(name)")
            }
        }
    }

    @Test func damagedPayloadIsReportedAndNotDelivered() async throws {
        let folder = try ScratchFolder()
        let damaged = Mutex<[DamagedPayload]>([])
        let opened = try SQLiteStore.open(in: folder.path, tuning: .hasty) { _ in
        } onDamage: { damage in
            damaged.withLock { $0.append(damage) }
        }
        let example = try await ExampleStore(in: opened.store)
        try await example.take(.example("a"), .example("b"), .example("c"))
        let whole = try await opened.store.stored(example.home)
        try #require(whole.count == 3)
        // Other bytes of the same length, as flipped bits would leave them.
        _ = try await opened.store.write { transaction in
            try transaction.execute(
                "UPDATE item SET payload = zeroblob(length(payload)) WHERE sequence = ?",
                [whole[1].sequence]
            )
        }
        for limit in [1, 2, 10] {
            #expect(try await example.page(limit: limit) == Array(["a", "c"].prefix(limit)))
        }
        #expect(damaged.withLock { $0.first } == DamagedPayload(id: "b", sequence: whole[1].sequence))
    }

    @Test func logIsRewrittenInPlace() throws {
        let scratch = try ScratchFolder()
        let folder = StoreFolder(path: scratch.path)
        let lock = try folder.lockDatabase(besides: folder.lock())
        // Without a log, nothing is created.
        try lock.rewriteLog()
        #expect(!FileManager.default.fileExists(atPath: folder.logPath))
        let bytes = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 / 7) }
        _ = try scratch.write(bytes, to: StoreFile.log.rawValue)
        let former = Date(timeIntervalSince1970: 1_000_000)
        try FileManager.default.setAttributes([.modificationDate: former], ofItemAtPath: folder.logPath)
        let file = try OpenFile(path: folder.logPath)
        try lock.rewriteLog()
        #expect(try file.read() == bytes)
        #expect(file.isAt(folder.logPath))
        let date = try FileManager.default.attributesOfItem(atPath: folder.logPath)[.modificationDate] as? Date
        #expect(try #require(date) > former)
        lock.unlock()
    }

    @Test func foreignDatabaseKeepsItsPermissions() throws {
        let folder = try ScratchFolder()
        let path = try folder.write([UInt8](repeating: 7, count: 200), to: "waypost.sqlite")
        try #require(chmod(path, 0o644) == 0)
        #expect(throws: StoreOpeningError.foreign(path: path)) { _ = try SQLiteStore.open(in: folder.path) }
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o644)
    }
}
