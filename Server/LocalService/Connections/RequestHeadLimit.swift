internal import HTTPTypes
package import NIOCore
package import NIOHTTP1

/// The limits for the head of a request of HTTP/1.
package enum RequestHeadLimit {
    /// The maximum size in bytes of the target and of the names and values of all headers together.
    package static let size = 64 << 10

    /// The maximum number of headers.
    package static let headerCount = 256

    /// The limits of a decoder, which fails with `HTTPParserError.headerOverflow` beyond them.
    package static var decoder: NIOHTTPDecoderLimitConfiguration {
        var limits = NIOHTTPDecoderLimitConfiguration()
        limits.maxHeaderFieldSize = size
        limits.maxHeaderListSize = size
        limits.maxHeaderFieldCount = headerCount
        return limits
    }
}

/// A handler that answers a request whose head is beyond the limits of the decoder.
///
/// The connection ends after the response. The handlers behind this one get only the first error of the decoder.
package final class RequestHeadLimitHandler: ChannelDuplexHandler, RemovableChannelHandler {
    /// The parts of a request.
    package typealias InboundIn = HTTPServerRequestPart

    /// The parts of a response.
    package typealias OutboundIn = HTTPServerResponsePart

    /// The parts of a response.
    package typealias OutboundOut = HTTPServerResponsePart

    private var isReceiving = false
    private var hasRefused = false

    /// The number of requests without a complete response.
    private var openRequestCount = 0

    /// Creates the handler, which follows the HTTP decoder.
    package init() {}

    /// Adds a handler behind the HTTP decoder of a pipeline.
    package static func add(to pipeline: ChannelPipeline.SynchronousOperations) throws {
        let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)
        try pipeline.addHandler(RequestHeadLimitHandler(), position: .after(decoder))
    }

    /// Passes a part on.
    package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head:
            isReceiving = true
            openRequestCount += 1
        case .body: break
        case .end: isReceiving = false
        }
        context.fireChannelRead(data)
    }

    /// Passes a part on.
    package func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if case .end = unwrapOutboundIn(data) { openRequestCount -= 1 }
        context.write(data, promise: promise)
    }

    /// Answers a request whose head is too large, and passes other errors on.
    package func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // The decoder has an error of another type for all bytes after its first error. The pipelining handler would
        // pass it on at once, and the connection would close before earlier requests are answered.
        if case .dataReceivedInErrorState? = error as? ByteToMessageDecoderError { return }
        guard !hasRefused else { return }
        // The client would mistake the response for the one to an earlier request.
        guard !isReceiving, openRequestCount == 0, case .headerOverflow? = error as? HTTPParserError else {
            return context.fireErrorCaught(error)
        }
        hasRefused = true
        refuse(context)
    }

    private func refuse(_ context: ChannelHandlerContext) {
        let error = RequestError.headTooLarge(limit: RequestHeadLimit.size)
        guard let text = try? JSONText.data(error.body) else { return context.close(promise: nil) }
        var body = ByteBuffer(bytes: text)
        // The line feed at the end is for users who view the response in a terminal.
        body.writeString("\n")
        let headers: HTTPHeaders = [
            "content-type": "application/json", "content-length": "\(body.readableBytes)", "connection": "close",
        ]
        let status = HTTPResponseStatus(statusCode: error.status.code)
        let head = HTTPResponseHead(version: .http1_1, status: status, headers: headers)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil)
        let channel = context.channel
        context.writeAndFlush(wrapOutboundOut(.end(nil))).whenComplete { _ in channel.close(promise: nil) }
    }
}
