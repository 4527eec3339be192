internal import LocalFiles

/// The part of a journal's file that a start reads: the lines after a position.
///
/// Only the last line before the position is read to find out whether the position exists. So a start needs time for
/// the new lines, and not for the history; the lines before are checked when they are read.
struct JournalTail {
    /// The position after which the lines begin: the requested one, or the start of the file.
    let start: JournalPosition

    /// The bytes after that.
    let bytes: [UInt8]

    /// The number of bytes that were read.
    let readByteCount: Int

    /// The size of the first read that looks for the last line, in bytes.
    private static let chunkSize = 4 << 10

    /// Reads the lines after a position, or all lines if the file does not have the position.
    init(of file: OpenFile, after position: JournalPosition) throws(SystemError) {
        var byteCount = 0
        start = try Self.contains(position, in: file, counting: &byteCount) ? position : .start
        bytes = try file.read(from: start.bytes)
        readByteCount = byteCount + bytes.count
    }

    /// Returns whether a line with the checksum of a position ends there, and counts the bytes that it reads.
    private static func contains(
        _ position: JournalPosition,
        in file: OpenFile,
        counting byteCount: inout Int
    ) throws(SystemError) -> Bool {
        guard position.bytes > 0 else { return position.lines == 0 }
        guard let line = try lastLine(before: position.bytes, in: file, counting: &byteCount) else { return false }
        return JournalLine.isIntact(line) && JournalLine.storedChecksum(of: line) == position.checksum
    }

    /// Returns the line that ends at an offset, without its line feed; `nil` if no line ends there.
    private static func lastLine(
        before offset: Int,
        in file: OpenFile,
        counting byteCount: inout Int
    ) throws(SystemError) -> ArraySlice<UInt8>? {
        let lineFeed = UInt8(ascii: "\n")
        var size = chunkSize
        while true {
            let start = max(0, offset - size)
            let bytes = try file.read(from: start, upTo: offset - start)
            byteCount += bytes.count
            guard bytes.count == offset - start, bytes.last == lineFeed else { return nil }
            let line = bytes.dropLast()
            if let end = line.lastIndex(of: lineFeed) { return line[(end + 1)...] }
            guard start > 0 else { return line }
            size *= 2
        }
    }
}
