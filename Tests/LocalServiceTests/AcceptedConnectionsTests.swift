import HummingbirdCore
import Logging
import NIOCore
import NIOPosix
import Testing

@testable import LocalService

/// Connections that a server accepts and never serves, because it ends.
@Suite(.timeLimit(.minutes(5))) struct AcceptedConnectionsTests {
    @Test(arguments: [true, false]) func connectionThatNobodyServesCloses(whenSetUp isDroppedAtOnce: Bool) async throws
    {
        let connections = AcceptedConnections(
            http: HTTP1Channel { _, _, _ in Issue.record("nobody has sent a request") }
        )
        let count = 20
        let (accepted, accept) = AsyncStream.makeStream(of: AcceptedConnections.Connection.self)
        let server = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .childChannelInitializer { channel in
                connections.setup(channel: channel, logger: Logger(label: "test"))
                    .map { if !isDroppedAtOnce { accept.yield($0) } }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        let address = try #require(server.localAddress)
        let loop = server.eventLoop
        let closed = (0..<count).map { _ in
            ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup).connect(to: address).flatMap {
                $0.closeFuture
            }
        }
        if !isDroppedAtOnce {
            for await _ in accepted.prefix(count) {}
        }
        try await EventLoopFuture.andAllSucceed(closed, on: loop).get()
        // The server still runs: NIO would have stopped the process.
        #expect(server.isActive)
        try await server.close()
    }
}
