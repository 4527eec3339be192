internal import Cryptography
internal import LocalFiles

/// The end of a backup: a mark, and the SHA-256 digest of the database before it.
///
/// It reveals damage, down to a single bit. It does not prove who made the backup. SQLite ignores bytes after the last
/// page, so its programs can open a backup.
enum BackupTrailer {
    /// The result of a check.
    enum Check {
        /// The digest is that of the database.
        case matching

        /// The digest is not that of the database.
        case different

        /// The file does not end with a trailer.
        case missing
    }

    private static let mark = Array("waypost backup, SHA-256 digest:\n".utf8)

    /// The number of bytes of the trailer.
    static let length = mark.count + 32

    /// The number of bytes that are read at once.
    private static let chunkSize = 1 << 20

    /// Appends the trailer to the file of a database.
    ///
    /// - Parameters:
    ///   - file: the file.
    ///   - onChunk: called after each chunk of the file is read; an error that it throws ends the reading.
    /// - Throws: `SystemError`, or the error of `onChunk`.
    static func append(to file: OpenFile, onChunk: () throws -> Void = {}) throws {
        let digest = try digest(of: file, upTo: .max, onChunk)
        // The file was read to its end, so this is the current position.
        try file.write(mark + digest)
    }

    /// Compares the trailer of a file with the bytes before it.
    ///
    /// - Throws: `SystemError`.
    static func check(_ file: OpenFile) throws -> Check {
        let databaseSize = try file.size() - length
        guard databaseSize >= 0 else { return .missing }
        let trailer = try file.read(from: databaseSize, upTo: length)
        guard trailer.starts(with: mark) else { return .missing }
        let digest = try digest(of: file, upTo: databaseSize) {}
        return Array(trailer.dropFirst(mark.count)) == digest ? .matching : .different
    }

    private static func digest(
        of file: OpenFile,
        upTo count: Int,
        _ onChunk: () throws -> Void
    ) throws -> [UInt8] {
        let digest = SHA256()
        var rest = count
        try file.rewind()
        while case let chunk = try file.read(upTo: min(rest, chunkSize)), !chunk.isEmpty {
            try onChunk()
            digest.update(chunk)
            rest -= chunk.count
        }
        return digest.finish()
    }
}
