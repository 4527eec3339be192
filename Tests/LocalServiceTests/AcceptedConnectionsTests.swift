import HummingbirdCore
import Logging
import NIOCore
import NIOPosix
import Testing

@testable import LocalService

/// Connections that a server accepts and never serves, because it ends.
@Suite(.timeLimit(.minutes(1))) struct AcceptedConnectionsTests {
    @Test(arguments: [true, false]) func connectionThatNobodyServesCloses(whenSetUp isDroppedAtOnce: Bool) async throws
    {
        let connections = AcceptedConnections(
            http: HTTP1Channel { _, _, _ in Issue.record("nobody has sent a request") }
        )
        let (accepted, accept) = AsyncStream.makeStream(of: AcceptedConnections.Connection.self)
        let server = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .childChannelInitializer { channel in
                connections.setup(channel: channel, logger: Logger(label: "test"))
                    .map { if !isDroppedAtOnce { accept.yield($0) } }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        let address = try #require(server.localAddress)
        var iterator = accepted.makeAsyncIterator()
        for _ in 0..<20 {
            let client = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                .connect(to: address).get()
            if !isDroppedAtOnce { _ = await iterator.next() }
            try await client.closeFuture.get()
        }
        // The server still runs: NIO would have stopped the process.
        #expect(server.isActive)
        try await server.close()
    }
}
