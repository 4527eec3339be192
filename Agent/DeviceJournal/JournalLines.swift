internal import Foundation

/// The lines of a journal's file from a place on, which are read piece by piece.
struct JournalLines {
    /// The number of bytes that are read at once.
    private static let pieceLength = 64 << 10

    private let file: FileHandle
    private let path: String

    /// The bytes that were read last, with the next line from `start` on.
    private var bytes: [UInt8] = []
    private var start = 0

    /// Opens the file at `path`, and begins after its first `offset` bytes.
    init(of path: String, after offset: Int) throws(JournalError) {
        self.path = path
        do {
            file = try FileHandle(forReadingFrom: URL(filePath: path))
            try file.seek(toOffset: UInt64(offset))
        } catch {
            throw Self.error(error, path)
        }
    }

    /// Returns the next line without its line feed, or `nil` if there is none.
    mutating func next() throws(JournalError) -> ArraySlice<UInt8>? {
        var searched = start
        while true {
            if let end = bytes[searched...].firstIndex(of: UInt8(ascii: "\n")) {
                defer { start = end + 1 }
                return bytes[start..<end]
            }
            bytes.removeFirst(start)
            start = 0
            searched = bytes.count
            let piece = try nextPiece()
            guard !piece.isEmpty else { return nil }
            bytes += piece
        }
    }

    /// Returns the next bytes of the file, or none at its end.
    private func nextPiece() throws(JournalError) -> Data {
        do {
            return try file.read(upToCount: Self.pieceLength) ?? Data()
        } catch {
            throw Self.error(error, path)
        }
    }

    private static func error(_ error: any Error, _ path: String) -> JournalError {
        .system("\(path): cannot be read: \(error.localizedDescription)")
    }
}
