internal import LocalService
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import ServiceLifecycle

/// A proxy for clients that cannot be told another host: connections to Apple's push hosts end here, and no other is made.
struct ProxyListener: Service {
    let address: ListenAddress
    let pipeline: SecureProviderPipeline
    let onListening: @Sendable (_ port: Int) -> Void

    /// Serves until a graceful shutdown.
    func run() async throws {
        try await ListeningSocket(name: "proxy", address: address).serve(onListening: onListening, configure: configure)
    }

    private func configure(_ bootstrap: ServerBootstrap) -> ServerBootstrap {
        let pipeline = pipeline
        return bootstrap.guardingProviders(pipeline.limits) { channel in
            // What comes behind the request is for whoever handles the connection then.
            let decoder = ByteToMessageHandler(HTTPRequestDecoder(leftOverBytesStrategy: .forwardBytes))
            try channel.pipeline.syncOperations.addHandlers([decoder, ConnectHandler(pipeline, decoder)])
        }
    }
}

/// Answers one `CONNECT` (RFC 9110, section 9.3.6), and hands the connection on.
final class ConnectHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = ByteBuffer

    private let pipeline: SecureProviderPipeline
    private let decoder: any RemovableChannelHandler
    private var head: HTTPRequestHead?

    init(_ pipeline: SecureProviderPipeline, _ decoder: any RemovableChannelHandler) {
        self.pipeline = pipeline
        self.decoder = decoder
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head): self.head = head
        case .body: break
        case .end:
            guard let head = head.take() else { return }
            answer(head, context)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }

    private func answer(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
        guard head.method == .CONNECT else {
            return refuse("405 Method Not Allowed", "this is a proxy for CONNECT alone", context)
        }
        guard Self.isAppleHost(head.uri) else {
            return refuse(
                "403 Forbidden",
                "'\(head.uri)' is not reached from here; *.push.apple.com is answered",
                context
            )
        }
        write("HTTP/1.1 200 Connection established\r\n\r\n", context)
        do {
            try pipeline.add(to: context.channel)
        } catch {
            return context.close(promise: nil)
        }
        context.pipeline.syncOperations.removeHandler(decoder, promise: nil)
        context.pipeline.syncOperations.removeHandler(self, promise: nil)
    }

    private func refuse(_ status: String, _ message: String, _ context: ChannelHandlerContext) {
        let body = "\(message)\n"
        let head = "HTTP/1.1 \(status)\r\ncontent-length: \(body.utf8.count)\r\nconnection: close\r\n\r\n"
        let channel = context.channel
        write(head + body, context).whenComplete { _ in channel.close(promise: nil) }
    }

    @discardableResult
    private func write(_ text: String, _ context: ChannelHandlerContext) -> EventLoopFuture<Void> {
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: text)))
    }

    /// Whether a target, a host with its port, is one of Apple's push hosts, whichever port of it.
    static func isAppleHost(_ target: String) -> Bool {
        guard let colon = target.lastIndex(of: ":"), UInt16(target[target.index(after: colon)...]) != nil else {
            return false
        }
        return target[..<colon].lowercased().hasSuffix(".push.apple.com")
    }
}
