internal import LocalFiles

/// The end of a log file.
enum LogTail {
    /// The number of lines that a message has.
    static let lineCount = 5

    /// The number of bytes at the end of a file that are read, because a log may be very long.
    static let maximumSize = 64 << 10

    /// Returns the last lines of a file that are not empty; none if it cannot be read.
    static func lines(of path: String) -> [String] {
        guard let file = try? OpenFile(regularAt: path), let size = try? file.size(),
            let bytes = try? file.read(from: max(0, size - maximumSize))
        else { return [] }
        return lines(in: bytes)
    }

    /// Returns the last lines that are not empty; a carriage return ends a line, too.
    static func lines(in bytes: [UInt8]) -> [String] {
        bytes.split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }.suffix(lineCount).map {
            String(decoding: $0, as: UTF8.self)
        }
    }
}
