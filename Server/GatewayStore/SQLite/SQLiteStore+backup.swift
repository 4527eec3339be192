internal import Foundation
internal import GRDB
package import LocalFiles
internal import Synchronization

/// The copies of a store: one at a time.
final class StoreCopies: Sendable {
    private struct State {
        var isMade = false
        var isKept = false
        var isCanceled = false
    }

    private let state = Mutex(State())

    /// Whether a copy is being made, which reads the write-ahead log.
    var isMade: Bool {
        state.withLock(\.isMade)
    }

    /// Begins a copy; returns `false` if there is one already.
    fileprivate func begin() -> Bool {
        state.withLock { state in
            guard !state.isKept else { return false }
            state = State(isMade: true, isKept: true)
            return true
        }
    }

    /// Lets the copy that is being made end before it is complete.
    fileprivate func cancel() {
        state.withLock { $0.isCanceled = $0.isMade }
    }

    /// Whether nobody waits for the copy any more.
    fileprivate var isCanceled: Bool {
        state.withLock(\.isCanceled)
    }

    /// Records that the copy is complete, or could not be made.
    fileprivate func end() {
        state.withLock { $0.isMade = false }
    }

    /// Records that nobody needs the copy any longer.
    fileprivate func release() {
        state.withLock { $0 = State() }
    }
}

/// A copy of a store, in a file that is deleted when the last reference to the copy is released.
package final class StoreCopy: Sendable {
    /// The file, which has no name.
    package let file: OpenFile

    private let copies: StoreCopies

    fileprivate init(_ file: OpenFile, _ copies: StoreCopies) {
        self.file = file
        self.copies = copies
    }

    deinit {
        copies.release()
    }
}

extension SQLiteStore {
    /// The number of pages that are copied at once.
    private static let step: CInt = 4_096

    /// Returns a copy of the store as it is at one moment.
    ///
    /// The copy is made beside the database, so that it needs no space on another disk. A connection of its own reads,
    /// so that the others stay free.
    package func copy() async throws(StoreError) -> StoreCopy? {
        try await copy(onStep: {})
    }

    /// Returns a copy of the store, and calls `onStep` after each step but the last.
    func copy(onStep: @escaping @Sendable () -> Void) async throws(StoreError) -> StoreCopy {
        guard !isClosed.withLock(\.self) else { throw .failed("the store is closed") }
        guard copies.begin() else { throw .busy }
        defer { copies.end() }
        let path = lock?.folder.copy ?? temporaryCopy
        do {
            return StoreCopy(
                try await withTaskCancellationHandler {
                    try await copy(to: path, onStep)
                } onCancel: {
                    copies.cancel()
                },
                copies
            )
        } catch {
            copies.release()
            throw StoreError(error)
        }
    }

    private func copy(to path: String, _ onStep: @escaping @Sendable () -> Void) async throws -> OpenFile {
        guard let folder = lock?.folder else { return try await read { try self.copy($0, to: path, onStep) } }
        var configuration = Configuration()
        configuration.readonly = true
        let source = try DatabaseQueue(path: folder.database, configuration: configuration)
        return try await source.read { try self.copy($0, to: path, onStep) }
    }

    private func copy(_ database: Database, to path: String, _ onStep: @escaping () -> Void) throws -> OpenFile {
        // A process that was killed while it made a copy may have left one.
        unlink(path)
        defer { unlink(path) }
        // Only the owner may read it from the start.
        let file = try OpenFile(path: path, O_RDWR | O_CREAT | O_EXCL)
        let copy = try DatabaseQueue(path: path)
        try copy.writeWithoutTransaction { target in
            try database.backup(to: target, pagesPerStep: Self.step) { progress in
                if !progress.isCompleted { onStep() }
                // A gateway that ends does not wait for the copy.
                if self.copies.isCanceled { throw StoreError.failed("the gateway ends") }
                if self.isClosed.withLock(\.self) { throw StoreError.failed("the store is closed") }
            }
            // Otherwise a reader of the copy would create the files of a write-ahead log beside it.
            try target.execute(sql: "PRAGMA journal_mode = DELETE")
        }
        try copy.close()
        return file
    }

    /// The path of the copy of a store in memory.
    private var temporaryCopy: String {
        let number = UInt(bitPattern: ObjectIdentifier(self).hashValue)
        return "\(FileManager.default.temporaryDirectory.path)/waypost-copy-\(getpid())-\(number)"
    }
}

extension SQLiteStore {
    /// Restores a copy of a store into a folder that contains no store.
    ///
    /// The folder gets the whole file or nothing.
    ///
    /// - Parameters:
    ///   - file: the path of the copy (`copy()`).
    ///   - folder: the path of the folder, which is created if it does not exist.
    /// - Returns: the version of the copy's schema, which may be older than the current one.
    /// - Throws: `StoreOpeningError`: `notABackup` and `newer` if the file is not one that this version can open,
    ///   `damaged` if its pages do not belong together, `occupied` if the folder contains a store.
    package static func restore(_ file: String, into folder: String) throws(StoreOpeningError) -> Int {
        let folder = StoreFolder(path: folder)
        // Before the folder is created, so that a refusal changes nothing.
        let version = try check(file)
        let lock = try folder.lock()
        defer { lock.unlock() }
        guard !folder.isOccupied else { throw .occupied(path: folder.path) }
        do {
            try WholeFile.copy(try OpenFile(anyAt: file), to: folder.database)
            try WholeFile.syncEntry(of: folder.database)
        } catch {
            throw StoreFolder.openingError(error, at: folder.database)
        }
        return version
    }

    private static func check(_ file: String) throws(StoreOpeningError) -> Int {
        let bytes: [UInt8]
        do {
            // The backup may belong to another user.
            bytes = try OpenFile(anyAt: file).read(upTo: FileHeader.length)
        } catch {
            throw error.code == ENOENT ? .absent(path: file) : .notReadable(path: file, reason: "\(error)")
        }
        let header = FileHeader(bytes: bytes)
        guard let header, header.applicationID == Migrations.applicationID else { throw .notABackup(path: file) }
        guard header.version <= Migrations.version else {
            throw .newer(path: file, version: header.version, understood: Migrations.version)
        }
        do {
            let inspection = try StoreInspection(path: file, busyTimeout: 0)
            if let finding = try inspection.firstFinding(of: .quick) {
                throw StoreOpeningError.damaged(path: file, finding: finding)
            }
            try inspection.close()
        } catch {
            throw StoreOpeningError(error, at: file)
        }
        return header.version
    }
}
