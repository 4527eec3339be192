import DeviceJournal
import Foundation
import Testing
import WaypostSchema
import WaypostTestSupport

/// The entries of a journal, read again a page at a time.
@Suite struct JournalEntriesTests {
    private let folder: ScratchFolder
    private let file: JournalFile
    private var path: String { folder.path(of: "journal.jsonl") }

    /// Creates a journal with twenty events.
    init() throws {
        folder = try ScratchFolder()
        file = try JournalFile.open(folder.path(of: "journal.jsonl")).file
        try file.append((1...20).map { Self.entry($0) })
    }

    /// Returns an event of about as many bytes.
    private static func entry(_ number: Int, length: Int = 0) -> JournalEntry {
        let text = String(repeating: "x", count: length)
        let event = DeviceEvent.sharing(.messageEdited(MessageID(rawValue: "m\(number)"), text: text))
        return JournalEntry(at: Timestamp(milliseconds: number), event: event)
    }

    @Test(arguments: 0...21, [1, 7, 20, 1_000]) func pageBeginsAfterTheSkippedEntries(
        _ skipped: Int,
        _ limit: Int
    ) throws {
        let expected = (1...20).map { Self.entry($0) }.dropFirst(skipped).prefix(limit)
        #expect(try file.entries(skipping: skipped, limit: limit) == Array(expected))
    }

    @Test func pagesCanBeReadInAnyOrder() throws {
        for skipped in [15, 3, 18, 3, 6, 0, 20, 19] {
            let first = try file.entries(skipping: skipped, limit: 3).first
            #expect(first?.at.rawValue == (skipped < 20 ? skipped + 1 : nil))
        }
    }

    @Test func appendedEntriesAreOnTheNextPage() throws {
        #expect(try file.entries(skipping: 20, limit: 10).isEmpty)
        try file.append([Self.entry(21), Self.entry(22)])
        #expect(try file.entries(skipping: 20, limit: 10) == [Self.entry(21), Self.entry(22)])
        #expect(try file.entries(skipping: 22, limit: 10).isEmpty)
    }

    /// Lines that are longer than the chunks in which the file is read.
    @Test func longLinesAreReadCompletely() throws {
        let entries = (21...25).map { Self.entry($0, length: 50_000 * ($0 - 20)) }
        try file.append(entries)
        try file.append([Self.entry(26)])
        #expect(try file.entries(skipping: 19, limit: 10) == [Self.entry(20)] + entries + [Self.entry(26)])
    }

    @Test func pageOfLongEntriesEndsEarlier() throws {
        let entries = (21...24).map { Self.entry($0, length: 600_000) }
        try file.append(entries)
        #expect(try file.entries(skipping: 20, limit: 1_000) == Array(entries.prefix(2)))
        #expect(try file.entries(skipping: 22, limit: 1_000) == Array(entries.suffix(2)))
    }

    @Test func journalOpenedAtAPlaceIsReadFromItsStart() throws {
        let folder = try ScratchFolder()
        let path = folder.path(of: "journal.jsonl")
        let position: JournalPosition
        do {
            let file = try JournalFile.open(path).file
            try file.append([Self.entry(1), Self.entry(2)])
            position = file.end
        }
        let file = try JournalFile.open(path, from: position).file
        try file.append([Self.entry(3)])
        #expect(try file.entries(skipping: 0, limit: 10) == [Self.entry(1), Self.entry(2), Self.entry(3)])
        withExtendedLifetime(folder) {}
    }

    @Test func damagedLineIsNamed() throws {
        var bytes = try Data(contentsOf: URL(filePath: path))
        let second = try #require(bytes.firstIndex(of: UInt8(ascii: "\n"))) + 1
        bytes[second + 5] ^= 1
        // The file stays the same one.
        let handle = try FileHandle(forWritingTo: URL(filePath: path))
        try handle.write(contentsOf: bytes)
        try handle.close()
        #expect(throws: JournalError.damaged(line: 2)) { _ = try file.entries(skipping: 0, limit: 10) }
        #expect(try file.entries(skipping: 2, limit: 1) == [Self.entry(3)])
    }

    @Test func truncatedFileIsDamaged() throws {
        let handle = try FileHandle(forWritingTo: URL(filePath: path))
        try handle.truncate(atOffset: 10)
        try handle.close()
        #expect(throws: JournalError.damaged(line: 1)) { _ = try file.entries(skipping: 0, limit: 10) }
    }

    @Test(arguments: [true, false]) func removedOrReplacedFileIsNotRead(_ isReplaced: Bool) throws {
        let bytes = try Data(contentsOf: URL(filePath: path))
        try FileManager.default.removeItem(atPath: path)
        if isReplaced { try bytes.write(to: URL(filePath: path)) }
        for skipped in [0, 20] {
            #expect(throws: JournalError.moved(path)) { _ = try file.entries(skipping: skipped, limit: 10) }
        }
    }
}
