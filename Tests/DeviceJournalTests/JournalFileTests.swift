import DeviceJournal
import Foundation
import Testing
import WaypostSchema
import WaypostTestSupport

@Suite struct JournalFileTests {
    private static func entry(_ number: Int) -> JournalEntry {
        JournalEntry(
            at: Timestamp(milliseconds: number),
            event: .sharing(.messageDeleted(MessageID(rawValue: "m\(number)")))
        )
    }

    @Test func appendedEntriesAreReadAgain() throws {
        let folder = try ScratchFolder()
        let path = folder.path(of: "journal.jsonl")
        do {
            let opened = try JournalFile.open(path)
            #expect(opened.entries.isEmpty)
            let file = opened.file
            try file.append([Self.entry(1)])
            try file.append([Self.entry(2), Self.entry(3)])
            try file.append([])
        }
        let opened = try JournalFile.open(path)
        #expect(opened.entries == (1...3).map(Self.entry))
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        withExtendedLifetime((folder, opened.file)) {}
    }

    @Test func tornTailIsCutOffAndOverwritten() throws {
        let folder = try ScratchFolder()
        let path = folder.path(of: "journal.jsonl")
        do { try JournalFile.open(path).file.append([Self.entry(1)]) }
        let whole = try Data(contentsOf: URL(filePath: path))
        try (whole + whole.prefix(20)).write(to: URL(filePath: path))
        do {
            let opened = try JournalFile.open(path)
            let (file, recovery) = (opened.file, opened.recovery)
            #expect(recovery.discardedByteCount == 20)
            #expect(try Data(contentsOf: URL(filePath: path)) == whole)
            try file.append([Self.entry(2)])
        }
        #expect(try JournalFile.open(path).entries == [Self.entry(1), Self.entry(2)])
        withExtendedLifetime(folder) {}
    }

    @Test func onlyOneProcessCanOpenAJournal() throws {
        let folder = try ScratchFolder()
        let path = folder.path(of: "journal.jsonl")
        let opened = try JournalFile.open(path)
        let file = opened.file
        #expect(throws: JournalError.inUse(path)) { _ = try JournalFile.open(path) }
        withExtendedLifetime((folder, file)) {}
    }

