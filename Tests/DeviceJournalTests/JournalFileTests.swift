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

    @Test func onlyEntriesAfterThePlaceAreRead() throws {
        let folder = try ScratchFolder()
        let path = folder.path(of: "journal.jsonl")
        let position: JournalPosition
        do {
            let file = try JournalFile.open(path).file
            try file.append([Self.entry(1), Self.entry(2)])
            position = file.end
            try file.append([Self.entry(3)])
        }
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
