internal import HTTPTypes
internal import NIOCore
internal import NIOHTTPTypes

/// The time that a client has for the next part of a request, as a value.
struct RequestDeadlines {
    /// A part of a request; the raw value is its time as a multiple of that for the first head.
    enum Part: Int64 {
        case head = 1
        case body = 2
        case nextRequest = 5
    }

    /// A change of the time-out.
    enum TimeoutChange: Equatable {
        case start(Part)
        case end
        case none
    }

    /// The number of bytes of a body after which its time starts again.
    private static let defaultRestartByteCount = 64 << 10

    /// The number of requests whose responses are not complete.
    private var openRequestCount = 0

    /// Whether a request has begun and not ended.
    private var isReceiving = false

    /// The number of bytes of the body since its time started.
    private var receivedBytes = 0

    /// The number of bytes of the body after which its time starts again.
    private var restartByteCount = Self.defaultRestartByteCount

    /// Records the head of a request.
    ///
    /// - Parameter isEventStream: whether the body is an event stream, whose client sends at least heartbeats.
    /// - Returns: the change of the time-out.
    mutating func receiveHead(isEventStream: Bool) -> TimeoutChange {
        openRequestCount += 1
        isReceiving = true
        receivedBytes = 0
        restartByteCount = isEventStream ? 1 : Self.defaultRestartByteCount
        return currentChange
    }

    mutating func receiveBody(byteCount: Int) -> TimeoutChange {
        receivedBytes += byteCount
        guard openRequestCount == 1, receivedBytes >= restartByteCount else { return .none }
        receivedBytes = 0
        return currentChange
    }

    mutating func endRequest() -> TimeoutChange {
        isReceiving = false
        return currentChange
    }

    mutating func endResponse() -> TimeoutChange {
        openRequestCount -= 1
        return currentChange
    }

    /// The change to the time-out for the part that the client has to send now.
    ///
    /// A request that follows one without a response may not be read yet.
    private var currentChange: TimeoutChange {
        switch openRequestCount {
        // Also the rest of a body whose request was refused.
        case ...0: .start(.nextRequest)
        case 1: isReceiving ? .start(.body) : .end
        default: .end
        }
    }
}

/// A handler that closes the connection of a client that does not send its request in time.
final class RequestDeadlineHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart

    private let timeout: TimeAmount
    private var deadlines = RequestDeadlines()
    private var alarm: ConnectionAlarm?

    /// Creates the handler.
    ///
    /// - Parameter timeout: the time for the head of the first request. A body has twice the time for each 64 KiB, the
    ///   event stream of an agent for each chunk, the next request five times.
    init(timeout: TimeAmount) {
        self.timeout = timeout
    }

    func handlerAdded(context: ChannelHandlerContext) {
        alarm = ConnectionAlarm(on: context.eventLoop)
        apply(.start(.head), context)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let change =
            switch unwrapInboundIn(data) {
            case .head(let head):
                deadlines.receiveHead(isEventStream: Self.isEventStream(head))
            case .body(let chunk): deadlines.receiveBody(byteCount: chunk.readableBytes)
            case .end: deadlines.endRequest()
            }
        apply(change, context)
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if case .end = unwrapOutboundIn(data) { apply(deadlines.endResponse(), context) }
        context.write(data, promise: promise)
    }

    func channelInactive(context: ChannelHandlerContext) {
        apply(.end, context)
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        apply(.end, context)
    }

    /// Whether a request may last as long as its client sends heartbeats: an agent forwards an event stream of its
    /// control API to the gateway (`POST /v1/agents/ID/answers/NUMBER`).
    private static func isEventStream(_ head: HTTPRequest) -> Bool {
        head.headerFields[.contentType] == "text/event-stream" && head.path?.hasPrefix("/v1/agents/") == true
    }

    private func apply(_ change: RequestDeadlines.TimeoutChange, _ context: ChannelHandlerContext) {
        switch change {
        case .none: break
        case .end: alarm?.clear()
        case .start(let part):
            let channel = context.channel
            alarm?.set(in: timeout * part.rawValue) { channel.close(promise: nil) }
        }
    }
}
