package import Foundation
internal import LocalFiles

/// A file that is whole, or not there: its contents, and on a line of its own their CRC-32.
package enum CheckedFile {
    /// Writes a file that others may not read; where that fails, what was there before is still there.
    ///
    /// - Parameters:
    ///   - contents: what it is to have.
    ///   - path: where it is.
    package static func write(_ contents: Data, to path: String) {
        let lines = [Array(contents), Array(JournalLine.checksum(of: Array(contents)[...])), []]
        try? WholeFile.write(Array(lines.joined(separator: "\n".utf8)), to: path)
    }

    /// Returns what a file has; `nil` where it is not there, or not as it was written.
    package static func read(_ path: String) -> Data? {
        guard let data = FileManager.default.contents(atPath: path), data.last == UInt8(ascii: "\n") else { return nil }
        guard let end = data.dropLast().lastIndex(of: UInt8(ascii: "\n")) else { return nil }
        let contents = data[..<end]
        guard data[(end + 1)...].dropLast().elementsEqual(JournalLine.checksum(of: Array(contents)[...])) else {
            return nil
        }
        return Data(contents)
    }
}
