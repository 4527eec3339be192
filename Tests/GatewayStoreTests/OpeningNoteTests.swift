import Foundation
import LocalFiles
import Testing
import WaypostSchema
import WaypostTestSupport

@testable import GatewayStore

@Suite struct OpeningNoteTests {
    static let notes = [
        CommitRecord(counters: StoreCounters()),
        CommitRecord(
            counters: StoreCounters(commitCount: 1, lastSequence: 2, lastAgentNumber: 3, lastBatchNumber: 4),
            isCheckpointing: true
        ),
        CommitRecord(counters: StoreCounters(commitCount: 7), hasFailedSync: true),
        CommitRecord(counters: StoreCounters(commitCount: 7), isCheckpointing: true, hasFailedSync: true),
        CommitRecord(
            counters: StoreCounters(
                commitCount: .max,
                lastSequence: 1 << 40,
                lastAgentNumber: 0xFF,
                lastBatchNumber: 0x100
            )
        ),
    ]

    @Test(arguments: notes) func noteIsReadAsItWasWritten(_ note: CommitRecord) {
        #expect(note.bytes.count == CommitRecord.length)
        #expect(CommitRecord(bytes: note.bytes) == note)
    }

    @Test(arguments: notes) func noteWithAChangedBitIsInvalid(_ note: CommitRecord) {
        for index in note.bytes.indices {
            for bit in 0..<8 {
                var bytes = note.bytes
                bytes[index] ^= 1 << bit
                #expect(CommitRecord(bytes: bytes) == nil)
            }
        }
    }

    @Test(arguments: notes) func noteOfAnotherLengthIsInvalid(_ note: CommitRecord) {
        for length in 0..<note.bytes.count { #expect(CommitRecord(bytes: Array(note.bytes.prefix(length))) == nil) }
        #expect(CommitRecord(bytes: note.bytes + [0]) == nil)
    }

    @Test func lostCommitsAreReportedOnce() async throws {
        let sqlite = try await SQLiteExample()
        try await sqlite.example.take(.example("n1"))
        let counters = try await sqlite.store.read { try StoreCounters.fetch($0) }
        try sqlite.store.close()
        var further = counters
        further.commitCount += 3
        further.lastSequence += 20
        further.lastAgentNumber += 5
        further.lastBatchNumber += 7
        let note = CommitRecord(counters: further)
        #expect(try OpenFile(path: sqlite.path(of: .commits), O_RDWR).overwrite(with: note.bytes))
        let lost = LostCommits(count: 3, firstMissingAfter: counters.lastSequence, lastSequence: further.lastSequence)
        try sqlite.reopen()
        #expect(sqlite.report.lostCommits == lost)
        #expect("\(lost)".contains("3 confirmed commits"))
        let appended = try await sqlite.example.take(.example("n2"), as: "second")
        #expect(appended.number.rawValue == further.lastBatchNumber + 1)
        #expect(try await sqlite.example.sequence(of: "n2") == further.lastSequence + 1)
        #expect(try await sqlite.store.join("new", .unknown).number == further.lastAgentNumber + 1)
        try sqlite.reopen()
        #expect(sqlite.report.lostCommits == nil)
    }

    @Test(arguments: ["", "x", "waypost\u{1}", String(repeating: "waypost\u{1}", count: 7)])
    func unreadableNoteIsNotReportedAsALoss(_ text: String) async throws {
        let sqlite = try await SQLiteExample()
        try await sqlite.example.take(.example("n1"))
        try sqlite.store.close()
        _ = try sqlite.folder.write(text.utf8, to: StoreFile.commits.rawValue)
        try sqlite.reopen()
        #expect(sqlite.report.lostCommits == nil)
        #expect(try await sqlite.example.inbox() == ["n1"])
        #expect(try CommitRecord.read(OpenFile(path: sqlite.path(of: .commits))) != nil)
    }
}
