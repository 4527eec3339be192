import DeviceJournal
import Foundation
import LocalFiles
import Testing
import WaypostSchema
import WaypostTestSupport

/// Recovery of a journal that was not completely written, or that was changed.
@Suite struct JournalRecoveryTests {
    private static let events: [DeviceEvent] = [
        .sharing(.contactChanged(Contact(id: "enrique", givenName: "Enrique", handles: ["+14085550101"]))),
        .sharing(
            .messageReceived(
                Message(
                    id: "m1",
                    conversation: "c1",
                    sender: "+14085550101",
                    text: "größer 🤡 \u{2028} \"https://tv.example/\""
                )
            )
        ),
        .sharing(.linkPinned("m1", url: nil)),
        .system(.timePassed),
    ]

    private let folder: ScratchFolder

    init() throws {
        folder = try ScratchFolder()
    }

    /// The result of the recovery of a journal.
    private struct Outcome: Equatable {
        var entries: [JournalEntry]
        var end: JournalPosition
        var discardedByteCount: Int
    }

    /// Recovers a journal that has these bytes, and is read in chunks of a size.
    @discardableResult
    private func recover(_ bytes: [UInt8], chunkSize: Int = JournalLines.chunkSize) throws -> Outcome {
        let path = try folder.write(bytes, to: "journal.jsonl")
        let lines = JournalLines(of: try OpenFile(path: path), at: path, after: 0, chunkSize: chunkSize)
        var entries: [JournalEntry] = []
        let recovery = try JournalRecovery(lines) { entries.append($0) }
        return Outcome(entries: entries, end: recovery.end, discardedByteCount: recovery.discardedByteCount)
    }

    /// Returns a journal whose lines were written in groups of the given sizes.
    private static func journal(groups: [Int]) throws -> [[UInt8]] {
        var lines: [[UInt8]] = []
        for group in groups {
            let durableLineCount = lines.count
            for _ in 0..<group {
                let event = events[lines.count % events.count]
                let entry = JournalEntry(at: Timestamp(milliseconds: 1_000 * lines.count), event: event)
                let line = JournalLine(entry: entry, durableLineCount: durableLineCount)
                lines.append(try line.bytes + [UInt8(ascii: "\n")])
            }
        }
        return lines
    }

    @Test func lineIsASchemaEntryWithAChecksum() throws {
        for (number, event) in Self.events.enumerated() {
            let entry = JournalEntry(at: Timestamp(milliseconds: number), event: event)
            let line = JournalLine(entry: entry, durableLineCount: number)
            let bytes = try line.bytes
            #expect(try JournalLine(bytes[...]) == line)
            #expect(!bytes.contains(UInt8(ascii: "\n")))
            #expect(try JSONDecoder().decode(JournalEntry.self, from: Data(bytes)) == line.entry)
            #expect(String(decoding: bytes, as: UTF8.self).contains(/,"safe":\d,"checksum":"[0-9a-f]{8}"}$/))
        }
    }

    @Test func journalIsReadAsWritten() throws {
        let lines = try Self.journal(groups: [1, 3, 2])
        let recovery = try recover(lines.flatMap { $0 })
        #expect(recovery.entries.map(\.event) == (0..<6).map { Self.events[$0 % 4] })
        #expect(recovery.discardedByteCount == 0)
        #expect(try recover([]).entries.isEmpty)
    }

    @Test func tornTailOfAnyLengthIsLeftOut() throws {
        let lines = try Self.journal(groups: [1, 2, 3])
        let bytes = lines.flatMap { $0 }
        for length in 0...bytes.count {
            var (whole, end) = (0, 0)
            while whole < lines.count, end + lines[whole].count <= length {
                end += lines[whole].count
                whole += 1
            }
            let recovery = try recover(Array(bytes.prefix(length)))
            #expect(recovery.entries.count == whole)
            #expect(recovery.end.bytes == end)
            #expect(recovery.discardedByteCount == length - end)
        }
    }

    @Test func journalThatEndsAtTheBorderOfAChunkIsCutThere() throws {
        var generator = SeededGenerator(seed: 12)
        let lines = try Self.journal(groups: [1, 2, 3])
        let bytes = lines.flatMap { $0 }
        let ends = bytes.indices.filter { bytes[$0] == UInt8(ascii: "\n") }.map { $0 + 1 }
        for _ in 0..<300 {
            let chunkSize = Int.random(in: 1...(bytes.count / 2), using: &generator)
            let border = chunkSize * Int.random(in: 1...(bytes.count / chunkSize), using: &generator)
            let length = min(border + Int.random(in: -1...1, using: &generator), bytes.count)
            let wholeEnds = ends.filter { $0 <= length }
            let outcome = try recover(Array(bytes.prefix(length)), chunkSize: chunkSize)
            #expect(outcome.entries.count == wholeEnds.count, "\(length) bytes in chunks of \(chunkSize)")
            #expect(outcome.end.bytes == wholeEnds.last ?? 0)
            #expect(outcome.discardedByteCount == length - outcome.end.bytes)
        }
    }

