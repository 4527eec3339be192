import DeviceJournal
import Foundation
import Testing
import WaypostSchema
import WaypostTestSupport

/// Journals that have lost what was safe.
@Suite struct JournalLossTests {
    private let folder: ScratchFolder
    private var path: String { folder.path(of: "journal.jsonl") }

    /// Creates a journal with twenty events.
    init() throws {
        folder = try ScratchFolder()
        let file = try JournalFile.open(path).file
        for number in 1...20 { try file.append([Self.entry(number)]) }
    }

    private static func entry(_ number: Int) -> JournalEntry {
        JournalEntry(
            at: Timestamp(milliseconds: number),
            event: .sharing(.messageDeleted(MessageID(rawValue: "m\(number)")))
        )
    }

    private func bytes() throws -> Data {
        try Data(contentsOf: URL(filePath: path))
    }

    private func change(_ change: (inout Data) -> Void) throws {
        var data = try bytes()
        change(&data)
        try data.write(to: URL(filePath: path))
    }

    @Test func wholeJournalHasLostNothing() throws {
        #expect(try JournalFile.open(path).loss == nil)
        #expect(try JournalFile.open(path).entries.count == 20)
    }

    @Test func everyCutAtTheEndOfALineIsFound() throws {
        let whole = try bytes()
        let checkpoint = try Data(contentsOf: URL(filePath: JournalFile.checkpointPath(of: path)))
        let ends = whole.indices.filter { whole[$0] == UInt8(ascii: "\n") }
        for kept in 0..<20 {
            let length = kept == 0 ? 0 : ends[kept - 1] + 1
            try whole.prefix(length).write(to: URL(filePath: path))
            try checkpoint.write(to: URL(filePath: JournalFile.checkpointPath(of: path)))
            let opened = try JournalFile.open(path)
            #expect(opened.entries.count == kept)
            #expect(opened.loss?.missingEventCount == 20 - kept)
            #expect(opened.loss?.copyPath == nil)
        }
    }

    @Test func lossIsReportedOnce() throws {
        try change { $0.removeAll() }
        #expect(try JournalFile.open(path).loss?.missingEventCount == 20)
        #expect(try JournalFile.open(path).loss == nil)
    }

    @Test func damagedFileIsKept() throws {
        let garbage = Data((0..<5_000).map { UInt8(truncatingIfNeeded: $0 &* 167 &+ 13) })
        try change { $0 = garbage }
        let loss = try #require(try JournalFile.open(path).loss)
        #expect(loss.missingEventCount == 20)
        #expect(try Data(contentsOf: URL(filePath: try #require(loss.copyPath))) == garbage)
        #expect(
            "\(loss)" == "\(path): its last 20 events are missing; the file as it was found is now \(path).damaged-1"
        )
    }

    /// The last line cannot be shown to be safe by any line after it.
    @Test(arguments: [1, 20, 60]) func flippedBitInTheLastLineIsFound(_ distance: Int) throws {
        let whole = try bytes()
        try change { $0[$0.count - distance] ^= 4 }
        let damaged = try bytes()
        let loss = try #require(try JournalFile.open(path).loss)
        #expect(loss.missingEventCount == 1)
        #expect(try Data(contentsOf: URL(filePath: try #require(loss.copyPath))) == damaged)
        #expect(try bytes().count < whole.count)
    }

    @Test func endOfAnInterruptedWriteIsNoLoss() throws {
        let whole = try bytes()
        try change { $0 += $0.prefix(30) }
        let opened = try JournalFile.open(path)
        #expect(opened.loss == nil)
        #expect(try bytes() == whole)
    }

    /// A journal of an earlier version has no file beside it.
    @Test func endOfAnEarlierJournalIsKept() throws {
        try FileManager.default.removeItem(atPath: JournalFile.checkpointPath(of: path))
        #expect(try JournalFile.open(path).loss == nil)
        try FileManager.default.removeItem(atPath: JournalFile.checkpointPath(of: path))
        try change { $0 += Data("garbage".utf8) }
        let loss = try #require(try JournalFile.open(path).loss)
        #expect(loss.missingEventCount == nil)
        #expect(loss.copyPath == path + ".damaged-1")
    }

    @Test func journalThatWasRemovedTakesNoEvents() throws {
        let file = try JournalFile.open(path).file
        #expect(file.isStillAtPath)
        try FileManager.default.removeItem(atPath: path)
        #expect(!file.isStillAtPath)
        #expect(throws: JournalError.moved(path)) { try file.append([Self.entry(21)]) }
        try Data().write(to: URL(filePath: path))
        #expect(throws: JournalError.moved(path)) { try file.append([Self.entry(21)]) }
    }
}
