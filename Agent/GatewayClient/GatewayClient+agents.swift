package import AsyncHTTPClient
internal import Foundation
internal import JSONScanning
internal import NIOCore
internal import NIOHTTP1
package import WaypostSchema

extension GatewayClient {
    /// Links an agent to the gateway, and answers the requests that come through it until the stream ends.
    ///
    /// - Parameters:
    ///   - announcement: what the gateway tells about the agent.
    ///   - onOpen: called once the agent is linked.
    ///   - perform: returns the answer of the control API to a request; `nil` if there is none.
    /// - Throws: `CallError`, and the error of a stream that breaks.
    package func link(
        _ announcement: AgentAnnouncement,
        onOpen: () -> Void,
        perform: @escaping @Sendable (RelayedRequest) async -> HTTPClientResponse?
    ) async throws {
        let (pieces, piece) = AsyncStream.makeStream(of: ByteBuffer.self)
        piece.yield(ByteBuffer(bytes: try JSONEncoder().encode(announcement)))
        piece.finish()
        try await withThrowingTaskGroup(of: Void.self) { group in
            var agent: LinkedAgent?
            try await service.follow("/v1/agents/link", body: pieces, onOpen: onOpen) { events in
                for event in events {
                    switch (event.type, agent) {
                    case ("linked", _):
                        agent = try DocumentDecoder.decode(LinkedAgent.self, fromWaypost: event.data.utf8)
                    case ("request", let agent?):
                        let request = try DocumentDecoder.decode(RelayedRequest.self, fromWaypost: event.data.utf8)
                        group.addTask { await answer(request, of: agent.id, with: await perform(request)) }
                    default: break
                    }
                }
            }
            group.cancelAll()
        }
    }

    /// The maximum number of pieces of an answer that wait for the gateway; then the answer ends.
    private static let maximumAnswerPieces = 1_000

    /// Sends the answer to a request that came through the gateway.
    private func answer(_ request: RelayedRequest, of id: AgentLinkID, with answer: HTTPClientResponse?) async {
        var headers = [("waypost-status", "\(answer?.status.code ?? 502)")]
        if let type = answer?.headers.first(name: "content-type") { headers.append(("content-type", type)) }
        let path = "/v1/agents/\(id)/answers/\(request.number)"
        let (pieces, piece) = AsyncThrowingStream.makeStream(
            of: ByteBuffer.self,
            throwing: (any Error).self,
            bufferingPolicy: .bufferingOldest(Self.maximumAnswerPieces)
        )
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                do {
                    // Without an answer, the body is empty.
                    if let body = answer?.body {
                        for try await buffer in body {
                            guard case .enqueued = piece.yield(buffer) else {
                                // A cut answer must not look complete.
                                return piece.finish(throwing: CancellationError())
                            }
                        }
                    }
                    piece.finish()
                } catch {
                    piece.finish(throwing: error)
                }
            }
            // If the gateway does not take it, the caller there learns that from the gateway.
            _ = try? await service.response(.POST, path, headers: headers, body: .stream(pieces, length: .unknown))
            // The gateway answers as soon as nobody reads the rest, even if nothing more comes.
            group.cancelAll()
        }
    }
}
