import DeviceJournal
import Foundation
import JSONScanning
import LocalFiles
import WaypostSchema

extension FuzzTarget {
    /// Entries as JSON Lines, what is done to the file, and bytes after the lines.
    static let journals = FuzzTarget(
        name: "journals",
        summary: "damaged journals of devices; what is read, and which line is named, follows from the damage"
    ) { bytes in
        var input = SeparatedInput(bytes)
        let entries = JournalEntry.stableEntries(in: input.next())
        var choices = input.nextChoices()
        guard let trial = DamagedJournal(entries, &choices, tail: input.next()) else { return }
        trial.check()
    }
}

extension JournalEntry {
    /// Returns the entries among lines of JSON, as a journal has them: written and read once.
    ///
    /// JSON has several spellings of a number, and a journal one of them.
    static func stableEntries(in json: [UInt8]) -> [JournalEntry] {
        json.split(separator: UInt8(ascii: "\n")).prefix(32).compactMap { line in
            guard let entry = try? JournalLine(entry: .read(line), durableLineCount: 0) else { return nil }
            return try? JournalLine(entry.bytes[...]).entry
        }
    }

    /// Reads an entry without a checksum.
    private static func read(_ line: ArraySlice<UInt8>) throws -> JournalEntry {
        try DocumentDecoder.decode(JournalEntry.self, fromDeepJSON: line)
    }
}

/// A journal whose file was damaged, and what a reader must find in it.
private struct DamagedJournal {
    private let entries: [JournalEntry]

    /// The lines with their line feeds.
    private var lines: [[UInt8]] = []

    /// The number of lines that are written and synced together.
    private let groupSize: Int

    /// The number of bytes that are read at once.
    private let chunkSize: Int

    /// The bytes of the damaged file.
    private var file: [UInt8]

    /// The number of entries before the damage.
    private var readableCount: Int

    /// Whether a line that was written later proves that the damaged line was on the disk.
    private var isDamageProven = false

    init?(_ entries: [JournalEntry], _ choices: inout InputChoices, tail: [UInt8]) {
        self.entries = entries
        groupSize = Int(choices.byte() % 4) + 1
        chunkSize = Int(choices.byte()) * 4 + 1
        for (index, entry) in entries.enumerated() {
            let line = JournalLine(entry: entry, durableLineCount: index - index % groupSize)
            guard let bytes = try? line.bytes else { return nil }
            lines.append(bytes + [UInt8(ascii: "\n")])
        }
        file = Array(lines.joined())
        readableCount = entries.count
        switch choices.byte() % 4 {
        case 0: break
        case 1: cut(at: choices.number())
        case 2: flip(at: choices.number(), mask: choices.byte())
        default:
            // An intact line would not be damage.
            guard !tail.contains(UInt8(ascii: "\"")) else { return nil }
            file += tail
        }
    }

    /// The offset of the first byte after each line.
    private var lineEnds: [Int] {
        var end = 0
        return lines.map { line in
            end += line.count
            return end
        }
    }

    /// Cuts the file off.
    private mutating func cut(at number: Int) {
        let length = number % (file.count + 1)
        file = Array(file.prefix(length))
        readableCount = lineEnds.count { $0 <= length }
    }

    /// Changes bits of a byte.
    private mutating func flip(at number: Int, mask: UInt8) {
        guard mask != 0, !file.isEmpty else { return }
        let offset = number % file.count
        file[offset] ^= mask
        let ends = lineEnds
        readableCount = ends.count { $0 <= offset }
        // Without its line feed, a line is one with the next.
        let firstIntactLine = readableCount + (ends.contains(offset + 1) ? 2 : 1)
        isDamageProven = lines.indices.dropFirst(firstIntactLine).contains { index in
            index - index % groupSize > readableCount
        }
    }

    func check() {
        let folder = ScratchMemory()
        let path = folder.write(file, to: "journal.jsonl")
        guard let openFile = try? OpenFile(path: path) else { return }
        let lines = JournalLines(of: openFile, at: path, after: 0, chunkSize: chunkSize)
        var found: [JournalEntry] = []
        do throws(JournalError) {
            let recovery = try JournalRecovery(lines) { found.append($0) }
            promise(!isDamageProven, "damage that a later line proves is an error", found: recovery)
            checkEnd(recovery)
            let expected = Array(entries.prefix(readableCount))
            promise(found == expected, "all entries before the damage are read", found: found)
        } catch {
            promise(
                isDamageProven && error == .damaged(line: readableCount + 1),
                "only damage that a later line proves is an error, and it names the line",
                found: error
            )
        }
    }

    private func checkEnd(_ recovery: JournalRecovery) {
        let byteCount = readableCount == 0 ? 0 : lineEnds[readableCount - 1]
        promise(recovery.end.lines == readableCount, "a journal ends before the damage", found: recovery)
        promise(recovery.end.bytes == byteCount, "a journal ends before the damage", found: recovery)
        promise(
            recovery.discardedByteCount == file.count - byteCount,
            "all bytes from the damage on are discarded",
            found: recovery
        )
        let maximumLineLength = file.split(separator: UInt8(ascii: "\n")).map(\.count).max() ?? 0
        promise(
            recovery.maximumHeldByteCount <= maximumLineLength + chunkSize + 1,
            "a line and a chunk are held at once",
            found: recovery
        )
    }
}
