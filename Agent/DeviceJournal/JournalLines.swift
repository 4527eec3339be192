package import LocalFiles

/// The lines of a journal's file from an offset on, which are read in chunks.
///
/// At most a chunk and the beginning of a line are held at once, however long the file is.
package struct JournalLines {
    /// The number of bytes that are read at once.
    package static let chunkSize = 64 << 10

    private let file: OpenFile
    private let path: String
    private let chunkSize: Int

    /// The bytes that were read but not returned; the next line begins at `lineStart`.
    private var bytes: [UInt8] = []
    private var lineStart = 0

    /// The offset of the first byte of the file that was not read yet.
    private(set) var readEnd: Int

    /// The largest number of bytes that were held at once.
    private(set) var maximumHeldByteCount = 0

    /// Begins after the first `offset` bytes of a file.
    ///
    /// - Parameters:
    ///   - file: the file.
    ///   - path: the path of the file, for errors.
    ///   - offset: the offset of the first line.
    ///   - chunkSize: the number of bytes that are read at once.
    package init(of file: OpenFile, at path: String, after offset: Int, chunkSize: Int = Self.chunkSize) {
        self.file = file
        self.path = path
        self.chunkSize = chunkSize
        readEnd = offset
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
            readEnd += chunk.count
            maximumHeldByteCount = max(maximumHeldByteCount, bytes.count)
        }
    }

    /// Returns the next bytes of the file, or none at its end.
    private func nextChunk() throws(JournalError) -> [UInt8] {
        do throws(SystemError) {
            return try file.read(from: readEnd, upTo: chunkSize)
        } catch {
            throw .system("\(path): cannot be read: \(error)")
        }
    }
}
