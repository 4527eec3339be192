import Deflate
import Foundation
import Gateway
import GatewayStore
import HTTPTypes
import LocalService
import Testing
import WaypostSchema
import WaypostTestSupport

@Suite struct ErrorTableTests {
    static let errors: [GatewayError] = [
        .malformedBody(""), .badEncoding(.truncated(offset: 0)), .badEncoding(.corrupt(offset: 0, detail: "")),
        .badEncoding(.trailingInput(offset: 0)), .badEncoding(.dictionaryRequired(offset: 0)),
        .badEncoding(.outputLimitExceeded(limit: 0)), .badEncoding(.ratioLimitExceeded(limit: 0, input: 0, output: 0)),
        .bodyTooLarge(limit: 0), .tooManyItems(limit: 0, line: 0), .tooManyResults(limit: 0), .answerTooLarge(limit: 0),
        .tooMuchWork, .unsupportedCoding(""),
        .badParameter(name: "", ""), .unauthorized, .adminTokenRequired(location: "x"), .unknownSecret,
        .secretTaken,
        .unknownBatch("x"),
        .unknownNotification("x"),
        .badAgentAnswer("x", nil), .badAgentAnswer("x", "text/html"),
        .unknownDevice("x"), .unknownKey("x"), .unknownFault("x"), .unknownChannel("x"),
        .cannotSubscribe("it takes no such topic"),
        .tokenTaken("x"), .alwaysLossless("x"), .idempotencyConflict("x"), .batchRefused([], of: 0), .clockIsSystem,
        .tooManyRequests(limit: 0), .tooManyAgents(limit: 0), .overloaded, .store(.full), .store(.readOnly),
        .store(.busy), .store(.moved), .store(.overloaded),
        .store(.unavailable), .store(.outcomeUnknown),
        .store(.failed("")), .notFound(""), .methodNotAllowed("", allowed: ""), .shuttingDown, .internalError,
        .request(.foreignRequest(.crossSite)), .request(.headTooLarge(limit: 0)),
    ]

    @Test func everyErrorIsDocumentedWithItsStatus() throws {
        let document = try String(contentsOf: Repository.root.appending(path: "docs/errors.md"), encoding: .utf8)
        for error in Self.errors {
            #expect(document.contains("| `\(error.code)` | \(error.status.code) |"), "\(error)")
        }
    }

    @Test func everyFixedMessageHasMoreThanTenCharacters() {
        for error in Self.errors where error.code != "malformedBody" && error.code != "badParameter" {
            #expect(error.body.error.message.count > 10, "\(error)")
        }
    }
}
