internal import LocalFiles

/// The contents of the file beside a journal: the place up to which the journal was safe when a caller last got an
/// answer.
///
/// The file is overwritten in place after each write to the journal and not synced: this costs one system call, and the
/// file survives a crash of the process. After a crash of the machine it may be older than the journal, which is
/// harmless. If it is newer, the journal has lost events.
struct JournalNote: Sendable, Equatable {
    /// The length of a note in bytes.
    static let length = 64

    /// The place.
    var place: JournalPlace

    /// Creates the note of a place.
    init(_ place: JournalPlace) {
        self.place = place
    }

    /// Reads a note: the lines, the bytes and the checksum of the place, and a checksum of these; `nil` if `bytes` are
    /// not a note.
    init?(bytes: [UInt8]) {
        guard bytes.count == Self.length, bytes.last == UInt8(ascii: "\n") else { return nil }
        let words = bytes.dropLast().split(separator: UInt8(ascii: " ")).map { String(decoding: $0, as: UTF8.self) }
        guard words.count == 4, let lines = Int(words[0]), let count = Int(words[1]) else { return nil }
        place = JournalPlace(lines: lines, bytes: count, checksum: words[2] == "-" ? "" : words[2])
        guard self.bytes == bytes else { return nil }
    }

    /// The note as stored in the file.
    var bytes: [UInt8] {
        let text = "\(place.lines) \(place.bytes) \(place.checksum.isEmpty ? "-" : place.checksum) "
        let body = Array(text.utf8)
        let checksum = JournalLine.checksum(of: body[...])
        let padding = max(0, Self.length - body.count - checksum.count - 1)
        return body + checksum + Array(repeating: UInt8(ascii: " "), count: padding) + [UInt8(ascii: "\n")]
    }
}

/// Events that a journal has lost, although they were safe, and bytes in it that are none.
package struct JournalLoss: Sendable, Equatable {
    /// The path of the journal.
    package var path: String

    /// The number of events that are missing at its end; `nil` if it is not known how many there were.
    package var missing: Int?

    /// The path of a copy of the journal as it was found, if it had bytes that are no events.
    package var copy: String?
}

extension JournalLoss: CustomStringConvertible {
    /// A description of the loss.
    package var description: String {
        let events =
            switch missing {
            case nil: "its end is not an event"
            case 1?: "its last event is missing"
            case let count?: "its last \(count) events are missing"
            }
        return "\(path): \(events)" + (copy.map { "; the file as it was found is now \($0)" } ?? "")
    }
}
