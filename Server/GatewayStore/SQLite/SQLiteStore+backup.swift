internal import Foundation
internal import GRDB
package import LocalFiles
internal import Synchronization

/// The state of the only backup that a store makes at a time.
final class BackupState: Sendable {
    private struct State {
        var isInProgress = false
        var isReferenced = false
        var isCanceled = false
    }

    private let state = Mutex(State())

    /// Whether a backup is in progress, which reads the write-ahead log.
    var isInProgress: Bool {
        state.withLock(\.isInProgress)
    }

    /// Begins a backup; returns `false` if another one still exists.
    fileprivate func begin() -> Bool {
        state.withLock { state in
            guard !state.isReferenced else { return false }
            state = State(isInProgress: true, isReferenced: true)
            return true
        }
    }

    /// Cancels the backup in progress.
    fileprivate func cancel() {
        state.withLock { $0.isCanceled = $0.isInProgress }
    }

    /// Whether the backup in progress was canceled.
    fileprivate var isCanceled: Bool {
        state.withLock(\.isCanceled)
    }

    /// Records that the backup is complete or has failed.
    fileprivate func end() {
        state.withLock { $0.isInProgress = false }
    }

    /// Records that the file of the backup is no longer in use.
    fileprivate func release() {
        state.withLock { $0 = State() }
    }
}

/// A backup of a store, in a file that is deleted when the last reference to the backup is released.
package final class StoreBackup: Sendable {
    /// The file, which has no name.
    package let file: OpenFile

    private let backupState: BackupState

    fileprivate init(_ file: OpenFile, _ backupState: BackupState) {
        self.file = file
        self.backupState = backupState
    }

    deinit {
        backupState.release()
    }
}

extension SQLiteStore {
    /// The number of pages that one step copies.
    private static let pagesPerStep: CInt = 4_096

    /// Returns a backup of the store as it is at one moment.
    ///
    /// The backup is written to the folder of the database, so it needs no space on another disk. It reads through its
    /// own connection, so it does not block other reads.
    package func backup() async throws(StoreError) -> StoreBackup? {
        try await backup(onStep: {})
    }

    /// Returns a backup of the store, and calls `onStep` after each step but the last.
    func backup(onStep: @escaping @Sendable () -> Void) async throws(StoreError) -> StoreBackup {
        guard !isClosed.withLock(\.self) else { throw .failed("the store is closed") }
        guard backupState.begin() else { throw .busy }
        defer { backupState.end() }
        let path = lock?.folder.backupPath ?? temporaryBackupPath
        do {
            return StoreBackup(
                try await withTaskCancellationHandler {
                    try await copy(to: path, onStep)
                } onCancel: {
                    backupState.cancel()
                },
                backupState
            )
        } catch {
            backupState.release()
            throw StoreError(error)
        }
    }

    private func copy(to path: String, _ onStep: @escaping @Sendable () -> Void) async throws -> OpenFile {
        guard let folder = lock?.folder else { return try await read { try self.copy($0, to: path, onStep) } }
        var configuration = Configuration()
        configuration.readonly = true
        let source = try DatabaseQueue(path: folder.databasePath, configuration: configuration)
        return try await source.read { try self.copy($0, to: path, onStep) }
    }

    private func copy(_ database: Database, to path: String, _ onStep: @escaping () -> Void) throws -> OpenFile {
        // A process that was killed during a backup may have left a file.
        unlink(path)
        defer { unlink(path) }
        // Only the owner may read it from the start.
        let file = try OpenFile(path: path, O_RDWR | O_CREAT | O_EXCL)
        let copy = try DatabaseQueue(path: path)
        try copy.writeWithoutTransaction { target in
            try database.backup(to: target, pagesPerStep: Self.pagesPerStep) { progress in
                if !progress.isCompleted { onStep() }
                try self.checkBackupIsWanted()
            }
            // Otherwise a reader of the copy would create the files of a write-ahead log beside it.
            try target.execute(sql: "PRAGMA journal_mode = DELETE")
        }
        try copy.close()
        try BackupTrailer.append(to: file) { try checkBackupIsWanted() }
        return file
    }

    /// Throws if the backup in progress is not wanted any more.
    private func checkBackupIsWanted() throws(StoreError) {
        // The gateway shuts down without waiting for the backup.
        if backupState.isCanceled { throw .failed("the gateway ends") }
        if isClosed.withLock(\.self) { throw .failed("the store is closed") }
    }

    /// The path of the backup of a store in memory.
    private var temporaryBackupPath: String {
        let number = UInt(bitPattern: ObjectIdentifier(self).hashValue)
        return "\(FileManager.default.temporaryDirectory.path)/waypost-copy-\(getpid())-\(number)"
    }
}
