internal import HTTP2Sessions
internal import LocalService
internal import Logging
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import NIOSSL
internal import NIOTLS
internal import ServiceLifecycle

/// The listener that APNs clients connect to: HTTP/2, or HTTP/1.1 for clients that do not speak HTTP/2.
///
/// With TLS, the client chooses the protocol (ALPN); without, its first bytes reveal it.
struct ProviderListener: Service {
    let address: ListenAddress

    /// The listener's TLS, or `nil` for plaintext.
    let security: ListenerSecurity?
    let requestHandler: ProviderRequestHandler
    let limits: ProviderLimits
    let logger: Logger
    let onListening: @Sendable (_ port: Int) -> Void

    /// Serves until a graceful shutdown, which sends GOAWAY and lets requests be answered.
    func run() async throws {
        try await ListeningSocket(listener: security == nil ? .providerPlaintext : .provider, address: address)
            .serve(onListening: onListening, configure: configure)
    }

    private func configure(_ bootstrap: ServerBootstrap) -> ServerBootstrap {
        let (requestHandler, limits) = (requestHandler, limits)
        let securePipeline = security.map { SecureProviderPipeline($0, requestHandler, limits: limits) }
        return bootstrap.limitingProviderConnections(limits) { channel in
            guard let securePipeline else {
                return try channel.pipeline.syncOperations.addHandler(PrefaceHandler(requestHandler, limits))
            }
            try securePipeline.add(to: channel)
        }
    }
}

extension ServerBootstrap {
    /// Limits how long a provider may keep a connection waiting; `add` adds the handlers of a connection.
    func limitingProviderConnections(
        _ limits: ProviderLimits,
        add: @escaping @Sendable (any Channel) throws -> Void
    ) -> ServerBootstrap {
        childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    try pipeline.addHandler(ProviderConnectionGuard(timeout: limits.requestTimeout))
                    try pipeline.addHandler(SlowReaderHandler(timeout: limits.requestTimeout * 3))
                    try add(channel)
                }
            }
    }
}

/// The limits of a provider's connection.
struct ProviderLimits: Sendable {
    /// The limits of an HTTP/2 connection.
    var http2: HTTP2Limits

    /// The time for the start of a request; the rest may take twice as long, and the next request several times as
    /// long.
    var requestTimeout: TimeAmount

    /// The limiter of the memory of incomplete requests, together with that of batches.
    var limiter: IntakeLimiter

    init(_ configuration: GatewayConfiguration, limiter: IntakeLimiter) {
        self.limiter = limiter
        http2 = configuration.http2
        requestTimeout = .seconds(Int64(configuration.requestTimeout))
    }
}

/// The handlers of a provider's connection with TLS, in which the client chooses the protocol (ALPN).
struct SecureProviderPipeline: Sendable {
    private let security: ListenerSecurity
    private let requestHandler: ProviderRequestHandler

    /// The limits of its connections.
    let limits: ProviderLimits

    init(_ security: ListenerSecurity, _ requestHandler: ProviderRequestHandler, limits: ProviderLimits) {
        self.security = security
        self.requestHandler = requestHandler
        self.limits = limits
    }

    /// Adds the handlers after those that are already in the channel.
    func add(to channel: any Channel) throws {
        let pipeline = channel.pipeline.syncOperations
        try security.secure(pipeline)
        let (requestHandler, limits) = (requestHandler, limits)
        try pipeline.addHandler(
            NIOTypedApplicationProtocolNegotiationHandler<Void> { result, channel in
                channel.eventLoop.makeCompletedFuture {
                    switch result {
                    case .negotiated(let name):
                        try ProviderPipeline.add(to: channel, isHTTP2: name == "h2", requestHandler, limits)
                    // Some clients do not use ALPN but speak HTTP/2.
                    case .fallback:
                        let handler = PrefaceHandler(requestHandler, limits)
                        try channel.pipeline.syncOperations.addHandler(handler)
                    }
                }
            }
        )
    }
}

