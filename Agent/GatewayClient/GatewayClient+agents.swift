package import AsyncHTTPClient
internal import Foundation
internal import JSONScanning
internal import NIOCore
internal import NIOHTTP1
package import WaypostSchema

extension GatewayClient {
    /// The maximum number of bytes of an event with a request: in JSON, a byte of its body has at most six.
    private static let maximumRequestEventSize =
        6 * RelayedRequest.maximumBodySize + ServerSentEventParser.maximumEventSize

    /// Links an agent to the gateway, and responds to the requests that it relays until the stream ends.
    ///
    /// - Parameters:
    ///   - announcement: what the gateway says about the agent.
    ///   - onOpen: called once the agent is linked.
    ///   - perform: returns the response of the control API to a request; `nil` if there is none.
    /// - Throws: `CallError`, and the error of a stream that breaks.
    package func link(
        _ announcement: AgentAnnouncement,
        onOpen: () -> Void,
        perform: @escaping @Sendable (RelayedRequest) async -> HTTPClientResponse?
    ) async throws {
        let (body, continuation) = AsyncStream.makeStream(of: ByteBuffer.self)
        continuation.yield(ByteBuffer(bytes: try JSONEncoder().encode(announcement)))
        continuation.finish()
        try await withThrowingTaskGroup(of: Void.self) { group in
            var agent: LinkedAgent?
            try await service.follow(
                "/v1/agents/link",
                body: body,
                maximumEventSize: Self.maximumRequestEventSize,
                onOpen: onOpen
            ) { events in
                for event in events {
                    switch (event.type, agent) {
                    case ("linked", _):
                        agent = try DocumentDecoder.decode(LinkedAgent.self, fromDeepJSON: event.data.utf8)
                    case ("request", let agent?):
                        let request = try DocumentDecoder.decode(RelayedRequest.self, fromDeepJSON: event.data.utf8)
                        group.addTask { await respond(to: request, of: agent.id, with: await perform(request)) }
                    default: break
                    }
                }
            }
            group.cancelAll()
        }
    }

    /// The maximum number of chunks of a response that wait for the gateway; then the response ends.
    private static let maximumWaitingChunks = 1_000

    /// Sends the response to a request that the gateway relayed.
    private func respond(
        to request: RelayedRequest,
        of id: AgentLinkID,
        with response: HTTPClientResponse?
    ) async {
        var headers = [("waypost-status", "\(response?.status.code ?? 502)")]
        if let type = response?.headers.first(name: "content-type") { headers.append(("content-type", type)) }
        let path = "/v1/agents/\(id)/answers/\(request.number)"
        let (body, continuation) = AsyncThrowingStream.makeStream(
            of: ByteBuffer.self,
            throwing: (any Error).self,
            bufferingPolicy: .bufferingOldest(Self.maximumWaitingChunks)
        )
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                do {
                    // Without a response, the body is empty.
                    if let chunks = response?.body {
                        for try await chunk in chunks {
                            guard case .enqueued = continuation.yield(chunk) else {
                                // A truncated response must not look complete.
                                return continuation.finish(throwing: CancellationError())
                            }
                        }
                    }
                    continuation.finish()
                } catch {
                    continuation.finish(throwing: error)
                }
            }
            // If the gateway does not accept the response, it reports that to the caller.
            _ = try? await service.response(.POST, path, headers: headers, body: .stream(body, length: .unknown))
            // The gateway responds as soon as its client stops reading, even if the response has not ended.
            group.cancelAll()
        }
    }
}
