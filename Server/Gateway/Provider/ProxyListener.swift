internal import LocalService
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import ServiceLifecycle
internal import TextBasics

/// A proxy for clients with a fixed host: it redirects connections for Apple's push hosts to the gateway.
///
/// It connects to no other host.
struct ProxyListener: Service {
    let address: ListenAddress
    let securePipeline: SecureProviderPipeline
    let onListening: @Sendable (_ port: Int) -> Void

    /// Serves until a graceful shutdown.
    func run() async throws {
        try await ListeningSocket(listener: .proxy, address: address)
            .serve(onListening: onListening, configure: configure)
    }

    private func configure(_ bootstrap: ServerBootstrap) -> ServerBootstrap {
        let securePipeline = securePipeline
        return bootstrap.limitingProviderConnections(securePipeline.limits) { channel in
            // Bytes after the request belong to the connection's later handlers.
            let decoder = ByteToMessageHandler(
                HTTPRequestDecoder(
                    leftOverBytesStrategy: .forwardBytes,
                    limitConfiguration: RequestHeadLimit.decoder
                )
            )
            try channel.pipeline.syncOperations.addHandlers([decoder, ConnectHandler(securePipeline, decoder)])
        }
    }
}

/// A handler that responds to one `CONNECT` (RFC 9110, section 9.3.6) and hands over the connection.
final class ConnectHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = ByteBuffer

    private let securePipeline: SecureProviderPipeline
    private let decoder: any RemovableChannelHandler
    private var head: HTTPRequestHead?
    private var hasAnswered = false

    init(_ securePipeline: SecureProviderPipeline, _ decoder: any RemovableChannelHandler) {
        self.securePipeline = securePipeline
        self.decoder = decoder
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head): self.head = head
        case .body: break
        case .end:
            guard let head = head.take() else { return }
            respond(to: head, context)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // After an answer, the client would mistake another one for the one to its next request.
        guard let error = error as? HTTPParserError, !hasAnswered else { return context.close(promise: nil) }
        if case .headerOverflow = error {
            let message = RequestError.headTooLarge(limit: RequestHeadLimit.size).message
            return refuse("431 Request Header Fields Too Large", message, context: context)
        }
        refuse("400 Bad Request", "the head of the request is malformed; use CONNECT of HTTP/1.1", context: context)
    }

    private func respond(to head: HTTPRequestHead, _ context: ChannelHandlerContext) {
        do throws(RequestHeadError) {
            _ = try head.checked(requiringHost: true)
        } catch {
            return refuse("400 Bad Request", "\(error)", context: context)
        }
        do throws(ForeignRequestError) {
            try Self.validateSender(of: head)
        } catch {
            return refuse("403 Forbidden", "\(error)", context: context)
        }
        guard head.method == .CONNECT else {
            return refuse("405 Method Not Allowed", "this proxy accepts only CONNECT", context: context)
        }
        guard Self.isAppleHost(head.uri) else {
            return refuse(
                "403 Forbidden",
                "'\(head.uri)' is not accepted; use a host of *.push.apple.com",
                context: context
            )
        }
        hasAnswered = true
        write("HTTP/1.1 200 Connection established\r\n\r\n", context)
        do {
            try securePipeline.add(to: context.channel)
        } catch {
            return context.close(promise: nil)
        }
        context.pipeline.syncOperations.removeHandler(decoder, promise: nil)
        context.pipeline.syncOperations.removeHandler(self, promise: nil)
    }

    private func refuse(_ status: String, _ message: String, context: ChannelHandlerContext) {
        hasAnswered = true
        let body = "\(message)\n"
        let head = "HTTP/1.1 \(status)\r\ncontent-length: \(body.utf8.count)\r\nconnection: close\r\n\r\n"
        let channel = context.channel
        write(head + body, context).whenComplete { _ in channel.close(promise: nil) }
    }

    @discardableResult
    private func write(_ string: String, _ context: ChannelHandlerContext) -> EventLoopFuture<Void> {
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: string)))
    }

    /// Checks that no page has sent a request; programs name no origin, and no page has the origin of a proxy.
    private static func validateSender(of head: HTTPRequestHead) throws(ForeignRequestError) {
        let headers = head.headers
        try AllowedHosts().validate(
            host: nil,
            origin: headers.first(name: "origin"),
            site: headers.first(name: "sec-fetch-site")
        )
    }

    /// Whether a target (a host and a port, RFC 9110, section 9.3.6) is one of Apple's push hosts, on any port.
    static func isAppleHost(_ target: String) -> Bool {
        let parts = target.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, let port = UInt16(parts[1]), port > 0, parts[1].utf8.allSatisfy(\.isASCIIDigit),
            AllowedHosts.isValidHost(String(parts[0]))
        else { return false }
        return parts[0].lowercased().hasSuffix(".push.apple.com")
            && parts[0].split(separator: ".", omittingEmptySubsequences: false).allSatisfy { !$0.isEmpty }
    }
}
