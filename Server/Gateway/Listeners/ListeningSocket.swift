internal import LocalService
internal import NIOCore
internal import NIOExtras
internal import NIOPosix
internal import ServiceLifecycle

/// The socket of a listener on bare NIO: what takes connections in, and lets them end at a graceful shutdown.
struct ListeningSocket {
    /// The listener's name, for whoever reads why it cannot start.
    let name: String
    let address: ListenAddress

    /// Serves until a graceful shutdown, of which every connection is told (`ChannelShouldQuiesceEvent`), and until they have
    /// ended.
    ///
    /// - Parameters:
    ///   - onListening: called with the port once connections are accepted.
    ///   - configure: says what a connection is like.
    /// - Throws: `GatewayStartError` where it cannot listen.
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
            throw GatewayStartError(error, binding: "the \(name) listener's \(address)")
        }
        onListening(channel.localAddress?.port ?? 0)
        let isQuiet = channel.eventLoop.makePromise(of: Void.self)
        try await withTaskCancellationOrGracefulShutdownHandler {
            try await isQuiet.futureResult.get()
        } onCancelOrGracefulShutdown: {
            quiescing.initiateShutdown(promise: isQuiet)
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
                    // Without file descriptors left, accepting is tried again in a while rather than at once.
                    try pipeline.addHandler(AcceptBackoffHandler())
                }
            }
    }
}
