internal import Foundation
internal import HTTP2Sessions
internal import JSONScanning
internal import LocalService
internal import NIOCore
internal import NIOPosix
internal import NIOSSL
internal import WaypostSchema

/// A connection to the provider API that sends one notification a stream, several at a time.
final class ProviderConnection: LoadConnection, ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    var onReady: () -> Void = {}
    var onResponse: (_ number: Int, _ refusals: [Int: String]) -> Void = { _, _ in }
    var onFailure: (_ number: Int, _ reason: String) -> Void = { _, _ in }
    var onEnd: () -> Void = {}

    private let endpoint: ProviderEndpoint
    private let maximumStreamCount: Int
    private var channel: (any Channel)?
    private var session: HTTP2ClientSession?

    /// The numbers of the requests without a response, by their streams.
    private var pendingRequests: [HTTP2StreamID: Int] = [:]

    /// Whether the gateway accepts no more requests on this connection.
    private var isShuttingDown = false

    init(_ endpoint: ProviderEndpoint, maximumStreamCount: Int) {
        (self.endpoint, self.maximumStreamCount) = (endpoint, maximumStreamCount)
    }

    var canSend: Bool {
        guard let session, channel != nil, !isShuttingDown else { return false }
        return pendingRequests.count < min(maximumStreamCount, session.allowedStreamCount)
    }

    var pendingRequestCount: Int {
        pendingRequests.count
    }

    func connect(on loop: any EventLoop) -> EventLoopFuture<Void> {
        (session, isShuttingDown) = (HTTP2ClientSession(), false)
        let handler = NIOLoopBound(self, eventLoop: loop)
        let endpoint = endpoint
        return ClientBootstrap(group: loop)
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    if let tls = endpoint.tls {
                        let host = endpoint.address.host
                        // A certificate is valid for an address without a server name (RFC 6066, section 3).
                        let isIPAddress = (try? SocketAddress(ipAddress: host, port: 0)) != nil
                        let context = try NIOSSLContext(configuration: tls)
                        try channel.pipeline.syncOperations.addHandler(
                            NIOSSLClientHandler(context: context, serverHostname: isIPAddress ? nil : host)
                        )
                    }
                    try channel.pipeline.syncOperations.addHandler(handler.value)
                }
            }
            .connect(host: endpoint.address.host, port: endpoint.address.port)
            .assumeIsolated()
            .map { channel in
                self.channel = channel
                self.flush()
            }
            .nonisolated()
    }

    func send(_ request: PreparedRequest, number: Int) {
        guard case .notification(let head, let body) = request, let stream = session?.send(head, body: body) else {
            return onFailure(number, "no connection")
        }
        pendingRequests[stream] = number
    }

    func flush() {
        guard let channel, let session else { return }
        var buffer = channel.allocator.buffer(capacity: 16_384)
        session.writeOutput { buffer.writeBytes($0) }
        if buffer.readableBytes > 0 { channel.writeAndFlush(buffer, promise: nil) }
    }

    func close(reason: String) {
        fail(reason)
        // The callbacks keep the generator, which keeps this connection.
        (onReady, onResponse, onFailure, onEnd) = ({}, { _, _ in }, { _, _ in }, {})
        channel?.close(promise: nil)
    }

    private func fail(_ reason: String) {
        let failedRequests = pendingRequests.values.sorted()
        pendingRequests = [:]
        for number in failedRequests { onFailure(number, reason) }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard let session else { return }
        let bytes = unwrapInboundIn(data)
        for event in bytes.withUnsafeReadableBytes(session.receive) { handle(event) }
        flush()
        if session.isOver || (isShuttingDown && pendingRequests.isEmpty) { return context.close(promise: nil) }
        if canSend { onReady() }
    }

    private func handle(_ event: HTTP2ClientEvent) {
        switch event {
        case .response(let stream, let status, let body):
            guard let number = pendingRequests.removeValue(forKey: stream) else { return }
            onResponse(number, status == 200 ? [:] : [0: Self.reason(status, body)])
        case .reset(let stream, let code):
            guard let number = pendingRequests.removeValue(forKey: stream) else { return }
            onFailure(number, "the stream was reset with code \(code)")
        case .goAway: isShuttingDown = true
        }
    }

    private static func reason(_ status: Int, _ body: [UInt8]) -> String {
        let document = try? DocumentDecoder.decode(JSONValue.self, from: body)
        return document?["reason"]?.string ?? "status \(status)"
    }

    func channelInactive(context: ChannelHandlerContext) {
        (channel, session) = (nil, nil)
        fail("the connection was closed")
        onEnd()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }
}
