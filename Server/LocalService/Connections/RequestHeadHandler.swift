package import NIOCore
package import NIOHTTP1
internal import NIOHTTPTypesHTTP1

/// A handler that refuses requests whose head a proxy and this process may read differently.
///
/// The connection ends after the response, because the end of such a request is not certain.
package final class RequestHeadHandler: ChannelDuplexHandler, RemovableChannelHandler {
    /// The parts of a request.
    package typealias InboundIn = HTTPServerRequestPart

    /// The parts of a request.
    package typealias InboundOut = HTTPServerRequestPart

    /// The parts of a response.
    package typealias OutboundIn = HTTPServerResponsePart

    /// The parts of a response.
    package typealias OutboundOut = HTTPServerResponsePart

    private var hasRefused = false

    /// The number of earlier requests without a complete response.
    private var openRequestCount = 0

    /// Creates the handler, which follows the HTTP decoder.
    package init() {}

    /// Passes a part on, unless the request is refused; the head is passed on as `HTTPRequestHead.checked` returns it.
    package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !hasRefused else { return }
        guard case .head(let head) = unwrapInboundIn(data) else { return context.fireChannelRead(data) }
        do throws(RequestHeadError) {
            // Clients of a Unix domain socket have no host to name, and some leave the header out.
            let checkedHead = try head.checked(requiringHost: !context.channel.isOnUnixDomainSocket)
            openRequestCount += 1
            context.fireChannelRead(wrapInboundOut(.head(checkedHead)))
        } catch {
            refuse(head, for: error, in: context)
        }
    }

    /// Passes a part on.
    package func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if case .end = unwrapOutboundIn(data) { openRequestCount -= 1 }
        context.write(data, promise: promise)
    }

    private func refuse(
        _ request: HTTPRequestHead,
        for error: RequestHeadError,
        in context: ChannelHandlerContext
    ) {
        hasRefused = true
        // The client would mistake this response for the one to an earlier request.
        guard openRequestCount == 0 else { return context.close(promise: nil) }
        let body = ByteBuffer(string: "\(error)\n")
        let headers: HTTPHeaders = [
            "content-type": "text/plain; charset=utf-8", "content-length": "\(body.readableBytes)",
            "connection": "close",
        ]
        let head = HTTPResponseHead(version: .http1_1, status: .badRequest, headers: headers)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        if request.method != .HEAD { context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil) }
        let channel = context.channel
        context.writeAndFlush(wrapOutboundOut(.end(nil))).whenComplete { _ in channel.close(promise: nil) }
    }
}

/// A handler that puts the checks of requests around the decoder and the codec of the web framework.
///
/// The codec drops the version of a request, and merges its `Host` headers.
final class RequestHeadInstaller: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = NIOAny

    func handlerAdded(context: ChannelHandlerContext) {
        let pipeline = context.pipeline.syncOperations
        do {
            try RequestHeadLimitHandler.add(to: pipeline)
            try ChunkOverheadLimit().add(to: pipeline)
            let codec = try pipeline.handler(type: HTTP1ToHTTPServerCodec.self)
            try pipeline.addHandler(RequestHeadHandler(), position: .before(codec))
        } catch {
            context.close(promise: nil)
        }
    }
}

extension Channel {
    fileprivate var isOnUnixDomainSocket: Bool {
        if case .unixDomainSocket? = localAddress { true } else { false }
    }
}
