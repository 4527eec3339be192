import AsyncHTTPClient
import GatewayClient
import GatewayTestSupport
import NIOCore
import NIOHTTP1
import Testing
import WaypostSchema

/// Clients that send far too many requests to the control API.
@Suite(.timeLimit(.minutes(5))) struct FloodTests {
    @Test func everyClientGetsAnswersAndTheDeviceKeepsWorking() async throws {
        try await AppAgent.run { agent in
            let answers = try await withThrowingTaskGroup(of: [UInt].self) { group in
                for number in 0..<32 {
                    group.addTask { try await Self.flood(agent, number) }
                }
                var answers: [UInt: Int] = [:]
                for try await codes in group { for code in codes { answers[code, default: 0] += 1 } }
                return answers
            }
            // Contacts, malformed events, unknown paths, and bodies that are too long.
            #expect(answers == [200: 32 * 20, 400: 32 * 20, 404: 32 * 20, 413: 32])
            let contacts: [Contact] = try await agent.control.get(agent.path + "/contacts")
            #expect(contacts.count == 32 * 20)
            #expect(try await agent.open("n1", about: "overview").scene == "overview")
        }
    }

    private static func flood(_ agent: AppAgent, _ number: Int) async throws -> [UInt] {
        var codes: [UInt] = []
        for round in 0..<20 {
            let contact = #"{"type":"contactChanged","contact":{"id":"\#(number)-\#(round)","handles":[]}}"#
            codes.append(try await post(contact, to: agent.path + "/events", agent))
            codes.append(try await post("{\"type\":", to: agent.path + "/events", agent))
            codes.append(try await post("{}", to: "/v1/nowhere", agent))
        }
        let long = String(repeating: "x", count: 2 << 20)
        codes.append(try await post(long, to: agent.path + "/reset", agent))
        return codes
    }

    private static func post(_ text: String, to path: String, _ agent: AppAgent) async throws -> UInt {
        var request = HTTPClientRequest(url: agent.ready.control + path)
        request.method = .POST
        request.body = .bytes(ByteBuffer(string: text))
        let response = try await agent.gateway.http.execute(request, timeout: .seconds(60))
        _ = try await response.body.collect(upTo: 1 << 20)
        return response.status.code
    }
}
