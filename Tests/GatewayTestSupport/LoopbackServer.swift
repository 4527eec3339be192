package import Hummingbird
internal import Logging
internal import ServiceLifecycle

/// A web server on loopback that runs during a test.
package enum LoopbackServer {
    /// Runs `body` with the port of a server, ends the server, and returns the result of `body`.
    package static func run<Value: Sendable>(
        _ responder: some HTTPResponder<BasicRequestContext>,
        _ body: @Sendable (Int) async throws -> Value
    ) async throws -> Value {
        let (ports, port) = AsyncStream.makeStream(of: Int.self)
        let application = Application(
            responder: responder,
            configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { port.yield($0.localAddress?.port ?? 0) },
            logger: .quiet
        )
        // A canceled server crashes if a connection has just arrived (swift-nio, NIOAsyncWriter), so it ends gracefully,
        // and only streams that go on are canceled.
        var configuration = ServiceGroupConfiguration(services: [application], logger: .quiet)
        configuration.maximumGracefulShutdownDuration = .seconds(1)
        let services = ServiceGroup(configuration: configuration)
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await services.run() }
            var number = 0
            for await first in ports {
                number = first
                break
            }
            let outcome = await Result { try await body(number) }
            await services.triggerGracefulShutdown()
            try await group.waitForAll()
            return try outcome.get()
        }
    }

    /// Runs `body` with the URL of a server that answers all requests with `respond`, and ends the server.
    package static func run<Value: Sendable>(
        responding respond: @escaping @Sendable (Request) async throws -> Response,
        _ body: @Sendable (String) async throws -> Value
    ) async throws -> Value {
        let responder = CallbackResponder<BasicRequestContext> { request, _ in try await respond(request) }
        return try await run(responder) { try await body("http://127.0.0.1:\($0)") }
    }
}
