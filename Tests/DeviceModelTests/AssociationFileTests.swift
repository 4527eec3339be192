import DeviceModel
import Testing
import WaypostSchema

/// The effects of association files that a device fetches.
@Suite struct AssociationFileTests {
    private static let (first, second) = (Timestamp(milliseconds: 100), Timestamp(milliseconds: 200))
    private var device: DeviceModel

    init() throws {
        device = try DeviceModel(domains: ["applinks:clowntown.example"])
    }

    @Test mutating func fetchedFileOffersTheLinkToTheApp() throws {
        let status = try #require(device.fetch(ClownTown.file(), at: Self.first).updated)
        let expected = AssociationFileStatus(
            domain: "clowntown.example",
            source: "https://clowntown.example",
            fetchedAt: Self.first,
            checkedAt: Self.first
        )
        #expect(status == expected)
        #expect(device.associationFiles == [expected])
        let decision = try #require(device.linkDecisions(on: ClownTown.url).first)
        #expect(decision.matched && decision.outcome == .match && decision.reason == .matched)
        #expect(decision.url == ClownTown.url)
        #expect(decision.app == ClownTown.app)
        #expect(decision.rule == #"{"/":"/clowns/*"}"#)
        #expect(decision.entry == "applinks:clowntown.example")
        #expect(decision.file == expected)
        #expect(decision.trace?.map(\.matched) == [true])
    }

    @Test func linkDoesNotMatchBeforeItsFileIsFetched() throws {
        let decision = try #require(device.linkDecisions(on: ClownTown.url).first)
        #expect(!decision.matched && decision.outcome == .noMatch && decision.reason == .fileNotFetched)
        #expect(decision.entry == "applinks:clowntown.example")
        #expect(decision.file == nil)
        #expect(device.associationFiles.isEmpty)
    }

    @Test mutating func linkDoesNotMatchIfItsFileIsUnavailable() throws {
        let status = try #require(device.fail(at: Self.first).updated)
        #expect(status.failure == .example)
        #expect(status.checkedAt == Self.first && status.fetchedAt == nil)
        let decision = try #require(device.linkDecisions(on: ClownTown.url).first)
        #expect(!decision.matched && decision.reason == .fileUnavailable)
        #expect(decision.explanation.contains("nobody is there"))
        #expect(decision.file == status)
    }

    @Test(
        arguments: [
            ("not JSON", .notJSON), ("[]", .notJSON), ("", .notJSON),
            (String(repeating: " ", count: 128 * 1_024 + 1), .tooLarge),
        ] as [(String, AssociationFailure.Code)]
    )
    mutating func previousFileStaysInUseIfTheNextFileIsInvalid(
        _ broken: String,
        _ code: AssociationFailure.Code
    ) throws {
        _ = device.fetch(ClownTown.file(), at: Self.first)
        let status = try #require(device.fetch(Array(broken.utf8), at: Self.second).updated)
        #expect(status.fetchedAt == Self.first && status.checkedAt == Self.second)
        let failure = try #require(status.failure)
        #expect(failure.code == code)
        try expectThatTheFirstFileDecides(beside: failure, status)
    }

    @Test mutating func previousFileStaysInUseIfTheDomainDoesNotAnswer() throws {
        _ = device.fetch(ClownTown.file(), at: Self.first)
        let status = try #require(device.fail(at: Self.second).updated)
        #expect(status.fetchedAt == Self.first && status.checkedAt == Self.second)
        try expectThatTheFirstFileDecides(beside: .example, status)
    }

    private func expectThatTheFirstFileDecides(
        beside failure: AssociationFailure,
        _ status: AssociationFileStatus
    ) throws {
        let decision = try #require(device.linkDecisions(on: ClownTown.url).first)
        #expect(decision.matched && decision.reason == .matched)
        #expect(decision.file == status)
        #expect(decision.explanation.contains(failure.message), "\(decision.explanation)")
    }

    @Test mutating func nextValidFileReplacesThePreviousFile() {
        _ = device.fetch(ClownTown.file("/clowns/*"), at: Self.first)
        _ = device.fail(at: Self.first)
        let status = device.fetch(ClownTown.file("/balloons/*"), at: Self.second).updated
        #expect(status?.failure == nil && status?.fetchedAt == Self.second)
        #expect(device.reason() == .noRuleMatched)
        #expect(device.reason(for: "https://clowntown.example/balloons/red") == .matched)
    }

    @Test mutating func sourceIsThatOfTheLastAttempt() {
        _ = device.fetch(ClownTown.file())
        let event = DeviceEvent.system(
            .associationChecked(
                domain: ClownTown.domain,
                source: "files/clowntown.json",
                .failure(.example)
            )
        )
        #expect(device.apply(event, at: Self.second).effects.updated?.source == "files/clowntown.json")
    }

    @Test mutating func filesAreSortedByDomain() throws {
        device = try DeviceModel(domains: ["applinks:c.example", "applinks:a.example", "applinks:b.example"])
        for domain in ["b.example", "c.example", "a.example"] { _ = device.fail(of: domain) }
        #expect(device.associationFiles.map(\.domain) == ["a.example", "b.example", "c.example"])
    }

    @Test mutating func filesAreNotPartOfTheDescription() throws {
        let before = device.description
        _ = device.fetch(ClownTown.file())
        #expect(device.description == before)
        #expect(device.notifications.isEmpty)
    }
}
