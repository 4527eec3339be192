package import Foundation

/// Splits bytes, which arrive in chunks, into lines.
package struct LineSplitter {
    /// The maximum number of bytes of a line that programs read.
    package static let maximumLineSize = 64 << 20

    private var incompleteLine = Data()

    /// Creates a splitter at the start of a line.
    package init() {}

    /// The number of bytes after the last line break.
    package var incompleteSize: Int { incompleteLine.count }

    /// Appends a chunk, and returns the lines that it completes, without their line breaks.
    ///
    /// - Complexity: O(length of the chunk), however long the incomplete line is.
    package mutating func append(_ chunk: Data) -> [Data] {
        var lines: [Data] = []
        var start = chunk.startIndex
        for lineBreak in Self.lineBreaks(in: chunk) {
            let line = chunk[start..<lineBreak]
            lines.append(incompleteLine.isEmpty ? line : incompleteLine + line)
            incompleteLine = Data()
            start = lineBreak + 1
        }
        incompleteLine.append(chunk[start...])
        return lines
    }

    /// Returns the positions of the line breaks.
    ///
    /// It reads raw bytes, because iterating over `Data` is slow.
    private static func lineBreaks(in chunk: Data) -> [Int] {
        chunk.withUnsafeBytes { bytes in
            bytes.indices.filter { bytes[$0] == UInt8(ascii: "\n") }.map { chunk.startIndex + $0 }
        }
    }

    /// Returns the last line, if the input does not end with a line break.
    package mutating func finish() -> Data? {
        defer { incompleteLine = Data() }
        return incompleteLine.isEmpty ? nil : incompleteLine
    }
}