    @Test func namedPipeIsNotWaitedFor() throws {
        let folder = try ScratchFolder()
        let path = folder.path(of: "journal.jsonl")
        try #require(mkfifo(path, 0o600) == 0)
        #expect(throws: JournalError.system("\(path): cannot be opened: it is not a regular file")) {
            _ = try JournalFile.open(path)
        }
        withExtendedLifetime(folder) {}
    }

    @Test func damagedJournalIsLeftUnchanged() throws {
        let folder = try ScratchFolder()
        let path = folder.path(of: "journal.jsonl")
        do {
            let file = try JournalFile.open(path).file
            for number in 1...3 { try file.append([Self.entry(number)]) }
        }
        var bytes = try Data(contentsOf: URL(filePath: path))
        bytes[10] ^= 1
        try bytes.write(to: URL(filePath: path))
        #expect(throws: JournalError.damaged(line: 1)) { _ = try JournalFile.open(path) }
        #expect(try Data(contentsOf: URL(filePath: path)) == bytes)
        withExtendedLifetime(folder) {}
    }

    @Test func invalidPathIsReported() {
        let error = #expect(throws: JournalError.self) { _ = try JournalFile.open("/dev/null/journal.jsonl") }
        #expect(error?.description.hasPrefix("/dev/null/journal.jsonl: cannot be opened") == true)
    }

    /// Writes a journal, and returns its end before the last entry.
    private static func position(
        in path: String,
        after entries: [JournalEntry],
        before last: JournalEntry
    ) throws -> JournalPosition {
        let file = try JournalFile.open(path).file
        try file.append(entries)
        let position = file.end
        try file.append([last])
        return position
    }

    @Test func onlyEntriesAfterThePlaceAreRead() throws {
        let folder = try ScratchFolder()
        let path = folder.path(of: "journal.jsonl")
        let position = try Self.position(in: path, after: [Self.entry(1), Self.entry(2)], before: Self.entry(3))
        do {
            let opened = try JournalFile.open(path, from: position)
            #expect(opened.startsAtRequestedPosition)
            #expect(opened.entries == [Self.entry(3)])
            #expect(opened.recovery.end.lines == 3)
            try opened.file.append([Self.entry(4)])
        }
        #expect(try JournalFile.open(path).entries.count == 4)
    }

    /// A start needs time for the new entries, and not for the history.
    @Test(arguments: [1, 50_000]) func historyIsNotReadAgain(_ lengthOfLastLine: Int) throws {
        let folder = try ScratchFolder()
        let path = folder.path(of: "journal.jsonl")
        let last = JournalEntry(
            at: Timestamp(milliseconds: 2_001),
            event: .sharing(.messageEdited("m1", text: String(repeating: "x", count: lengthOfLastLine)))
        )
        let position = try Self.position(
            in: path,
            after: (1...2_000).map(Self.entry) + [last],
            before: Self.entry(2_002)
        )
        let size = try Data(contentsOf: URL(filePath: path)).count
        let opened = try JournalFile.open(path, from: position)
        #expect(opened.entries == [Self.entry(2_002)])
        // The last line is looked for in chunks that double, of which the first has 4 KiB.
        #expect(opened.readByteCount <= size - position.bytes + 4 * lengthOfLastLine + 4_096)
        #expect(try opened.file.entries(skipping: 2_000, limit: 2) == [last, Self.entry(2_002)])
        withExtendedLifetime(folder) {}
    }

    /// A start needs memory for a chunk or a line, and not for the whole file.
    @Test(arguments: [(1_500, 1), (4_000, 1), (10, 100_000)]) func memoryDoesNotGrowWithTheJournal(
        _ count: Int,
        _ textLength: Int
    ) throws {
        let folder = try ScratchFolder()
        let path = folder.path(of: "journal.jsonl")
        let text = String(repeating: "x", count: textLength)
        let entries = (1...count).map { number in
            JournalEntry(at: Timestamp(milliseconds: number), event: .sharing(.messageEdited("m1", text: text)))
        }
        do { try JournalFile.open(path).file.append(entries) }
        let size = try Data(contentsOf: URL(filePath: path)).count
        let opened = try JournalFile.open(path)
        #expect(opened.entries == entries)
        #expect(opened.readByteCount == size)
        let maximum = JournalLines.chunkSize + textLength + 1_000
        #expect(opened.recovery.maximumHeldByteCount <= maximum)
        #expect(size > maximum)
        withExtendedLifetime(folder) {}
    }

    @Test func firstEntriesAreReadBeforeTheOthers() throws {
        let folder = try ScratchFolder()
        let path = folder.path(of: "journal.jsonl")
        let position = try Self.position(in: path, after: (1...9).map(Self.entry), before: Self.entry(10))
        let journal = try UnreadJournal(path, from: position)
        for count in 0...9 {
            var entries: [JournalEntry] = []
            try journal.forEachEntry(ofFirst: count) { entries.append($0) }
            #expect(entries == Array((1...9).map(Self.entry).prefix(count)))
        }
        var others: [JournalEntry] = []
        _ = try journal.recover { others.append($0) }
        #expect(others == [Self.entry(10)])
        withExtendedLifetime(folder) {}
    }

    @Test func damageOfTheFirstEntriesIsNamed() throws {
        let folder = try ScratchFolder()
        let path = folder.path(of: "journal.jsonl")
        let position = try Self.position(in: path, after: [Self.entry(1), Self.entry(2)], before: Self.entry(3))
        var bytes = try Data(contentsOf: URL(filePath: path))
        let second = try #require(bytes.firstIndex(of: UInt8(ascii: "\n"))) + 1
        bytes[second + 5] ^= 1
        try bytes.write(to: URL(filePath: path))
        let journal = try UnreadJournal(path, from: position)
        try journal.forEachEntry(ofFirst: 1) { entry in #expect(entry == Self.entry(1)) }
        #expect(throws: JournalError.damaged(line: 2)) { try journal.forEachEntry(ofFirst: 2) { _ in } }
        #expect(throws: JournalError.damaged(line: 4)) {
            let journal = try UnreadJournal(folder.path(of: "other.jsonl"))
            try journal.recover { _ in }.file.append((1...3).map(Self.entry))
            try journal.forEachEntry(ofFirst: 4) { _ in }
        }
        withExtendedLifetime(folder) {}
    }

    @Test func damagedHistoryIsFoundWhenItIsRead() throws {
        let folder = try ScratchFolder()
        let path = folder.path(of: "journal.jsonl")
        let position = try Self.position(in: path, after: [Self.entry(1), Self.entry(2)], before: Self.entry(3))
        var bytes = try Data(contentsOf: URL(filePath: path))
        bytes[10] ^= 1
        try bytes.write(to: URL(filePath: path))
        let opened = try JournalFile.open(path, from: position)
        #expect(opened.startsAtRequestedPosition)
        #expect(opened.entries == [Self.entry(3)])
        #expect(throws: JournalError.damaged(line: 1)) { _ = try opened.file.entries(skipping: 0, limit: 10) }
        withExtendedLifetime(folder) {}
    }

    @Test(arguments: [
        JournalPosition(lines: 1, bytes: 100_000, checksum: "00000000"),
        JournalPosition(lines: 1, bytes: 3, checksum: "00000000"),
        JournalPosition(lines: 0, bytes: 0, checksum: ""),
    ])
    func journalWithoutThePlaceIsReadFromItsStart(_ position: JournalPosition) throws {
        let folder = try ScratchFolder()
        let path = folder.path(of: "journal.jsonl")
        do { try JournalFile.open(path).file.append([Self.entry(1), Self.entry(2)]) }
        let opened = try JournalFile.open(path, from: position)
        #expect(opened.entries == [Self.entry(1), Self.entry(2)])
    }

    @Test func placeWithAnotherChecksumIsNotFound() throws {
        let folder = try ScratchFolder()
        let path = folder.path(of: "journal.jsonl")
        var position: JournalPosition
        do {
            let file = try JournalFile.open(path).file
            try file.append([Self.entry(1)])
            position = file.end
            try file.append([Self.entry(2)])
        }
        position.checksum = "00000000"
        let opened = try JournalFile.open(path, from: position)
        #expect(!opened.startsAtRequestedPosition)
        #expect(opened.entries.count == 2)
    }
}
