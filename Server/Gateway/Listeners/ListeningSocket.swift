internal import LocalService
internal import NIOCore
internal import NIOExtras
internal import NIOPosix
internal import ServiceLifecycle

/// The socket of a listener on plain NIO: it accepts connections, and lets them finish at a graceful shutdown.
struct ListeningSocket {
    /// The listener, for error messages.
    let listener: GatewayListener
    let address: ListenAddress

    /// Serves until a graceful shutdown and until every connection has ended.
    ///
    /// At shutdown, every connection gets a `ChannelShouldQuiesceEvent`.
    ///
    /// - Parameters:
    ///   - onListening: called with the port once connections are accepted.
    ///   - configure: configures the connections.
    /// - Throws: `GatewayStartError` if it cannot listen.
    func serve(
        onListening: (_ port: Int) -> Void,
        configure: (ServerBootstrap) -> ServerBootstrap
    ) async throws {
        let group = MultiThreadedEventLoopGroup.singleton
        let quiescing = ServerQuiescingHelper(group: group)
        let channel: any Channel
        do {
            channel = try await configure(bootstrap(group, quiescing)).bind(host: address.host, port: address.port)
                .get()
        } catch let error as IOError {
            throw GatewayStartError(error, binding: listener, to: address)
        }
        onListening(channel.localAddress?.port ?? 0)
        let quiescedPromise = channel.eventLoop.makePromise(of: Void.self)
        try await withTaskCancellationOrGracefulShutdownHandler {
            try await quiescedPromise.futureResult.get()
        } onCancelOrGracefulShutdown: {
            quiescing.initiateShutdown(promise: quiescedPromise)
        }
    }

    private func bootstrap(_ group: any EventLoopGroup, _ quiescing: ServerQuiescingHelper) -> ServerBootstrap {
        ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: 1_024)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .serverChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    try pipeline.addHandler(quiescing.makeServerChannelHandler(channel: channel))
                    try ServiceConnections.addAcceptPause(to: channel)
                }
            }
    }
}
