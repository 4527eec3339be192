internal import Foundation
internal import LocalFiles

/// The file of a backup that this version can restore.
struct BackupFile {
    /// The version of the backup's schema.
    let version: Int

    /// Whether the backup has a digest; those of earlier gateways have none.
    let hasDigest: Bool

    private let file: OpenFile
    private let databaseSize: Int

    /// Opens the file at `path`, and checks it.
    ///
    /// - Throws: `StoreOpeningError`.
    init(path: String) throws(StoreOpeningError) {
        let size: Int
        let check: BackupTrailer.Check
        let header: FileHeader?
        file = try Self.open(path)
        do {
            size = try file.size()
            check = try BackupTrailer.check(file)
            header = FileHeader(bytes: try file.read(from: 0, upTo: FileHeader.length))
        } catch {
            throw StoreOpeningError(error, at: path)
        }
        // The digest comes first, because a changed bit could be in the header.
        guard check != .different else { throw .damaged(path: path, finding: "it does not match its digest") }
        // A store gets its schema before anything else, so a backup has at least the first version.
        guard let header, header.applicationID == Migrations.applicationID, header.version > 0 else {
            throw .notABackup(path: path)
        }
        guard header.version <= Migrations.version else {
            throw .unsupportedVersion(path: path, version: header.version, supported: Migrations.version)
        }
        hasDigest = check == .matching
        databaseSize = hasDigest ? size - BackupTrailer.length : size
        version = header.version
        // Otherwise a file whose trailer is damaged would count as a backup that has none.
        guard databaseSize == header.databaseSize else {
            throw .damaged(path: path, finding: "it has \(size) bytes, and its pages \(header.databaseSize)")
        }
        try Self.inspect(path)
    }

    /// Copies the database, without the digest, to `path`.
    ///
    /// - Throws: `SystemError`.
    func copyDatabase(to path: String) throws(SystemError) {
        try AtomicFile.copy(file, upTo: databaseSize, to: path)
        try AtomicFile.syncDirectoryEntry(of: path)
    }

    private static func open(_ path: String) throws(StoreOpeningError) -> OpenFile {
        do throws(SystemError) {
            // The backup may belong to another user.
            return try OpenFile(regularAt: path)
        } catch {
            throw error.code == ENOENT ? .notFound(path: path) : .notReadable(path: path, reason: "\(error)")
        }
    }

    private static func inspect(_ path: String) throws(StoreOpeningError) {
        do {
            let inspection = try StoreInspection(path: path, busyTimeout: 0)
            if let finding = try inspection.firstFinding(of: .quick) ?? inspection.firstForeignPart() {
                throw StoreOpeningError.damaged(path: path, finding: finding)
            }
            try inspection.close()
        } catch {
            throw StoreOpeningError(error, at: path)
        }
    }
}
