package import NIOCore
internal import NIOHTTP1

/// The bytes of a chunked body that are not content, such as chunk extensions and trailers, as a value.
///
/// Nothing reads them, so only a limit keeps a client from sending them without end (RFC 9112, section 7.1.1). The HTTP
/// decoder drops them silently. Therefore the bytes before the decoder are compared with the content behind it.
struct ChunkOverhead {
    /// The maximum number of these bytes in a request.
    static let maximumSize = 16 << 10

    /// The bytes that every chunk may have without content: its size in 16 digits, and two line breaks.
    private static let usualSizePerChunk = 20

    private enum Phase {
        /// No chunked body is being received.
        case outside

        /// A body has begun in this read, whose other bytes belong to heads.
        case beginning

        case inside
    }

    private var phase = Phase.outside

    /// The number of bytes up to now, without those that every chunk may have.
    private var size = 0

    /// The number of bytes that the chunks in this read may have.
    private var allowedSize = 0

    /// Records the head of a request.
    mutating func receiveHead(isChunked: Bool) {
        phase = isChunked ? .beginning : .outside
        size = 0
    }

    /// Records a piece of content, which belongs to one chunk.
    mutating func receiveContent(byteCount: Int) {
        allowedSize += byteCount + Self.usualSizePerChunk
    }

    /// Records the end of a body.
    mutating func receiveEnd() {
        phase = .outside
    }

    /// Records the end of a read of `byteCount` bytes; returns whether the body is within the limit.
    mutating func endRead(byteCount: Int) -> Bool {
        defer { allowedSize = 0 }
        switch phase {
        case .outside: return true
        case .beginning: phase = .inside
        // A surplus of one read does not count for the next one.
        case .inside: size = max(0, size + byteCount - allowedSize)
        }
        return size <= Self.maximumSize
    }
}

/// The handlers that limit the overhead of chunked requests of one connection.
///
/// A request above the limit is an error of HTTP like others that the decoder finds: the client gets 400, and the
/// connection ends.
package struct ChunkOverheadLimit {
    private let counter = ReceivedByteCounter()
    private let handler: ChunkOverheadHandler

    /// Creates the handlers of a connection.
    package init() {
        handler = ChunkOverheadHandler(counter)
    }

    /// Adds the handlers around the HTTP decoder of a pipeline.
    package func add(to pipeline: ChannelPipeline.SynchronousOperations) throws {
        let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)
        try pipeline.addHandler(counter, position: .before(decoder))
        try pipeline.addHandler(handler, position: .after(decoder))
    }

    /// Removes the handlers; call it before the decoder is removed.
    package func remove(from pipeline: ChannelPipeline.SynchronousOperations) {
        pipeline.removeHandler(handler, promise: nil)
        pipeline.removeHandler(counter, promise: nil)
    }
}

/// A handler that counts the bytes that arrive at the HTTP decoder.
private final class ReceivedByteCounter: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer

    private var byteCount = 0

    /// Returns the number of bytes since the last call.
    func takeByteCount() -> Int {
        defer { byteCount = 0 }
        return byteCount
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        byteCount += unwrapInboundIn(data).readableBytes
        context.fireChannelRead(data)
    }
}

/// A handler behind the HTTP decoder that ends requests with too much overhead.
private final class ChunkOverheadHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart

    private let counter: ReceivedByteCounter
    private var overhead = ChunkOverhead()
    private var hasFailed = false

    init(_ counter: ReceivedByteCounter) {
        self.counter = counter
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !hasFailed else { return }
        switch unwrapInboundIn(data) {
        case .head(let head): overhead.receiveHead(isChunked: head.headers.contains(name: "transfer-encoding"))
        case .body(let content): overhead.receiveContent(byteCount: content.readableBytes)
        case .end: overhead.receiveEnd()
        }
        context.fireChannelRead(data)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        if !overhead.endRead(byteCount: counter.takeByteCount()), !hasFailed {
            hasFailed = true
            context.fireErrorCaught(HTTPParserError.headerOverflow)
        }
        context.fireChannelReadComplete()
    }
}
