internal import Foundation
internal import GRDB
package import LocalFiles
internal import Synchronization

extension SQLiteStore {
    /// Returns a copy of the store as it is at one moment.
    ///
    /// The copy is made beside the database, so that it needs no space on another disk.
    package func copy() async throws(StoreError) -> OpenFile? {
        let number = copies.withLock { copies in
            copies += 1
            return copies
        }
        let path = StoreFolder.copyPath(number, in: lock?.folder)
        return try await read { database in
            defer { try? FileManager.default.removeItem(atPath: path) }
            // Only the owner may read it from the start.
            let file = try OpenFile(path: path, O_RDWR | O_CREAT | O_EXCL)
            let copy = try DatabaseQueue(path: path)
            try copy.writeWithoutTransaction { target in
                try database.backup(to: target)
                // Otherwise a reader of the copy would create the files of a write-ahead log beside it.
                try target.execute(sql: "PRAGMA journal_mode = DELETE")
            }
            try copy.close()
            return file
        }
    }
}

extension StoreFolder {
    private static let copyPrefix = "copy-"

    /// Returns the path of the copy with a number of the store in a folder, or of one in memory.
    static func copyPath(_ number: Int, in folder: Self?) -> String {
        let parent = folder?.path ?? FileManager.default.temporaryDirectory.path
        return "\(parent)/\(copyPrefix)\(getpid())-\(number)"
    }

    /// Deletes the copies that earlier processes did not complete.
    func removeCopies() {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        for name in names where name.hasPrefix(Self.copyPrefix) {
            try? FileManager.default.removeItem(atPath: "\(path)/\(name)")
        }
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
        let lock = try folder.lock()
        defer { lock.unlock() }
        guard !folder.isOccupied else { throw .occupied(path: folder.path) }
        let version = try check(file)
        do {
            try WholeFile.copy(try OpenFile(anyAt: file), to: folder.database)
            try WholeFile.syncEntry(of: folder.database)
        } catch {
            throw StoreFolder.openingError(error, at: folder.database)
        }
        return version
    }

    private static func check(_ file: String) throws(StoreOpeningError) -> Int {
        let header: FileHeader?
        do throws(StoreOpeningError) {
            header = try StoreFolder.header(of: file)
        } catch {
            if case .foreign = error { throw .notABackup(path: file) }
            throw error
        }
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
