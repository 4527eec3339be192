package import NIOCore
package import NIOHTTP1
internal import NIOHTTPTypesHTTP1

/// A handler that refuses HTTP/1.0 requests with a transfer coding.
///
/// The end of such a request is not certain, so that a proxy and this process may disagree about it (RFC 9112, 6.1).
package final class TransferCodingHandler: ChannelDuplexHandler, RemovableChannelHandler {
    /// The parts of a request.
    package typealias InboundIn = HTTPServerRequestPart

    /// The parts of a response.
    package typealias OutboundIn = HTTPServerResponsePart

    /// The parts of a response.
    package typealias OutboundOut = HTTPServerResponsePart

    private var hasRefused = false

    /// The number of earlier requests without a complete response.
    private var openRequestCount = 0

    /// Creates the handler, which follows the HTTP decoder.
    package init() {}

    /// Passes a part on, unless the request is refused.
    package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !hasRefused else { return }
        if case .head(let head) = unwrapInboundIn(data) {
            if head.version.major < 1 || head.version == .http1_0, head.headers.contains(name: "transfer-encoding") {
                return refuse(context)
            }
            openRequestCount += 1
        }
        context.fireChannelRead(data)
    }

    /// Passes a part on.
    package func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if case .end = unwrapOutboundIn(data) { openRequestCount -= 1 }
        context.write(data, promise: promise)
    }

    private func refuse(_ context: ChannelHandlerContext) {
        hasRefused = true
        // The client would mistake this response for the one to an earlier request.
        guard openRequestCount == 0 else { return context.close(promise: nil) }
        let headers: HTTPHeaders = ["content-length": "0", "connection": "close"]
        let head = HTTPResponseHead(version: .http1_1, status: .badRequest, headers: headers)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        let channel = context.channel
        context.writeAndFlush(wrapOutboundOut(.end(nil))).whenComplete { _ in channel.close(promise: nil) }
    }
}

/// A handler that puts a `TransferCodingHandler` in front of the web framework's codec, which drops the version.
final class TransferCodingInstaller: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = NIOAny

    func handlerAdded(context: ChannelHandlerContext) {
        let pipeline = context.pipeline.syncOperations
        do {
            let codec = try pipeline.handler(type: HTTP1ToHTTPServerCodec.self)
            try pipeline.addHandler(TransferCodingHandler(), position: .before(codec))
        } catch {
            context.close(promise: nil)
        }
    }
}