    /// Changes of a journal's bytes, by which a recovery ends in different ways.
    enum Change: CaseIterable {
        case none, cut, flippedBit, zeros, repeatedEnd

        func apply(to bytes: inout [UInt8], at place: Int) {
            switch self {
            case .none: break
            case .cut: bytes.removeLast(bytes.count - place)
            case .flippedBit: bytes[place] ^= 1
            case .zeros:
                for index in place..<min(place + 40, bytes.count) { bytes[index] = 0 }
            case .repeatedEnd: bytes += bytes[place...]
            }
        }
    }

    @Test(arguments: Change.allCases) func sizeOfAChunkMakesNoDifference(_ change: Change) throws {
        var generator = SeededGenerator(seed: 13)
        let whole = try Self.journal(groups: [1, 2, 3]).flatMap { $0 }
        for _ in 0..<100 {
            var bytes = whole
            let place = Int.random(in: 0..<whole.count, using: &generator)
            change.apply(to: &bytes, at: place)
            // The change is at the border of a chunk, or anywhere.
            let divisor = Int.random(in: 1...8, using: &generator)
            let chunkSize = max(1, place / divisor + Int.random(in: -1...1, using: &generator))
            let expected = Result { try recover(bytes, chunkSize: bytes.count + 1) }
            let outcome = Result { try recover(bytes, chunkSize: chunkSize) }
            let text = "\(change) at \(place), chunks of \(chunkSize)"
            switch (expected, outcome) {
            case (.success(let expected), .success(let outcome)):
                #expect(outcome == expected, "\(text)")
            case (.failure(let expected as JournalError), .failure(let outcome as JournalError)):
                #expect(outcome == expected, "\(text)")
            default: Issue.record("\(text): \(outcome) instead of \(expected)")
            }
        }
    }

    @Test func tailWrittenOutOfOrderIsLeftOut() throws {
        // The second line of a group of three never reached the disk; the file has zeros in its place.
        var lines = try Self.journal(groups: [2, 3])
        lines[3] = Array(repeating: 0, count: lines[3].count - 1) + [UInt8(ascii: "\n")]
        let recovery = try recover(lines.flatMap { $0 })
        #expect(recovery.entries.count == 3)
        #expect(recovery.discardedByteCount == lines[3].count + lines[4].count)
    }

    @Test func changedSafeLineIsDamage() throws {
        var generator = SeededGenerator(seed: 11)
        let lines = try Self.journal(groups: [1, 2, 3])
        for _ in 0..<200 {
            // A line of the first two groups, which were safe when a later group was written.
            let line = Int.random(in: 0..<3, using: &generator)
            var changed = lines
            let place = Int.random(in: 0..<(lines[line].count - 1), using: &generator)
            changed[line][place] ^= UInt8.random(in: 1...255, using: &generator)
            guard changed[line][place] != UInt8(ascii: "\n") else { continue }
            #expect(throws: JournalError.damaged(line: line + 1)) { try recover(changed.flatMap { $0 }) }
        }
        #expect(throws: JournalError.damaged(line: 3)) {
            try recover((lines[..<1] + lines[2...]).flatMap { $0 })
        }
    }

    @Test func eventOfANewerVersionIsNotLeftOut() throws {
        let entry = #"{"at":1,"type":"teleported","safe":0"#
        let known = JournalLine(
            entry: JournalEntry(at: Timestamp(milliseconds: 1), event: .system(.timePassed)),
            durableLineCount: 0
        )
        let text = String(decoding: try known.bytes, as: UTF8.self)
        #expect(throws: JournalLine.ParseError.broken) {
            try JournalLine(Array(text.replacing("timePassed", with: "timeWarped").utf8)[...])
        }
        let sealed = Self.sealed(entry)
        #expect(throws: JournalError.self) { try recover(sealed + [UInt8(ascii: "\n")]) }
    }

    /// Returns a line with any content, sealed with the checksum that Python's zlib computes.
    private static func sealed(_ text: String) -> [UInt8] {
        var sum: UInt32 = 0xFFFF_FFFF
        for byte in text.utf8 {
            sum ^= UInt32(byte)
            for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
        }
        let digits = String(~sum, radix: 16)
        let padded = String(repeating: "0", count: 8 - digits.count) + digits
        return Array((text + #","checksum":"\#(padded)"}"#).utf8)
    }
}
