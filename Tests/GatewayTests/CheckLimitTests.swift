import GatewayTestSupport
import NIOHTTP1
import PushRules
import Testing
import WaypostSchema

@testable import Gateway

/// The limits of answers that may be much larger than their requests.
@Suite(.timeLimit(.minutes(5))) struct CheckLimitTests {
    private static func question(ruleCount: Int, urlCount: Int) -> AssociationQuestion {
        let rules = (0..<ruleCount).map { #"{"/":"/\#($0)*"}"# }.joined(separator: ",")
        return AssociationQuestion(
            file: #"{"applinks":{"details":[{"appIDs":["ABCDE12345.com.a"],"components":[\#(rules)]}]}}"#,
            urls: (0..<urlCount).map { "https://a.example/z\($0)" }
        )
    }

    @Test func productOfRulesAndURLsIsLimited() async throws {
        try await RunningGateway.run { gateway in
            let refused = try await gateway.service(
                .POST,
                "/v1/associations/match",
                Self.question(ruleCount: 1_000, urlCount: 1_000)
            )
            #expect(refused.status == 413)
            #expect(try refused.error.code == "tooManyResults")
            let accepted = try await gateway.service(
                .POST,
                "/v1/associations/match",
                Self.question(ruleCount: 100, urlCount: 10)
            )
            let answer: AssociationAnswer = try accepted.decoded()
            #expect(answer.decisions.map { $0.trace?.count } == Array(repeating: 100, count: 10))
        }
    }

    @Test func canceledQuestionHasNoAnswer() throws {
        #expect(throws: GatewayError.shuttingDown) {
            try CheckRoutes.answer(Self.question(ruleCount: 1, urlCount: 1)) { true }
        }
    }

    @Test func reportOnAPayloadHasAtMostAThousandFindings() async throws {
        let members = (0..<1_500).map { #","u\#($0)":1"# }.joined()
        let payload = Array(#"{"aps":{"alert":"Honk"\#(members)}}"#.utf8)
        let all = PayloadCheck.report(on: payload, for: "alert").findings
        #expect(all.count >= 1_500)
        try await RunningGateway.run { gateway in
            let report: PayloadReport = try await gateway.service(.POST, "/v1/payloads/check", body: payload).decoded()
            #expect(report.findings.dropLast() == all.prefix(1_000))
            let last = try #require(report.findings.last)
            #expect(last.code == "moreFindings")
            #expect(last.message.contains("\(all.count - 1_000) more findings"))
            #expect(last.line == all[1_000].line)
        }
    }

    @Test func answerAboutAFileHasAtMostAThousandFindings() throws {
        let rules = Array(repeating: #"{"/":"a"}"#, count: 1_500).joined(separator: ",")
        let file = #"{"applinks":{"details":[{"appIDs":["ABCDE12345.com.a"],"components":[\#(rules)]}]}}"#
        let answer = try CheckRoutes.answer(AssociationQuestion(file: file))
        #expect(answer.findings.count == 1_001)
        #expect(answer.findings.last?.code == .moreFindings)
        #expect(answer.findings.dropLast().allSatisfy { $0.code != .moreFindings })
    }

    @Test(
        arguments: [
            ([], nil), (Array(repeating: .error, count: 1_000), nil),
            (Array(repeating: .error, count: 1_000) + [.note], .note),
            (Array(repeating: .note, count: 1_000) + [.note, .warning], .warning),
            (Array(repeating: .note, count: 1_000) + [.warning, .error, .note], .error),
        ] as [([FindingSeverity], FindingSeverity?)]
    )
    func omittedFindingsHaveTheWorstSeverity(_ severities: [FindingSeverity], _ severity: FindingSeverity?) {
        #expect(FindingOmission(of: severities)?.severity == severity)
    }
}
