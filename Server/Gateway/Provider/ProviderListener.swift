internal import HTTP2Sessions
internal import Logging
internal import NIOCore
internal import NIOExtras
internal import NIOHTTP1
internal import NIOPosix
internal import NIOTLS
internal import ServiceLifecycle

/// The listener that APNs clients connect to: HTTP/2, or HTTP/1.1 where a client speaks no other.
///
/// With TLS the client says which (ALPN); without, its first bytes do.
struct ProviderListener: Service {
    let address: ListenerAddress

    /// Its TLS; `nil` where it has none.
    let security: ListenerSecurity?
    let desk: ProviderDesk
    let patience: TimeAmount
    let logger: Logger
    let onListening: @Sendable (_ port: Int) -> Void

    /// Serves until a graceful shutdown, which says goodbye and lets requests be answered.
    func run() async throws {
        let group = MultiThreadedEventLoopGroup.singleton
        let quiescing = ServerQuiescingHelper(group: group)
        let channel: any Channel
        do {
            channel = try await bootstrap(group, quiescing).bind(host: address.host, port: address.port).get()
        } catch let error as IOError {
            throw StartFault(error, binding: "the provider listener's \(address)")
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
        let (security, desk, patience) = (security, desk, patience)
        return ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: 1_024)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .serverChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    try pipeline.addHandler(quiescing.makeServerChannelHandler(channel: channel))
                    try pipeline.addHandler(AcceptBackoffHandler())
                }
            }
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    try pipeline.addHandler(ProviderConnectionGuard(patience: patience))
                    try pipeline.addHandler(SlowReaderHandler(patience: patience * 3))
                    guard let security else {
                        return try pipeline.addHandler(PrefaceHandler(desk, patience: patience))
                    }
                    try security.secure(pipeline)
                    try pipeline.addHandler(Self.negotiation(desk, patience))
                }
            }
    }

    private static func negotiation(
        _ desk: ProviderDesk,
        _ patience: TimeAmount
    ) -> NIOTypedApplicationProtocolNegotiationHandler<Void> {
        NIOTypedApplicationProtocolNegotiationHandler { result, channel in
            channel.eventLoop.makeCompletedFuture {
                let isHTTP2 = result == .negotiated("h2")
                try ProviderPipeline.add(to: channel, isHTTP2: isHTTP2, desk, patience: patience)
            }
        }
    }
}

/// What handles a provider's connection once it is known what it speaks.
enum ProviderPipeline {
    static func add(to channel: any Channel, isHTTP2: Bool, _ desk: ProviderDesk, patience: TimeAmount) throws {
        let pipeline = channel.pipeline.syncOperations
        try pipeline.handler(type: ProviderConnectionGuard.self).noteProtocol()
        guard isHTTP2 else {
            try pipeline.configureHTTPServerPipeline(withErrorHandling: true)
            return try pipeline.addHandler(ProviderHTTP1Handler(desk, patience: patience))
        }
        var limits = HTTP2Limits()
        // Who has not shown a good token has one stream ("Sending notification requests to APNs").
        if !desk.makeAuthentication().isTrusted { limits.concurrentStreams = 1 }
        guard let session = HTTP2Session(limits) else { return channel.close(promise: nil) }
        try pipeline.addHandler(ProviderHTTP2Handler(desk, session, patience: patience))
    }
}

/// Finds out what a client without TLS speaks: HTTP/2 begins with a preface that is no request of HTTP/1.1 (RFC 9113, section 3.4).
final class PrefaceHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)

    private let desk: ProviderDesk
    private let patience: TimeAmount
    private var received = ByteBuffer()

    init(_ desk: ProviderDesk, patience: TimeAmount) {
        self.desk = desk
        self.patience = patience
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        received.writeImmutableBuffer(unwrapInboundIn(data))
        let isHTTP2 = Self.preface.starts(with: received.readableBytesView.prefix(Self.preface.count))
        guard !isHTTP2 || received.readableBytes >= Self.preface.count else { return }
        do {
            try ProviderPipeline.add(to: context.channel, isHTTP2: isHTTP2, desk, patience: patience)
        } catch {
            return context.close(promise: nil)
        }
        context.fireChannelRead(wrapInboundOut(received))
        context.fireChannelReadComplete()
        context.pipeline.syncOperations.removeHandler(self, promise: nil)
    }
}
