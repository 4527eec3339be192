import AsyncHTTPClient
import GatewayTestSupport
import NIOCore
import NIOHTTP1
import Testing
import WaypostSchema

/// The requests that people write: an unknown key, or an app that nobody has, is an error.
@Suite(.timeLimit(.minutes(5))) struct StrictRequestTests {
    @Test(
        arguments: [
            ("/events", #"{"type":"focusSet","fokus":{"name":"Work"}}"#, 400, "did you mean 'focus'?"),
            ("/events", #"{"type":"focusset"}"#, 400, "did you mean 'focusSet'?"),
            ("/events", #"{"type":"urlOpened","url":"https://tv.example/","from":"a.b"}"#, 404, "has no app a.b"),
            ("/open", #"{"url":"https://tv.example/","from":"a.b"}"#, 404, "has no app a.b"),
            ("/open", #"{"url":"https://tv.example/","from":"a.b","page":"https://b.example/"}"#, 400, "not both"),
            (
                "/apps/com.example.tv/explain", #"{"targetContentIdentifer":"a"}"#, 400,
                "did you mean 'targetContentIdentifier'?"
            ),
        ] as [(String, String, UInt, String)]
    )
    func mistakeIsRefused(_ path: String, _ body: String, _ status: UInt, _ hint: String) async throws {
        try await AppAgent.run { agent in
            let (code, text) = try await Self.post(body, to: agent.path + path, agent)
            #expect(code == status, "\(text)")
            #expect(text.contains(hint), "\(text)")
        }
    }

    private static func post(_ text: String, to path: String, _ agent: AppAgent) async throws -> (UInt, String) {
        var request = HTTPClientRequest(url: agent.ready.control + path)
        request.method = .POST
        request.body = .bytes(ByteBuffer(string: text))
        let response = try await agent.gateway.http.execute(request, timeout: .seconds(30))
        return (response.status.code, String(buffer: try await response.body.collect(upTo: 1 << 20)))
    }
}
