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
            let (file, found) = (opened.file, opened.found)
            #expect(found.entries.isEmpty)
            try file.append([Self.entry(1)])
            try file.append([Self.entry(2), Self.entry(3)])
            try file.append([])
        }
        let opened = try JournalFile.open(path)
        let (file, found) = (opened.file, opened.found)
        #expect(found.entries == (1...3).map(Self.entry))
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
            let (file, found) = (opened.file, opened.found)
            #expect(found.lost == 20)
            #expect(try Data(contentsOf: URL(filePath: path)) == whole)
            try file.append([Self.entry(2)])
        }
        #expect(try JournalFile.open(path).found.entries == [Self.entry(1), Self.entry(2)])
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
        let place: JournalPlace
        do {
            let file = try JournalFile.open(path).file
            try file.append([Self.entry(1), Self.entry(2)])
            place = file.end
            try file.append([Self.entry(3)])
        }
        do {
            let opened = try JournalFile.open(path, from: place)
            let (file, found, isBehind) = (opened.file, opened.found, opened.isBehindPlace)
            #expect(isBehind)
            #expect(found.entries == [Self.entry(3)])
            #expect(found.end.lines == 3)
            try file.append([Self.entry(4)])
        }
        #expect(try JournalFile.open(path).found.entries.count == 4)
    }

    @Test(arguments: [
        JournalPlace(lines: 1, bytes: 100_000, checksum: "00000000"),
        JournalPlace(lines: 1, bytes: 3, checksum: "00000000"),
        JournalPlace(lines: 0, bytes: 0, checksum: ""),
    ])
    func journalWithoutThePlaceIsReadFromItsStart(_ place: JournalPlace) throws {
        let folder = try ScratchFolder()
        let path = folder.path(of: "journal.jsonl")
        do { try JournalFile.open(path).file.append([Self.entry(1), Self.entry(2)]) }
        let opened = try JournalFile.open(path, from: place)
        let found = opened.found
        #expect(found.entries == [Self.entry(1), Self.entry(2)])
    }

    @Test func placeWithAnotherChecksumIsNotFound() throws {
        let folder = try ScratchFolder()
        let path = folder.path(of: "journal.jsonl")
        var place: JournalPlace
        do {
            let file = try JournalFile.open(path).file
            try file.append([Self.entry(1)])
            place = file.end
            try file.append([Self.entry(2)])
        }
        place.checksum = "00000000"
        let opened = try JournalFile.open(path, from: place)
        let (found, isBehind) = (opened.found, opened.isBehindPlace)
        #expect(!isBehind)
        #expect(found.entries.count == 2)
    }
}