/// The handlers of a provider's connection once its protocol is known.
enum ProviderPipeline {
    static func add(
        to channel: any Channel,
        isHTTP2: Bool,
        _ requestHandler: ProviderRequestHandler,
        _ limits: ProviderLimits
    ) throws {
        let pipeline = channel.pipeline.syncOperations
        let connectionGuard = try pipeline.handler(type: ProviderConnectionGuard.self)
        connectionGuard.recordProtocolIsKnown()
        let certificate = try? pipeline.nioSSL_peerCertificate()?.toDERBytes()
        let sender = requestHandler.makeSender(certificate: certificate)
        guard isHTTP2 else {
            try pipeline.configureHTTPServerPipeline(
                withErrorHandling: true,
                withEncoderConfiguration: HTTPResponseEncoder.Configuration(),
                withDecoderLimitConfiguration: RequestHeadLimit.decoder
            )
            try RequestHeadLimitHandler.add(to: pipeline)
            try ChunkOverheadLimit().add(to: pipeline)
            let headTimeout = connectionGuard.remainingTime(at: channel.eventLoop.now)
            return try pipeline.addHandlers([
                RequestHeadHandler(),
                ProviderHTTP1Handler(requestHandler, sender, limits: limits, headTimeout: headTimeout),
            ])
        }
        var http2 = limits.http2
        if let limit = requestHandler.senders.openConnections.streamLimit {
            http2.announcedStreamCount = min(limit, http2.concurrentStreamCount)
        }
        // A client without a valid token has one stream ("Sending notification requests to APNs").
        if !sender.authentication.isTrusted { http2.announcedStreamCount = 1 }
        guard let session = HTTP2Session(http2) else { return channel.close(promise: nil) }
        try pipeline.addHandler(ProviderHTTP2Handler(requestHandler, sender, session: session, limits: limits))
    }
}

/// A handler that detects the protocol of a client that did not choose one.
///
/// HTTP/2 begins with a preface that is not a valid HTTP/1.1 request (RFC 9113, section 3.4).
final class PrefaceHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)

    private let requestHandler: ProviderRequestHandler
    private let limits: ProviderLimits
    private var receivedBytes = ByteBuffer()

    init(_ requestHandler: ProviderRequestHandler, _ limits: ProviderLimits) {
        self.requestHandler = requestHandler
        self.limits = limits
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        receivedBytes.writeImmutableBuffer(unwrapInboundIn(data))
        let isHTTP2 = Self.preface.starts(with: receivedBytes.readableBytesView.prefix(Self.preface.count))
        guard !isHTTP2 || receivedBytes.readableBytes >= Self.preface.count else { return }
        do {
            try ProviderPipeline.add(to: context.channel, isHTTP2: isHTTP2, requestHandler, limits)
        } catch {
            return context.close(promise: nil)
        }
        context.fireChannelRead(wrapInboundOut(receivedBytes))
        context.fireChannelReadComplete()
        context.pipeline.syncOperations.removeHandler(self, promise: nil)
    }
}

/// The first handler of a provider's connection, before TLS, protocol detection and the protocol's handler.
///
/// It closes the connection of a client whose protocol is not known in time, or at a shutdown. A connection whose
/// protocol is known gets `closeTimeout` to finish at a shutdown, unless a fault has silenced it.
final class ProviderConnectionGuard: ChannelInboundHandler {
    typealias InboundIn = NIOAny

    private let timeout: TimeAmount
    private var alarm: ConnectionAlarm?
    private var deadline = NIODeadline.distantFuture

    /// Whether the connection has nothing to finish, so that it closes at once at a shutdown.
    private var closesAtShutdown = true

    init(timeout: TimeAmount) {
        self.timeout = timeout
    }

    /// Records that the client's protocol is known.
    func recordProtocolIsKnown() {
        closesAtShutdown = false
        alarm?.clear()
    }

    /// Returns the time that a client has left for its protocol and the head of its first request together.
    func remainingTime(at now: NIODeadline) -> TimeAmount {
        max(TimeAmount.zero, deadline - now)
    }

    /// Records that a fault has silenced a connection.
    static func recordSilence(in context: ChannelHandlerContext) {
        let connectionGuard = try? context.pipeline.syncOperations.handler(type: Self.self)
        connectionGuard?.closesAtShutdown = true
    }

    func handlerAdded(context: ChannelHandlerContext) {
        let channel = context.channel
        let alarm = ConnectionAlarm(on: context.eventLoop)
        deadline = context.eventLoop.now + timeout
        alarm.set(in: timeout) { channel.close(promise: nil) }
        self.alarm = alarm
    }

    func channelInactive(context: ChannelHandlerContext) {
        alarm?.clear()
        context.fireChannelInactive()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is ChannelShouldQuiesceEvent {
            if closesAtShutdown { return context.close(promise: nil) }
            context.channel.closeAfterTimeout()
        }
        context.fireUserInboundEventTriggered(event)
    }
}
