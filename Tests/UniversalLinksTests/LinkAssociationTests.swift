import Testing
import UniversalLinks
import WaypostSchema
import WaypostTestSupport

/// Both halves of the association together: every reason, each from a valid set-up with one change.
@Suite struct LinkAssociationTests {
    private static let request = AssociationRequest(domain: Clowntown.domain, isDevelopment: false)

    struct Case: CustomTestStringConvertible {
        var reason: LinkDecision.Reason
        var setUp: AssociationSetUp
        var explanation: String
        var outcome = LinkDecision.Outcome.noMatch
        var entry: String?
        var rule: String?
        var place: String?
        var line: Int?

        /// Whether the decision names the file.
        ///
        /// It does if the entry led to one.
        var namesFile = false
        var testDescription: String { reason.rawValue }
    }

    private static let good = AssociationSetUp()
    private static let app = Clowntown.app
    private static let entry = "applinks:clowntown.example"
    private static let unreachable = AssociationFailure(code: .unreachable, message: "nothing answers")

    private static func file(_ text: String) -> [Result<[UInt8], AssociationFailure>] {
        [.success(Array(text.utf8))]
    }

    static let cases = [
        Case(
            reason: .matched,
            setUp: good,
            explanation: "applinks.details[0].components[1] is the first rule for \(app) that the URL matches",
            outcome: .match,
            entry: entry,
            rule: #"{"/":"/tents/*"}"#,
            place: "applinks.details[0].components[1]",
            line: 8,
            namesFile: true
        ),
        Case(
            reason: .excluded,
            setUp: good.changed(\.url, to: "https://clowntown.example/backstage/door"),
            explanation:
                "applinks.details[0].components[0] is the first rule for \(app) that the URL matches, and it excludes the URL",
            outcome: .exclude,
            entry: entry,
            rule: #"{"/":"/backstage/*","exclude":true}"#,
            place: "applinks.details[0].components[0]",
            line: 7,
            namesFile: true
        ),
        Case(
            reason: .noRuleMatched,
            setUp: good.changed(\.url, to: "https://clowntown.example/rings"),
            explanation: "none of the 2 rules for \(app) matches",
            entry: entry,
            namesFile: true
        ),
        Case(
            reason: .appNotInFile,
            setUp: good.changed(\.app, to: "ABCDE12345.com.example.juggler"),
            explanation: "the file has no entry for ABCDE12345.com.example.juggler",
            entry: entry,
            namesFile: true
        ),
        Case(
            reason: .noAppLinks,
            setUp: good.changed(\.attempts, to: file("{}")),
            explanation: "the file has no \"applinks\", so it says nothing about links",
            entry: entry,
            namesFile: true
        ),
        Case(
            reason: .notAURL,
            setUp: good.changed(\.url, to: "//clowntown.example/tents/red"),
            explanation: "this is not a URL: it has no scheme, such as https"
        ),
        Case(
            reason: .notWeb,
            setUp: good.changed(\.url, to: "clowntown://clowntown.example/tents/red"),
            explanation: "the scheme clowntown is neither https nor http"
        ),
        Case(
            reason: .urlTooLong,
            setUp: good.changed(\.url, to: good.url + String(repeating: "d", count: 20_000)),
            explanation: "the URL has 20035 bytes; at most 16384 are read"
        ),
        Case(
            reason: .tooMuchWork,
            setUp: good.changed(\.attempts, to: file(HostileFile.laborious))
                .changed(\.url, to: good.url + "#" + String(repeating: "a", count: 16_000)),
            explanation: "matching this URL against the rules takes more work than is allowed",
            entry: entry,
            namesFile: true
        ),
        Case(
            reason: .noEntry,
            setUp: good.changed(\.entries, to: ["applinks:www.clowntown.example"]),
            explanation: "the associated domains of \(app) have no entry for clowntown.example; "
                + "a device compares the URL that was tapped, not one to which it redirects"
        ),
        Case(
            reason: .otherService,
            setUp: good.changed(\.entries, to: ["webcredentials:clowntown.example"]),
            explanation: "the entry 'webcredentials:clowntown.example' is for a service other than applinks",
            entry: "webcredentials:clowntown.example"
        ),
        Case(
            reason: .wildcardBase,
            setUp: good.changed(\.entries, to: ["applinks:*.clowntown.example"]),
            explanation:
                "the entry 'applinks:*.clowntown.example' is for subdomains of clowntown.example and not for "
                + "clowntown.example itself",
            entry: "applinks:*.clowntown.example"
        ),
        Case(
            reason: .unusableEntry,
            setUp: good.changed(\.entries, to: ["applinks:clowntown.example/"]),
            explanation:
                "the entry 'applinks:clowntown.example/' cannot be used: it has a path or a slash; write applinks:clowntown.example",
            entry: "applinks:clowntown.example/"
        ),
        Case(
            reason: .modeNotActive,
            setUp: good.changed(\.entries, to: ["applinks:clowntown.example?mode=developer"]),
            explanation:
                "the entry 'applinks:clowntown.example?mode=developer' applies only in developer mode, which is not "
                + "active; developer mode needs associatedDomainsDevelopment on the device, and an app without signing: "
                + "distribution",
            entry: "applinks:clowntown.example?mode=developer"
        ),
        Case(
            reason: .fileNotFetched,
            setUp: good.changed(\.attempts, to: []),
            explanation: "the file of clowntown.example has not been fetched yet",
            entry: entry,
            namesFile: true
        ),
        Case(
            reason: .fileUnavailable,
            setUp: good.changed(\.attempts, to: [.failure(unreachable)]),
            explanation: "the file of clowntown.example could not be fetched: nothing answers",
            entry: entry,
            namesFile: true
        ),
    ]

