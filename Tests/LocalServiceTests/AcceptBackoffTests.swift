import Foundation
import NIOCore
import NIOEmbedded
import Testing

@testable import LocalService

/// Listeners whose process has no descriptor left.
@Suite struct AcceptBackoffTests {
    /// Counts the attempts to accept a connection.
    private final class AttemptCounter: ChannelOutboundHandler {
        typealias OutboundIn = Never

        var count = 0

        func read(context: ChannelHandlerContext) {
            count += 1
            context.read()
        }
    }

    @Test func listenerPausesAfterAnErrorOfTheSystem() async throws {
        let channel = NIOAsyncTestingChannel()
        await ServiceConnections.backOff(channel)
        let attempts = try await channel.testingEventLoop.executeInContext {
            let counter = AttemptCounter()
            // It is nearer to the socket than the pause.
            try channel.pipeline.syncOperations.addHandler(counter, position: .first)
            channel.pipeline.read()
            channel.pipeline.fireErrorCaught(IOError(errnoCode: EMFILE, reason: "accept"))
            channel.pipeline.read()
            channel.pipeline.read()
            return counter.count
        }
        #expect(attempts == 1)
    }
}
