internal import Logging
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import ServiceLifecycle

/// The listener that devices connect to, on bare NIO: a stream costs little more than its socket.
struct CourierListener: Service {
    let delivery: DeliveryService
    let security: ListenerSecurity
    let configuration: GatewayConfiguration
    let logger: Logger
    let onListening: @Sendable (_ port: Int) -> Void

    /// The bytes that the kernel keeps of what a reader does not take; Linux doubles it for its own books.
    private static let sendBuffer: ChannelOptions.Types.SocketOption.Value = 128 << 10

    /// Serves until a graceful shutdown, which ends the streams and lets requests be answered.
    func run() async throws {
        try await ListeningSocket(name: "courier", address: configuration.courier)
            .serve(onListening: onListening, configure: configure)
    }

    private func configure(_ bootstrap: ServerBootstrap) -> ServerBootstrap {
        let (delivery, security, logger) = (delivery, security, logger)
        let timing = EventStream.Timing(
            // What is to be sent again is looked for with each heartbeat.
            heartbeatInterval: .seconds(
                Int64(max(1, min(configuration.heartbeatInterval, configuration.redelivery.first)))
            ),
            stallTimeout: .seconds(Int64(configuration.stallTimeout))
        )
        let requestTimeout = TimeAmount.seconds(Int64(configuration.requestTimeout))
        return
            bootstrap
            // A stream keeps the buffers it was asked for with, so they are small at first, and there is but one.
            .childChannelOption(
                .recvAllocator,
                value: AdaptiveRecvByteBufferAllocator(minimum: 64, initial: 512, maximum: 64 << 10)
            )
            .childChannelOption(.maxMessagesPerRead, value: 1)
            // What one reader leaves lying is bounded in the kernel too.
            .childChannelOption(.socketOption(.so_sndbuf), value: Self.sendBuffer)
            // Who is gone without a word is noticed when what was written to it is not confirmed for this long.
            .childChannelOption(.tcpOption(.userTimeout), value: configuration.stallTimeout * 1_000)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    try security.secure(pipeline)
                    let codec: [any RemovableChannelHandler] = [
                        HTTPResponseEncoder(),
                        ByteToMessageHandler(HTTPRequestDecoder(leftOverBytesStrategy: .dropBytes)),
                        HTTPServerProtocolErrorHandler(),
                    ]
                    // Answers are written as requests are read, so there is nothing to put in order; and a pipelining
                    // handler would keep the wish to quiesce from ours.
                    try pipeline.addHandlers(codec)
                    let handler = CourierHandler(
                        delivery: delivery,
                        timing: timing,
                        requestTimeout: requestTimeout,
                        codec: codec,
                        logger: logger
                    )
                    try pipeline.addHandler(handler)
                }
            }
    }
}

extension NIOBSDSocket.Option {
    /// Linux's TCP_USER_TIMEOUT: the milliseconds for which data that was sent may stay unconfirmed (tcp(7), RFC 5482).
    fileprivate static let userTimeout = Self(rawValue: 18)
}