    @Test(.proves("B34", "B67"), arguments: cases)
    func oneChangeLeadsToOneReason(_ example: Case) {
        let decision = example.setUp.decision()
        #expect(decision.reason == example.reason)
        #expect(decision.outcome == example.outcome)
        #expect(decision.matched == (example.reason == .matched))
        #expect(decision.explanation == example.explanation)
        #expect(decision.trace == nil)
    }

    @Test(arguments: cases)
    func decisionNamesItsEntryRuleAndFile(_ example: Case) {
        let decision = example.setUp.decision()
        #expect(decision.url == example.setUp.url)
        #expect(decision.app == example.setUp.app)
        #expect(decision.entry == example.entry)
        #expect(decision.rule == example.rule)
        #expect(decision.place == example.place)
        #expect(decision.line == example.line)
        #expect(decision.file == (example.namesFile ? example.setUp.records[Self.request]?.status : nil))
    }

    /// A caller can ask a single file about any domain.
    ///
    /// An association selects the file of the URL's own host.
    @Test func everyReasonExceptOtherDomainHasACase() {
        #expect(Set(Self.cases.map(\.reason)) == Set(LinkDecision.Reason.allCases).subtracting([.otherDomain]))
        #expect(Self.cases.count == LinkDecision.Reason.allCases.count - 1)
    }

    @Test func domainWithoutARecordIsNotFetchedYet() {
        let decision = Self.good.changed(\.attempts, to: nil).decision()
        #expect(decision.reason == .fileNotFetched)
        #expect(decision.entry == Self.entry)
        #expect(decision.file == nil)
    }

    @Test func wildcardUsesTheFileOfItsBaseDomain() {
        let decision = Self.good.changed(\.entries, to: ["applinks:*.clowntown.example"])
            .changed(\.url, to: "https://www.clowntown.example/tents/red")
            .decision()
        #expect(decision.reason == .matched)
        #expect(decision.entry == "applinks:*.clowntown.example")
        #expect(decision.file?.domain == "clowntown.example")
    }

    @Test func entryAppliesOnlyIfItsModeIsActive() {
        let setUp = Self.good.changed(\.entries, to: ["applinks:clowntown.example?mode=managed"])
        #expect(setUp.changed(\.activeModes, to: [.managed]).decision().reason == .matched)
        #expect(setUp.changed(\.activeModes, to: [.developer]).decision().reason == .modeNotActive)
    }

