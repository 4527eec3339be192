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
            let (file, recovery) = (opened.file, opened.recovery)
            #expect(recovery.entries.isEmpty)
            try file.append([Self.entry(1)])
            try file.append([Self.entry(2), Self.entry(3)])
            try file.append([])
        }
        let opened = try JournalFile.open(path)
        let (file, recovery) = (opened.file, opened.recovery)
        #expect(recovery.entries == (1...3).map(Self.entry))
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        withExtendedLifetime((folder, file)) {}
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
        #expect(try JournalFile.open(path).recovery.entries == [Self.entry(1), Self.entry(2)])
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
            let (file, recovery, startsAtPosition) = (opened.file, opened.recovery, opened.startsAtRequestedPosition)
            #expect(startsAtPosition)
            #expect(recovery.entries == [Self.entry(3)])
            #expect(recovery.end.lines == 3)
            try file.append([Self.entry(4)])
        }
        #expect(try JournalFile.open(path).recovery.entries.count == 4)
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
        #expect(opened.recovery.entries == [Self.entry(2_002)])
        // The last line is looked for in chunks that double, of which the first has 4 KiB.
        #expect(opened.readByteCount <= size - position.bytes + 4 * lengthOfLastLine + 4_096)
        #expect(try opened.file.entries(skipping: 2_000, limit: 2) == [last, Self.entry(2_002)])
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
        #expect(opened.recovery.entries == [Self.entry(3)])
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
        let recovery = opened.recovery
        #expect(recovery.entries == [Self.entry(1), Self.entry(2)])
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
        let (recovery, startsAtPosition) = (opened.recovery, opened.startsAtRequestedPosition)
        #expect(!startsAtPosition)
        #expect(recovery.entries.count == 2)
    }
}
