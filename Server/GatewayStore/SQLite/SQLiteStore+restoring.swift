internal import LocalFiles

/// A backup that was restored.
package struct RestoredBackup: Sendable {
    /// The version of the backup's schema, which may be older than the current one.
    package let version: Int

    /// Whether the backup has a digest; those of earlier gateways have none, so that changed bytes are not noticed.
    package let hasDigest: Bool
}

extension SQLiteStore {
    /// Restores a backup into a folder that contains no store.
    ///
    /// The folder gets the whole file or nothing.
    ///
    /// - Parameters:
    ///   - file: the path of the backup (`backup()`).
    ///   - folder: the path of the folder, which is created if it does not exist.
    /// - Returns: what was restored.
    /// - Throws: `StoreOpeningError`: `notABackup` or `unsupportedVersion` if this version cannot open the file,
    ///   `damaged` if it is not as a gateway has saved it, `occupied` if the folder contains a store.
    package static func restore(_ file: String, into folder: String) throws(StoreOpeningError) -> RestoredBackup {
        let folder = StoreFolder(path: folder)
        // This comes before the folder is created, so that an error changes nothing.
        let backup = try BackupFile(path: file)
        try folder.fillWhileLocked { () throws(StoreOpeningError) in
            guard !folder.isOccupied else { throw .occupied(path: folder.path) }
            do throws(SystemError) {
                try backup.copyDatabase(to: folder.databasePath)
            } catch {
                throw StoreFolder.openingError(error, at: folder.databasePath)
            }
        }
        return RestoredBackup(version: backup.version, hasDigest: backup.hasDigest)
    }
}
