import AsyncHTTPClient
import Foundation
import GatewayTestSupport
import HTTPTypes
import Hummingbird
import NIOCore
import Synchronization
import WaypostSchema

/// A gateway that sends prescribed text on its event streams, valid or not.
final class LyingGateway: Sendable {
    private struct State {
        var streams: [[String]]
        var acknowledged: [Int] = []
    }

    private let state: Mutex<State>

    /// - Parameter streams: The text of each stream, in pieces. Each stream but the last ends after its text.
    init(_ streams: [[String]]) {
        state = Mutex(State(streams: streams))
    }

    /// The sequences that were acknowledged on the last stream, in order of arrival.
    var acknowledged: [Int] {
        state.withLock(\.acknowledged)
    }

    /// Runs `body` with the gateway's URL while the gateway runs.
    func run(_ body: @escaping @Sendable (String) async throws -> Void) async throws {
        try await LoopbackServer.run(router().buildResponder()) { try await body("http://127.0.0.1:\($0)") }
    }

    private func router() -> Router<BasicRequestContext> {
        let router = Router()
        router.post("v1/devices") { _, _ in Self.answer(#"{"token":"00ff","secret":"s"}"#) }
        router.put("v1/devices/:token/power") { _, _ in
            Self.answer(
                #"{"token":"00ff","name":"n","topics":[],"standing":"active","since":0,"powerConstrained":false}"#
            )
        }
        router.post("v1/session") { request, _ in
            let (pieces, isLast) = self.state.withLock { state in
                state.streams.count > 1 ? (state.streams.removeFirst(), false) : (state.streams.first ?? [], true)
            }
            return Response(
                status: .ok,
                headers: [.contentType: "text/event-stream"],
                body: ResponseBody { writer in
                    for piece in pieces { try await writer.write(ByteBuffer(string: piece)) }
                    if isLast { try? await self.readAcknowledgements(request.body) }
                    try await writer.finish(nil)
                }
            )
        }
        return router
    }

    private func readAcknowledgements(_ body: RequestBody) async throws {
        var text = ""
        for try await piece in body {
            text += String(buffer: piece)
            while let end = text.firstIndex(of: "\n") {
                let line = try JSONDecoder().decode(Acknowledged.self, from: Data(text[..<end].utf8))
                state.withLock { $0.acknowledged += line.sequences }
                text = String(text[text.index(after: end)...])
            }
        }
    }

    private struct Acknowledged: Decodable {
        var sequences: [Int]
    }

    private static func answer(_ text: String) -> Response {
        Response(
            status: .ok,
            headers: [.contentType: "application/json"],
            body: .init(byteBuffer: ByteBuffer(string: text))
        )
    }
}
