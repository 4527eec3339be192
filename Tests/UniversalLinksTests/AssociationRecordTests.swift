import Foundation
import JSONScanning
import Testing
import UniversalLinks
import WaypostSchema

/// The record that a device keeps of a domain's association file between fetch attempts.
@Suite struct AssociationRecordTests {
    private static let start = Timestamp(milliseconds: 1_700_000_000_000)
    private static let url = "https://clowntown.example/tents"

    private static func time(_ milliseconds: Int) -> Timestamp {
        Timestamp(milliseconds: start.rawValue + milliseconds)
    }

    private static func good(_ path: String = "/tents") -> Result<[UInt8], AssociationFailure> {
        .success(Array(Clowntown.json([#"{"/":"\#(path)"}"#]).utf8))
    }

    private static func record(_ attempts: Result<[UInt8], AssociationFailure>...) -> AssociationRecord {
        var record = AssociationRecord(domain: Clowntown.domain, source: "first")
        for (index, attempt) in attempts.enumerated() {
            record.recordFetch(attempt, from: "source \(index)", at: time(index * 1_000))
        }
        return record
    }

    private static func outcome(_ record: AssociationRecord) -> LinkDecision.Outcome? {
        record.matcher?.decision(on: url, for: Clowntown.app).outcome
    }

    /// A saved state with a record that cannot be read is not used, so the agent would read its whole journal.
    @Test func recordThatIsStoredKeepsItsFile() throws {
        let json = try JSONEncoder().encode(Self.record(Self.good()))
        let read = try DocumentDecoder.decode(AssociationRecord.self, fromDeepJSON: json)
        #expect(Self.outcome(read) != nil)
        #expect(Self.outcome(read) == Self.outcome(Self.record(Self.good())))
    }

    @Test func newRecordIsEmpty() {
        let record = Self.record()
        #expect(record.matcher == nil)
        #expect(record.status == AssociationFileStatus(domain: Clowntown.domain, source: "first"))
    }

    @Test func goodFileIsInUse() {
        let record = Self.record(Self.good())
        #expect(Self.outcome(record) == .match)
        #expect(
            record.status
                == AssociationFileStatus(
                    domain: Clowntown.domain,
                    source: "source 0",
                    fetchedAt: Self.start,
                    checkedAt: Self.start
                )
        )
    }

    @Test func laterGoodFileReplacesTheEarlierOne() {
        let record = Self.record(Self.good(), Self.good("/rings"))
        #expect(Self.outcome(record) == .noMatch)
        #expect(record.fetchedAt == Self.time(1_000))
        #expect(record.source == "source 1")
    }

    @Test(arguments: AssociationFailure.Code.allCases)
    func earlierFileStaysInUseAfterAFailure(_ code: AssociationFailure.Code) {
        let failure = AssociationFailure(code: code, message: "so it is")
        let record = Self.record(Self.good(), .failure(failure))
        #expect(Self.outcome(record) == .match)
        #expect(
            record.status
                == AssociationFileStatus(
                    domain: Clowntown.domain,
                    source: "source 1",
                    fetchedAt: Self.start,
                    checkedAt: Self.time(1_000),
                    failure: failure
                )
        )
    }

    @Test(arguments: [
        (Array("<html>".utf8), AssociationFailure.Code.notJSON), (Array("[]".utf8), .notJSON), ([], .notJSON),
        (Array("-----BEGIN CMS-----".utf8), .signed), ([0x30, 0x82, 0x01, 0x00], .signed),
        ([UInt8](repeating: 0x20, count: AssociationFile.maximumSize + 1), .tooLarge),
    ])
    func earlierFileStaysInUseIfTheNewOneIsInvalid(_ bytes: [UInt8], _ code: AssociationFailure.Code) {
        let record = Self.record(Self.good(), .success(bytes))
        #expect(Self.outcome(record) == .match)
        #expect(record.failure?.code == code)
        #expect(record.fetchedAt == Self.start)
        #expect(record.checkedAt == Self.time(1_000))
    }

    @Test func nextGoodFileClearsTheFailure() {
        let failure = AssociationFailure(code: .timedOut, message: "so it is")
        let record = Self.record(Self.good(), .failure(failure), Self.good())
        #expect(record.failure == nil)
        #expect(record.fetchedAt == Self.time(2_000))
    }

    @Test func noFileIsInUseIfEveryAttemptFailed() {
        let failure = AssociationFailure(code: .badStatus, message: "so it is")
        let record = Self.record(.failure(failure), .failure(failure))
        #expect(record.matcher == nil)
        #expect(record.fetchedAt == nil)
        #expect(record.checkedAt == Self.time(1_000))
        #expect(record.failure == failure)
    }

    /// A file without links is valid, so it replaces the earlier file.
    @Test func fileWithoutLinksReplacesTheEarlierOne() {
        let record = Self.record(Self.good(), .success(Array("{}".utf8)))
        #expect(record.failure == nil)
        #expect(record.matcher?.decision(on: Self.url, for: Clowntown.app).reason == .noAppLinks)
    }

    // MARK: - When the next fetch is due

    @Test func newRecordIsDueNow() {
        #expect(Self.record().nextCheck == nil)
    }

    @Test func goodFileIsDueAgainAfterAWeek() {
        #expect(Self.record(Self.good()).nextCheck == Self.time(7 * 24 * 3_600_000))
    }

    @Test func failedDomainIsDueAgainAfterAnHour() {
        let record = Self.record(.failure(AssociationFailure(code: .unreachable, message: "so it is")))
        #expect(record.nextCheck == Self.time(3_600_000))
    }

    @Test func hourIsCountedFromTheLastAttempt() {
        let failure = AssociationFailure(code: .unreachable, message: "so it is")
        #expect(Self.record(Self.good(), .failure(failure)).nextCheck == Self.time(3_601_000))
    }
}
