import AsyncHTTPClient
import GatewayClient
import GatewayTestSupport
import NIOCore
import NIOHTTP1
import Testing
import WaypostSchema
import WaypostTestSupport

@testable import DeviceAgent

/// Tests of the limits of answers about links.
@Suite(.timeLimit(.minutes(5))) struct AnswerLimitTests {
    /// An answer whose length a parameter limits.
    struct Limited: CustomTestStringConvertible, Sendable {
        var testDescription: String

        /// The path after the device, to which the parameter is added.
        var path: String
        var range: ClosedRange<Int>
    }

    static let answers = [
        Limited(testDescription: "search", path: "/search?q=&", range: 0...1_000),
        Limited(testDescription: "shelf", path: "/apps/com.example.tv/shelf?", range: 0...1_000),
        Limited(testDescription: "shelf.svg", path: "/apps/com.example.tv/shelf.svg?", range: 0...100),
        Limited(testDescription: "explain", path: "/explain?url=https://tv.example/shows/1&", range: 1...1_000),
    ]

    @Test(arguments: answers) func limitIsPartOfTheAcceptedRange(_ answer: Limited) async throws {
        try await AppAgent.run { agent in
            for limit in [answer.range.lowerBound, answer.range.upperBound] {
                _ = try await agent.control.getString("\(agent.path)\(answer.path)limit=\(limit)")
            }
            for limit in [answer.range.lowerBound - 1, answer.range.upperBound + 1] {
                let error = await #expect(throws: CallError.self) {
                    _ = try await agent.control.getString("\(agent.path)\(answer.path)limit=\(limit)")
                }
                guard case .refused(let status, let refusal) = error else {
                    Issue.record("the limit \(limit) is accepted")
                    continue
                }
                #expect(status == 400)
                #expect(refusal.code == "badParameter")
                let range = "\(answer.range.lowerBound) to \(answer.range.upperBound)"
                #expect(refusal.message == "limit: '\(limit)' is not a number from \(range)")
            }
        }
    }

    @Test(arguments: [(0, true), (1, true), (2, false), (20, false)])
    func searchSaysWhetherThereIsMore(_ limit: Int, _ isCut: Bool) async throws {
        try await AppAgent.run { agent in
            try await agent.apply(AppAgent.scenario)
            let text = "https://tv.example/shows/other"
            let message = Message(id: "m2", conversation: "c1", sender: "+14085550101", text: text)
            try await agent.apply([.sharing(.messageReceived(message)), .sharing(.linkPinned("m2", url: nil))])
            let url = "\(agent.ready.control)\(agent.path)/search?q=shows&limit=\(limit)"
            let response = try await agent.gateway.http.execute(HTTPClientRequest(url: url), timeout: .seconds(60))
            _ = try await response.body.collect(upTo: 1 << 20)
            #expect(response.headers.contains(name: "waypost-message") == isCut)
            let links = try await agent.client.search("shows", limit: limit, on: AppAgent.device)
            #expect(links.count == min(limit, 2))
        }
    }

    @Test(arguments: [(1, 1), (2, 2), (3, 3), (100, 3)])
    func traceKeepsTheRuleThatDecided(_ limit: Int, _ count: Int) {
        let trace = (1...3).map { line in
            LinkRuleTrace(rule: "/", place: "details[0]", line: line, matched: line == 3, explanation: "because")
        }
        let decision = LinkDecision(
            url: AppAgent.url,
            matched: true,
            outcome: .match,
            reason: .matched,
            explanation: "it matches",
            trace: trace
        )
        let limited = decision.limitingTrace(to: limit)
        #expect(limited.trace == Array(trace.suffix(count)))
        let note = count < 3 ? "; the trace has the last \(count) of 3 rules" : ""
        #expect(limited.explanation == "it matches\(note)")
    }
}
