internal import Foundation
internal import LocalFiles

/// The lines of a journal's file from an offset on, which are read in chunks.
struct JournalLines {
    /// The number of bytes that are read at once.
    private static let chunkSize = 64 << 10

    private let file: FileHandle
    private let path: String

    /// The bytes that were read but not returned; the next line begins at `lineStart`.
    private var bytes: [UInt8] = []
    private var lineStart = 0

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
        var searchStart = lineStart
        while true {
            if let end = bytes[searchStart...].firstIndex(of: UInt8(ascii: "\n")) {
                defer { lineStart = end + 1 }
                return bytes[lineStart..<end]
            }
            bytes.removeFirst(lineStart)
            lineStart = 0
            searchStart = bytes.count
            let chunk = try nextChunk()
            guard !chunk.isEmpty else { return nil }
            bytes += chunk
        }
    }

    /// Returns the next bytes of the file, or none at its end.
    private func nextChunk() throws(JournalError) -> Data {
        do {
            return try file.read(upToCount: Self.chunkSize) ?? Data()
        } catch {
            throw Self.error(error, path)
        }
    }

    private static func error(_ error: any Error, _ path: String) -> JournalError {
        .system("\(path): cannot be read: \(SystemError.reason(of: error))")
    }
}
