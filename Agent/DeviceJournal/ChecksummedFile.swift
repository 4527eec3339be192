package import Foundation
internal import LocalFiles

/// A file that is either complete or ignored: its contents, and their CRC-32 on a separate line.
package enum ChecksummedFile {
    /// Writes a file that others cannot read; if that fails, the previous file remains.
    ///
    /// - Parameters:
    ///   - contents: the contents of the file.
    ///   - path: the path of the file.
    package static func write(_ contents: Data, to path: String) {
        let lines = [Array(contents), Array(JournalLine.checksum(of: Array(contents)[...])), []]
        try? AtomicFile.write(Array(lines.joined(separator: "\n".utf8)), to: path)
    }

    /// Returns the contents of a file, or `nil` if it does not exist or is not as it was written.
    package static func read(_ path: String) -> Data? {
        guard let bytes = try? OpenFile(path: path).read(), bytes.last == UInt8(ascii: "\n"),
            let end = bytes.dropLast().lastIndex(of: UInt8(ascii: "\n"))
        else { return nil }
        let contents = bytes[..<end]
        guard bytes[(end + 1)...].dropLast().elementsEqual(JournalLine.checksum(of: contents)) else { return nil }
        return Data(contents)
    }
}