    @Test func explanationNamesBothModesOfAnEntry() {
        let decision = Self.good.changed(\.entries, to: ["applinks:clowntown.example?mode=managed+developer"])
            .decision()
        #expect(decision.reason == .modeNotActive)
        #expect(decision.explanation.contains("applies only in developer or managed mode, which is not active"))
    }

    @Test func earlierFileDecidesIfTheLastAttemptFailed() {
        let decision = Self.good
            .changed(\.attempts, to: Self.file(AssociationSetUp.file) + [.failure(Self.unreachable)])
            .decision()
        #expect(decision.reason == .matched)
        #expect(decision.file?.failure == Self.unreachable)
        #expect(
            decision.explanation
                == "applinks.details[0].components[1] is the first rule for \(Self.app) that the URL matches; the file is "
                + "an earlier one, because the last fetch failed: nothing answers"
        )
    }

    @Test func hostComparisonIgnoresCaseAndUsesPunycode() {
        #expect(Self.good.changed(\.url, to: "https://CLOWNTOWN.example/tents/red").decision().reason == .matched)
        #expect(Self.good.changed(\.entries, to: ["applinks:ClownTown.Example"]).decision().reason == .matched)
        let association = LinkAssociation(app: Self.app, entries: ["applinks:zürich.example"])
        #expect(
            association.decision(on: "https://ZÜRICH.example/", records: AssociationRecords()).reason == .fileNotFetched
        )
        #expect(
            association.decision(on: "https://xn--zrich-kva.example/", records: AssociationRecords()).reason
                == .fileNotFetched
        )
    }

    @Test func portAndUserOfAURLAreIgnored() {
        let url = "https://clown:town@clowntown.example:8443/tents/red"
        #expect(Self.good.changed(\.url, to: url).decision().reason == .matched)
        #expect(
            Self.good.changed(\.url, to: "https://clowntown.example@other.example/tents/red").decision().reason
                == .noEntry
        )
    }

    /// A wildcard does not cover a text that other software may read as a different host.
    @Test(arguments: [
        ".example.com", "..example.com", "evil.com%2f.example.com", "evil%00.example.com", "%2e.example.com",
        "evil.com'.example.com", "a;b.example.com", "a,b.example.com",
    ])
    func wildcardDoesNotCoverAnInvalidHostName(_ host: String) {
        let association = LinkAssociation(app: Self.app, entries: ["applinks:*.example.com"])
        #expect(
            association.decision(on: "https://a_b.c-d.example.com/", records: AssociationRecords()).reason
                == .fileNotFetched
        )
        #expect(association.decision(on: "https://\(host)/", records: AssociationRecords()).reason == .noEntry)
    }

    /// An unusable entry is the reason only if it is for the URL's host.
    @Test(arguments: ["applinks:notclowntown.example/", "applinks:clowntown.example.evil.example/"])
    func unusableEntryForAnotherHostIsNotTheReason(_ entry: String) {
        #expect(Self.good.changed(\.entries, to: [entry]).decision().reason == .noEntry)
    }

    @Test(arguments: [
        "applinks:clowntown.example,other.example", "applinks:other.example, clowntown.example",
        "applinks:other.example;applinks:clowntown.example", "applinks:other.example,*.example",
    ])
    func entryWithSeveralDomainsIsTheReasonForEach(_ entry: String) {
        let decision = Self.good.changed(\.entries, to: [entry]).decision()
        #expect(decision.reason == .unusableEntry)
        #expect(decision.explanation.contains("an entry has one domain"), "\(decision.explanation)")
    }

    @Test func unusableNonASCIIEntryIsTheReason() {
        let association = LinkAssociation(app: Self.app, entries: ["applinks:zürich.example/"])
        #expect(
            association.decision(on: "https://zürich.example/", records: AssociationRecords()).reason == .unusableEntry
        )
    }

    @Test func tracedDecisionHasTheResultOfEachRule() {
        let trace = Self.good.decision(tracing: true).trace
        #expect(trace?.map(\.matched) == [false, true])
        #expect(trace?.map(\.line) == [7, 8])
    }
}
