internal import AsyncHTTPClient
internal import GatewayClient
internal import Logging
internal import NIOCore
internal import NIOHTTP1
internal import ServiceLifecycle
internal import WaypostSchema

/// A service that lets the gateway forward requests to the agent's control API, for the gateway's console.
///
/// The agent calls the gateway, so that this works across machines and with a Unix domain socket. A forwarded request
/// needs the token of the control API like any other.
struct GatewayLink: Service {
    let client: GatewayClient
    let isTokenRequired: Bool

    /// The client for calls to the agent's own control API.
    let relayClient: HTTPClient

    /// The base URL of the control API, once it listens.
    let controlURLs: AsyncStream<String>

    let sources: AgentSources
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            for await url in controlURLs { await maintainLink(to: url) }
        }
        try? await gracefulShutdown()
    }

    /// Keeps the control API at `url` linked to the gateway, if the gateway supports links.
    private func maintainLink(to url: String) async {
        let announcement = AgentAnnouncement(
            control: url,
            version: ProgramVersion.current,
            requiresToken: isTokenRequired
        )
        var backoff = RetryBackoff()
        while !Task.isCancelled {
            do {
                try await client.link(announcement) {
                    backoff.recordSuccess()
                } perform: { request in
                    await forward(request, to: url)
                }
            } catch CallError.refused(let status, let error) where status == 404 {
                // The gateway is of a version without links.
                return logger.info("the gateway does not link agents", metadata: ["reason": "\(error.message)"])
            } catch {
                logger.info("the agent is not linked to the gateway", metadata: ["reason": "\(error)"])
            }
            guard (try? await sources.sleep(backoff.recordFailure(random: sources.random()))) != nil else { return }
        }
    }

    /// Sends a request of the gateway to the control API, and returns the response; `nil` if there is none.
    private func forward(_ request: RelayedRequest, to url: String) async -> HTTPClientResponse? {
        var forwardedRequest = HTTPClientRequest(url: url + request.path)
        forwardedRequest.method = HTTPMethod(rawValue: request.method)
        let headers = [("authorization", request.authorization), ("accept", request.accept)]
        for case (let name, let value?) in headers { forwardedRequest.headers.add(name: name, value: value) }
        if let body = request.body {
            forwardedRequest.headers.add(name: "content-type", value: "application/json")
            forwardedRequest.body = .bytes(ByteBuffer(string: body))
        }
        do {
            return try await relayClient.execute(forwardedRequest, timeout: .minutes(2))
        } catch {
            logger.info("the control API did not answer the gateway", metadata: ["reason": "\(error)"])
            return nil
        }
    }
}
