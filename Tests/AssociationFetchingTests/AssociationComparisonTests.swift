import Testing
import WaypostSchema

@testable import AssociationFetching

/// The findings about the answers of a domain's server and of the CDN.
@Suite struct AssociationComparisonTests {
    typealias Outcome = Result<FetchedAssociation, AssociationFailure>

    struct Case: CustomTestStringConvertible {
        var testDescription: String
        var device = AssociationComparisonTests.file
        var fetcher = AssociationComparisonTests.file
        var cdn: Outcome?
        var findings: [String] = []

        /// Parts of the messages.
        var says: [String] = []
    }

    private static let origin = "https://clowntown.example/.well-known/apple-app-site-association"
    private static let cdnSource = "https://cdn.example/a/v1/clowntown.example"

    private static let file = answer(ClownTownFile.bytes)
    private static let spacedFile = answer(ClownTownFile.padded(to: 200))
    private static let otherFile = answer(Array("{\"applinks\":{\"details\":[]}}".utf8))
    private static let page = answer(Array("<html></html>".utf8), "text/html")
    private static let array = answer(Array("[]".utf8))
    private static let forbidden = failure(.badStatus, "the server answers with status 403")
    private static let redirect = failure(.redirected, "the server redirects (301)")
    private static let silence = failure(.unreachable, "the server cannot be reached")

    private static func answer(_ bytes: [UInt8], _ contentType: String? = nil) -> Outcome {
        .success(FetchedAssociation(bytes: bytes, source: "", contentType: contentType))
    }

    private static func failure(_ code: AssociationFailure.Code, _ message: String) -> Outcome {
        .failure(AssociationFailure(code: code, message: message))
    }

    private static let agedFile = Outcome.success(
        FetchedAssociation(bytes: [0x7B, 0x7D], source: "", age: "3\u{1B}600", lastModified: "Tue, 01 Sep 2026")
    )

    static let cases = serverCases + cdnCases

    private static let serverCases = [
        Case(testDescription: "the same file for all"),
        Case(testDescription: "white space is not a difference", fetcher: spacedFile),
        Case(
            testDescription: "no server",
            device: silence,
            fetcher: silence,
            findings: ["error originFailed"],
            says: [
                "\(origin): the server cannot be reached (unreachable); ",
                "neither a device nor Apple's fetcher gets a file",
            ]
        ),
        Case(
            testDescription: "a redirect only for devices",
            device: redirect,
            findings: ["error originFailed"],
            says: ["(redirected); Apple's fetcher (user agent AASA-Bot/1.0.0) gets a file, so only apps"]
        ),
        Case(
            testDescription: "a web page for all",
            device: page,
            fetcher: page,
            findings: ["error webPage"],
            says: ["\(origin): the server answers with a web page, often the fallback of a single-page app"]
        ),
        Case(
            testDescription: "403 for Apple's fetcher",
            fetcher: forbidden,
            findings: ["error fetcherRefused"],
            says: [
                "\(origin): a device gets the file, but Apple's fetcher (user agent AASA-Bot/1.0.0) does not: ",
                "status 403 (badStatus); Apple's CDN gets no file, so devices get none, or a copy until it expires; only",
            ]
        ),
        Case(
            testDescription: "a web page for Apple's fetcher",
            fetcher: page,
            findings: ["error fetcherRefused"],
            says: ["does not: the server answers with a web page, often the fallback"]
        ),
        Case(
            testDescription: "an unusable file for Apple's fetcher",
            fetcher: array,
            findings: ["error fetcherRefused"],
            says: ["does not: line 1, column 1: "]
        ),
        Case(
            testDescription: "another file for Apple's fetcher",
            fetcher: otherFile,
            findings: ["warning fetcherDiffers"],
            says: ["another file than a device"]
        ),
        Case(
            testDescription: "an unusable file for all",
            device: array,
            fetcher: array,
            findings: ["error wrongType"]
        ),
        Case(
            testDescription: "an unusual content type",
            device: answer(ClownTownFile.bytes, "text/html"),
            findings: ["warning contentType"]
        ),
    ]

    private static let cdnCases = [
        Case(testDescription: "the same file on the CDN", cdn: spacedFile),
        Case(
            testDescription: "another file on the CDN",
            cdn: otherFile,
            findings: ["warning cdnDiffers"],
            says: ["\(cdnSource): the CDN has another file than the server, probably an earlier one; devices get"]
        ),
        Case(
            testDescription: "an old file on the CDN",
            cdn: agedFile,
            findings: ["warning cdnDiffers"],
            says: ["an earlier one (3\\u{1B}600 seconds old, last modified Tue, 01 Sep 2026); devices get"]
        ),
        Case(
            testDescription: "a file only on the CDN",
            device: redirect,
            fetcher: redirect,
            cdn: file,
            findings: ["error originFailed", "warning cdnDiffers"],
            says: ["the CDN has a file, although the server has none that can be used; devices get the file of the CDN"]
        ),
        Case(
            testDescription: "the file of Apple's fetcher on the CDN",
            device: redirect,
            cdn: file,
            findings: ["error originFailed"]
        ),
        Case(
            testDescription: "no file on the CDN",
            cdn: forbidden,
            findings: ["error cdnFailed"],
            says: ["\(cdnSource): the server answers with status 403 (badStatus); devices get no file; only a"]
        ),
        Case(
            testDescription: "no CDN",
            cdn: silence,
            findings: ["error cdnFailed"],
            says: ["(unreachable); it is not known which file devices get"]
        ),
        Case(testDescription: "a web page of the CDN", cdn: page, findings: ["error cdnFailed"]),
        Case(
            testDescription: "no file anywhere",
            device: silence,
            fetcher: silence,
            cdn: forbidden,
            findings: ["error originFailed", "error cdnFailed"]
        ),
    ]

    @Test(arguments: cases) func answersHaveTheirFindings(_ example: Case) {
        let comparison = AssociationComparison(
            answerToDevice: AssociationServerAnswer(source: Self.origin, outcome: example.device),
            answerToApple: AssociationServerAnswer(source: Self.origin, outcome: example.fetcher),
            answerOfCDN: example.cdn.map { AssociationServerAnswer(source: Self.cdnSource, outcome: $0) }
        )
        let findings = comparison.findings
        #expect(findings.map { "\($0.severity.rawValue) \($0.code.rawValue)" } == example.findings)
        let messages = findings.map(\.message).joined(separator: "\n")
        for part in example.says { #expect(messages.contains(part), "\(messages)") }
    }

    @Test func appThatOnlyTheCopyLacksIsAnError() throws {
        let device = Self.answer(ClownTownFile.bytes)
        let copy = Self.answer(Array(#"{"applinks":{"details":[]}}"#.utf8))
        let comparison = AssociationComparison(
            answerToDevice: AssociationServerAnswer(source: Self.origin, outcome: device),
            answerToApple: AssociationServerAnswer(source: Self.origin, outcome: device),
            answerOfCDN: AssociationServerAnswer(source: Self.cdnSource, outcome: copy)
        )
        let findings = comparison.findings(for: ApplicationIdentifier(rawValue: ClownTownFile.app))
        #expect(findings.filter { $0.severity == .error }.map(\.code) == [.appNotInFile])
        #expect(findings.contains { $0.message.hasPrefix("\(Self.cdnSource): the file of the CDN") })
    }
}
