import Foundation
import HTTPTypes
import LocalService
import Testing
import WaypostSchema
import WaypostTestSupport

@testable import DeviceAgent

/// The errors of an agent as they appear in responses.
@Suite struct AgentErrorTests {
    private static let errors: [AgentError] = [
        .unknownDevice("x"), .deviceExists("x"), .unknownNotification("x", device: "x"),
        .unknownOfferedActivity("x", device: "x"), .journalWriteFailed("full"), .dataMoved("journal.jsonl"),
        .credentialWriteFailed("full"), .unknownApp("x", device: "x", apps: []),
        .unknownView("x"), .noActivity("x"), .offline("x"), .notRegistered("x"), .clockIsSystem, .clockGoesBack,
        .gateway("it refuses"), .unauthorized, .controlTokenRequired, .tooManySnapshots(limit: 100),
        .tokenReplaced(before: .gateway("it refuses")),
        .highlight(.internalError), .highlight(.invalidURL), .highlight(.accessDenied),
    ]

    private static let requestErrors: [RequestError] = [
        .malformedBody("it is none"), .bodyTooLarge(limit: 1), .badParameter(name: "x", "none"),
        .notFound("/x", documentationPath: "docs/openapi-agent.yaml"), .methodNotAllowed("PUT", allowed: "GET"),
        .shuttingDown, .internalError, .foreignRequest(.crossSite), .headTooLarge(limit: 1),
    ]

    @Test(arguments: errors) func documentListsEveryErrorWithItsStatus(_ error: AgentError) throws {
        try expectInDocument(error.code, error.status)
    }

    @Test(arguments: requestErrors) func documentListsEveryRequestError(_ error: RequestError) throws {
        try expectInDocument(error.code, error.status)
    }

    private func expectInDocument(_ code: APIError.Code, _ status: HTTPResponse.Status) throws {
        let document = try String(contentsOf: Repository.root.appending(path: "docs/errors.md"), encoding: .utf8)
        let part = try #require(document.split(separator: "## An agent's").last)
        #expect(part.contains("| `\(code)` | \(status.code) |"))
    }

    @Test(arguments: IgnoredEvent.Reason.allCases)
    func ignoredEventIsAClientError(_ reason: IgnoredEvent.Reason) {
        let error = AgentError.ignored(IgnoredEvent(reason: reason, explanation: "it is not so"))
        #expect((400..<500).contains(error.status.code))
        #expect(error.code.rawValue == reason.rawValue)
    }

    @Test func refusalByAFullDiskMayBeRepeated() {
        #expect(AgentError.journalWriteFailed("full").headers[.retryAfter] == "30")
        #expect(AgentError.dataMoved("journal.jsonl").headers[.retryAfter] == nil)
    }

    @Test func errorAfterTheReplacementOfATokenSaysSo() {
        let error = AgentError.tokenReplaced(before: .journalWriteFailed("full"))
        #expect(error.status.code == 507)
        #expect(error.code == "storeFull")
        #expect(error.headers[.retryAfter] == "30")
        #expect("\(error)".contains("full; the device nevertheless has another token of its own"))
    }

    @Test(arguments: errors) func logHasTheMessageOfAnError(_ error: AgentError) {
        #expect("\(error)" == error.body.error.message)
    }

    @Test func journalIsReportedOnceUntilItCanBeWritten() {
        var condition = JournalCondition()
        let failures: [String?] = [nil, "full", "still full", nil, nil, "full"]
        let notices = failures.map { condition.record($0) }
        #expect(
            notices == [nil, .refusesEvents(reason: "full"), nil, .acceptsEvents, nil, .refusesEvents(reason: "full")]
        )
    }

    /// Only the user may learn why a highlight is not available.
    @Test(arguments: HighlightError.Code.allCases) func frameworkErrorsRevealNoReason(
        _ code: HighlightError.Code
    ) {
        #expect(AgentError.highlight(code).code.rawValue == code.rawValue)
    }
}
