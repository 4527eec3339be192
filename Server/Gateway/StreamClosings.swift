internal import GatewayStore
internal import Logging
internal import ServiceLifecycle
internal import Synchronization

/// Tells the store of streams that have closed, one after another; all of them, before the gateway goes.
struct StreamClosings: Service {
    /// A stream that has closed.
    struct Closing: Sendable {
        var agent: AgentID

        /// What was now or never and is dropped with it.
        var dropped: [FlightEnd]
    }

    private let closings: AsyncStream<Closing>
    private let queue: AsyncStream<Closing>.Continuation
    private let mailroom: Mailroom

    init(_ mailroom: Mailroom) {
        self.mailroom = mailroom
        (closings, queue) = AsyncStream.makeStream()
    }

    /// Closes an agent's stream, where it is the agent's still.
    func close(_ agent: AgentID, number: Int) {
        guard let dropped = mailroom.sessions.withLock({ $0.close(agent, number: number) }) else { return }
        queue.yield(Closing(agent: agent, dropped: dropped))
    }

    func run() async throws {
        await withGracefulShutdownHandler {
            // What the store cannot be told now it finds out by itself when it is opened again.
            for await closing in closings { try? await mailroom.settle(closing) }
        } onGracefulShutdown: {
            queue.finish()
        }
    }
}

extension Mailroom {
    fileprivate func settle(_ closing: StreamClosings.Closing) async throws(GatewayFault) {
        try await settle(closing.dropped)
        // An agent that is back already has everything in the air that it had before.
        guard !sessions.withLock({ $0.openAgents.contains(closing.agent) }) else { return }
        announce(try await ask { () async throws(StoreFault) in try await store.disconnect(closing.agent) })
    }
}
