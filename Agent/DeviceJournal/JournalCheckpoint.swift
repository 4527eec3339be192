internal import LocalFiles

/// The contents of the file beside a journal: the position up to which the journal was safe when a caller last got a
/// response.
///
/// The file is overwritten in place after each write to the journal and not synced: this costs one system call, and the
/// file survives a crash of the process. After a crash of the machine it may be older than the journal, which is
/// harmless. If it is newer, the journal has lost events.
struct JournalCheckpoint: Sendable, Equatable {
    /// The length of a checkpoint in bytes.
    static let length = 64

    /// The position.
    var position: JournalPosition

    /// Creates the checkpoint of a position.
    init(_ position: JournalPosition) {
        self.position = position
    }

    /// Reads a checkpoint: the lines, the bytes and the checksum of the position, and a checksum of these; `nil` if
    /// `bytes` are not a checkpoint.
    init?(bytes: [UInt8]) {
        guard bytes.count == Self.length, bytes.last == UInt8(ascii: "\n") else { return nil }
        let words = bytes.dropLast().split(separator: UInt8(ascii: " ")).map { String(decoding: $0, as: UTF8.self) }
        guard words.count == 4, let lines = Int(words[0]), let count = Int(words[1]) else { return nil }
        position = JournalPosition(lines: lines, bytes: count, checksum: words[2] == "-" ? "" : words[2])
        guard self.bytes == bytes else { return nil }
    }

    /// The checkpoint as stored in the file.
    var bytes: [UInt8] {
        let text = "\(position.lines) \(position.bytes) \(position.checksum.isEmpty ? "-" : position.checksum) "
        let body = Array(text.utf8)
        let checksum = JournalLine.checksum(of: body[...])
        let padding = max(0, Self.length - body.count - checksum.count - 1)
        return body + checksum + Array(repeating: UInt8(ascii: " "), count: padding) + [UInt8(ascii: "\n")]
    }

    /// Writes the checkpoint over the one in a file; if that fails, a later loss may go undetected.
    func write(to file: OpenFile) {
        _ = file.overwrite(with: bytes)
    }
}
