import DeviceJournal
import Foundation
import Testing
import WaypostSchema
import WaypostTestSupport

@Suite struct JournalFileTests {
    private static func entry(_ number: Int) -> JournalEntry {
        JournalEntry(at: Timestamp(milliseconds: number), event: .messageDeleted(MessageID(rawValue: "m\(number)")))
    }

    @Test func whatWasAppendedIsThereAgain() throws {
        let folder = try ScratchFolder()
        let path = folder.path(of: "journal.jsonl")
        do {
            let (file, found) = try JournalFile.open(path)
            #expect(found.entries.isEmpty)
            try file.append([Self.entry(1)])
            try file.append([Self.entry(2), Self.entry(3)])
            try file.append([])
        }
        let (file, found) = try JournalFile.open(path)
        #expect(found.entries == (1...3).map(Self.entry))
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        withExtendedLifetime((folder, file)) {}
    }

    @Test func aTornTailIsCutOffAndWrittenOver() throws {
        let folder = try ScratchFolder()
        let path = folder.path(of: "journal.jsonl")
        do { try JournalFile.open(path).file.append([Self.entry(1)]) }
        let whole = try Data(contentsOf: URL(filePath: path))
        try (whole + whole.prefix(20)).write(to: URL(filePath: path))
        do {
            let (file, found) = try JournalFile.open(path)
            #expect(found.lost == 20)
            #expect(try Data(contentsOf: URL(filePath: path)) == whole)
            try file.append([Self.entry(2)])
        }
        #expect(try JournalFile.open(path).found.entries == [Self.entry(1), Self.entry(2)])
        withExtendedLifetime(folder) {}
    }

    @Test func oneProcessHasItAtATime() throws {
        let folder = try ScratchFolder()
        let path = folder.path(of: "journal.jsonl")
        let (file, _) = try JournalFile.open(path)
        #expect(throws: JournalFault.inUse(path)) { _ = try JournalFile.open(path) }
        withExtendedLifetime((folder, file)) {}
    }

    @Test func aJournalThatIsDamagedIsLeftAsItIs() throws {
        let folder = try ScratchFolder()
        let path = folder.path(of: "journal.jsonl")
        do {
            let file = try JournalFile.open(path).file
            for number in 1...3 { try file.append([Self.entry(number)]) }
        }
        var bytes = try Data(contentsOf: URL(filePath: path))
        bytes[10] ^= 1
        try bytes.write(to: URL(filePath: path))
        #expect(throws: JournalFault.damaged(line: 1)) { _ = try JournalFile.open(path) }
        #expect(try Data(contentsOf: URL(filePath: path)) == bytes)
        withExtendedLifetime(folder) {}
    }

    @Test func aFileThatCannotBeIsNamed() {
        let fault = #expect(throws: JournalFault.self) { _ = try JournalFile.open("/dev/null/journal.jsonl") }
        #expect(fault?.description.hasPrefix("/dev/null/journal.jsonl: cannot be opened") == true)
    }
}
