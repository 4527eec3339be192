internal import LocalService
internal import Logging
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import ServiceLifecycle

/// The listener that devices connect to, on plain NIO: a stream uses little more memory than its socket.
struct CourierListener: Service {
    let delivery: DeliveryService
    let limiter: IntakeLimiter
    let security: ListenerSecurity
    let configuration: GatewayConfiguration
    let logger: Logger
    let onListening: @Sendable (_ port: Int) -> Void

    /// The size of the kernel's send buffer in bytes; Linux doubles it for its own bookkeeping.
    private static let sendBuffer: ChannelOptions.Types.SocketOption.Value = 128 << 10

    /// Serves until a graceful shutdown, which ends the streams and lets requests be answered.
    func run() async throws {
        defer { delivery.pageReads.close() }
        try await withTaskCancellationOrGracefulShutdownHandler {
            try await ListeningSocket(listener: .courier, address: configuration.courier)
                .serve(onListening: onListening, configure: configure)
        } onCancelOrGracefulShutdown: {
            // Devices that wait for their turn would delay the shutdown; they connect again.
            delivery.openings.close()
        }
    }

    private func configure(_ bootstrap: ServerBootstrap) -> ServerBootstrap {
        let (delivery, limiter, security, logger) = (delivery, limiter, security, logger)
        let hosts = configuration.effectiveAllowedHosts
        let timing = EventStream.Timing(
            // Each heartbeat also checks which notifications to redeliver.
            heartbeatInterval: .seconds(
                Int64(max(1, min(configuration.heartbeatInterval, configuration.redelivery.initialDelay)))
            ),
            stallTimeout: .seconds(Int64(configuration.stallTimeout))
        )
        let mailboxes = MultiThreadedEventLoopGroup.singleton.makeIterator().map { ($0, StreamMailbox(of: $0)) }
        let requestTimeout = TimeAmount.seconds(Int64(configuration.requestTimeout))
        return
            bootstrap
            // A stream keeps the buffers that its request was read into, so they start small; a read fills only one.
            .childChannelOption(
                .recvAllocator,
                value: AdaptiveRecvByteBufferAllocator(minimum: 64, initial: 512, maximum: 64 << 10)
            )
            .childChannelOption(.maxMessagesPerRead, value: 1)
            // This bounds the unread data of one client in the kernel too.
            .childChannelOption(.socketOption(.so_sndbuf), value: Self.sendBuffer)
            // The kernel closes the connection if written data stays unacknowledged for this long.
            .childChannelOption(.tcpOption(.userTimeout), value: configuration.stallTimeout * 1_000)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    try security.secure(pipeline)
                    let codec = CourierCodec()
                    try codec.add(to: pipeline)
                    let handler = CourierHandler(
                        delivery: delivery,
                        limiter: limiter,
                        timing: timing,
                        mailbox: mailboxes.first { $0.0 === channel.eventLoop }?.1
                            ?? StreamMailbox(of: channel.eventLoop),
                        requestTimeout: requestTimeout,
                        hosts: hosts,
                        codec: codec,
                        logger: logger
                    )
                    try pipeline.addHandler(handler)
                }
            }
    }
}

extension NIOBSDSocket.Option {
    /// Linux's TCP_USER_TIMEOUT: the milliseconds for which sent data may stay unacknowledged (tcp(7), RFC 5482).
    fileprivate static let userTimeout = Self(rawValue: 18)
}

/// The handlers that make HTTP of the bytes of a courier connection.
///
/// The handler behind them reads the next request only once the current one is answered, so no pipelining handler is
/// needed; it would also intercept the quiesce event.
struct CourierCodec {
    private let decoder = ByteToMessageHandler(
        HTTPRequestDecoder(leftOverBytesStrategy: .dropBytes, limitConfiguration: RequestHeadLimit.decoder)
    )
    private let overheadLimit = ChunkOverheadLimit()
    private let others: [any RemovableChannelHandler & ChannelHandler] = [
        HTTPResponseEncoder(), RequestHeadLimitHandler(), HTTPServerProtocolErrorHandler(), RequestHeadHandler(),
    ]

    /// Adds the handlers to an empty pipeline.
    func add(to pipeline: ChannelPipeline.SynchronousOperations) throws {
        try pipeline.addHandlers([others[0], decoder] + others.dropFirst())
        try overheadLimit.add(to: pipeline)
    }

    /// Removes the handlers, because an event stream begins; its request may go on.
    func remove(from pipeline: ChannelPipeline.SynchronousOperations, keepingDecoder: Bool) {
        for handler in others { pipeline.removeHandler(handler, promise: nil) }
        guard !keepingDecoder else { return }
        overheadLimit.remove(from: pipeline)
        pipeline.removeHandler(decoder, promise: nil)
    }
}
