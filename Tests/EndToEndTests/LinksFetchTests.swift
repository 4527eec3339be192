import Foundation
import Testing
import WaypostSchema
import WaypostTestSupport

/// `waypost links check --fetch` with servers on loopback.
@Suite(.timeLimit(.minutes(5))) struct LinksFetchTests {
    struct Case: CustomTestStringConvertible {
        var testDescription: String
        var device = LinksFetchTests.file("/clowns/*")
        var fetcher = LinksFetchTests.file("/clowns/*")
        var cdn = LinksFetchTests.file("/clowns/*")
        var asksCDN = true
        var codes: [AssociationFinding.Code] = []
        var status: Int32 = 0

        /// A part of the messages.
        var says = ""
    }

    private static let cases = [
        Case(testDescription: "the same file everywhere"),
        Case(
            testDescription: "an earlier file on the CDN",
            cdn: file("/acts/*", ["age": "3600"]),
            codes: [.cdnDiffers],
            says: "(3600 seconds old); devices get the file of the CDN"
        ),
        Case(
            testDescription: "a CDN that is not to be asked",
            cdn: AssociationSite.Answer(status: 404),
            asksCDN: false
        ),
        Case(
            testDescription: "403 for Apple's fetcher",
            fetcher: AssociationSite.Answer(status: 403),
            codes: [.fetcherRefused],
            status: 1,
            says: "the server answers with status 403"
        ),
        Case(
            testDescription: "a redirect, and a file on the CDN",
            device: redirect,
            fetcher: redirect,
            codes: [.originFailed, .cdnDiffers],
            status: 1,
            says: "the server redirects (301) to https://www.clowntown.example/; devices follow no redirects"
        ),
        Case(
            testDescription: "a web page, and no file on the CDN",
            device: page,
            fetcher: page,
            cdn: AssociationSite.Answer(status: 404, fields: ["Apple-Failure-Reason": "SWCERR00401 Bad data"]),
            codes: [.webPage, .cdnFailed],
            status: 1,
            says: "(Apple-Failure-Reason: SWCERR00401 Bad data)"
        ),
    ]

    private static let redirect = AssociationSite.Answer(
        status: 301,
        fields: ["location": "https://www.clowntown.example/"]
    )

    private static let page = AssociationSite.Answer(fields: ["content-type": "text/html"], body: "<html></html>")

    /// Returns a file that offers a path to an app.
    private static func file(_ path: String, _ fields: [String: String] = [:]) -> AssociationSite.Answer {
        let entry = "{\"appIDs\":[\"\(LinkFiles.clownTown)\"],\"components\":[{\"/\":\"\(path)\"}]}"
        let allFields = fields.merging(["content-type": "application/json"]) { first, _ in first }
        return AssociationSite.Answer(fields: allFields, body: "{\"applinks\":{\"details\":[\(entry)]}}")
    }

    private static func check(from base: String, _ options: [String] = []) async throws -> Program.Result {
        let arguments = ["links", "check", "--fetch", "clowntown.example", "--from", base, "--format", "json"]
        return try await Program.run("waypost", arguments + options)
    }

    private static func findings(_ result: Program.Result) throws -> [AssociationFinding] {
        try JSONDecoder().decode([AssociationFinding].self, from: Data(result.output.utf8))
    }

    @Test(arguments: cases) func answersOfServersHaveFindings(_ example: Case) async throws {
        let site = AssociationSite(device: example.device, fetcher: example.fetcher, cdn: example.cdn)
        let result = try await site.whileRunning { base in
            try await Self.check(from: base, example.asksCDN ? ["--cdn", base] : [])
        }
        #expect(result.status == example.status, "\(result.errors)")
        #expect(result.errors.isEmpty, "\(result.errors)")
        let findings = try Self.findings(result)
        #expect(findings.map(\.code) == example.codes, "\(result.output)")
        let messages = findings.map(\.message).joined(separator: "\n")
        #expect(example.says.isEmpty || messages.contains(example.says), "\(messages)")
    }

    @Test func serverThatCannotBeReachedIsAFinding() async throws {
        // The system never assigns this port to a process that asks for a free one.
        let result = try await Self.check(from: "http://127.0.0.1:1")
        #expect(result.status == 1)
        #expect(result.errors.isEmpty, "\(result.errors)")
        let finding = try #require(try Self.findings(result).first)
        #expect(finding.code == .originFailed)
        let source = "http://127.0.0.1:1/.well-known/apple-app-site-association"
        #expect(finding.message.hasPrefix("\(source): the server cannot be reached: "), "\(finding.message)")
        #expect(finding.message.contains("(unreachable); neither a device nor Apple's fetcher"), "\(finding.message)")
    }
}
