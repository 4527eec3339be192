internal import HTTPTypes
internal import LocalService
internal import Logging
internal import NIOCore
internal import NIOHTTP1
internal import WaypostSchema

/// One connection to the courier listener: acknowledgements one after another, until an event stream takes its place.
final class CourierHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private enum State {
        case idle
        case readingBody(CourierRequest, ByteBuffer)
        case discardingBody
        case answering
    }

    private let delivery: DeliveryService
    private let timing: EventStream.Timing
    private let requestTimeout: TimeAmount
    private let logger: Logger

    /// What makes HTTP of bytes, which an event stream does without.
    private let codec: [any RemovableChannelHandler]
    private var state = State.idle

    /// Whether the connection ends with the answer to the request being read: the client or the gateway wants it so.
    private var isLastRequest = false

    /// Whether reading waits for the answers so far to be taken.
    private var isReadHeldBack = false

    /// What came in behind a request that is being answered.
    private var deferred = CircularBuffer<HTTPServerRequestPart>(initialCapacity: 1)

    /// Whether what came in is being taken in.
    private var isReceiving = false

    /// Ends the connection of a client that keeps it waiting.
    private var alarm: Scheduled<Void>?

    init(
        delivery: DeliveryService,
        timing: EventStream.Timing,
        requestTimeout: TimeAmount,
        codec: [any RemovableChannelHandler],
        logger: Logger
    ) {
        self.requestTimeout = requestTimeout
        self.codec = codec
        self.delivery = delivery
        self.timing = timing
        self.logger = logger
    }

    func handlerAdded(context: ChannelHandlerContext) {
        setAlarm(.head, context)
    }

    /// What a client may keep a connection waiting for: so many times the time-out for the head of its first request.
    private enum Delay: Int64 {
        case head = 1
        case body = 2
        case nextRequest = 5
    }

    private func setAlarm(_ delay: Delay?, _ context: ChannelHandlerContext) {
        alarm?.cancel()
        let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
        alarm = delay.map { delay in
            context.eventLoop.scheduleTask(in: requestTimeout * delay.rawValue) { bound.value.close(promise: nil) }
        }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        deferred.append(unwrapInboundIn(data))
        receiveDeferred(context)
    }

    /// Takes in what has come, up to a request that takes a while to answer.
    ///
    /// A request that is refused at once ends inside this, which then goes on by itself.
    private func receiveDeferred(_ context: ChannelHandlerContext) {
        guard !isReceiving else { return }
        isReceiving = true
        defer { isReceiving = false }
        while !isAnswering, let part = deferred.popFirst() { receive(part, context) }
    }

    private var isAnswering: Bool {
        if case .answering = state { true } else { false }
    }

    private func receive(_ part: HTTPServerRequestPart, _ context: ChannelHandlerContext) {
        switch part {
        case .head(let head): receive(head, context)
        case .body(let part): receive(part, context)
        case .end: receiveEnd(context)
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        setAlarm(nil, context)
        state = .idle
        context.fireChannelInactive()
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        readOn(context)
        context.fireChannelWritabilityChanged()
    }

    /// Reads no more questions than are answered and answers are taken.
    func read(context: ChannelHandlerContext) {
        if context.channel.isWritable && !isAnswering { context.read() } else { isReadHeldBack = true }
    }

    private func readOn(_ context: ChannelHandlerContext) {
        guard isReadHeldBack, context.channel.isWritable, !isAnswering else { return }
        isReadHeldBack = false
        context.read()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is ChannelShouldQuiesceEvent { quiesce(context) }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        logger.debug("a courier connection failed", metadata: ["error": "\(error)"])
        context.close(promise: nil)
    }

    /// The gateway is going: what is being asked is answered.
    private func quiesce(_ context: ChannelHandlerContext) {
        isLastRequest = true
        switch state {
        case .idle: context.close(promise: nil)
        case .readingBody, .discardingBody, .answering: context.channel.closeAfterTimeout()
        }
    }

    private func receive(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
        // Behind a request for another protocol nothing is read as HTTP any more.
        let isForAnother = head.method == .CONNECT || head.headers.contains(name: "upgrade")
        isLastRequest = isLastRequest || !head.isKeepAlive || isForAnother
        setAlarm(.body, context)
        let awaitsContinue = ExpectContinue.isAsked(by: head.headers[canonicalForm: "expect"])
        do throws(GatewayError) {
            let request = try CourierRequest(head)
            let length = head.headers.first(name: "content-length").flatMap(Int.init) ?? 0
            guard length <= CourierRequest.maximumBody else {
                throw .bodyTooLarge(limit: CourierRequest.maximumBody)
            }
            if awaitsContinue {
                context.writeAndFlush(wrapOutboundOut(.head(.init(version: .http1_1, status: .continue))), promise: nil)
            }
            state = .readingBody(request, ByteBuffer())
        } catch {
            // Who waits to be invited will not send the body, so nothing that follows could be told from it.
            isLastRequest = isLastRequest || awaitsContinue
            refuse(error, context)
            if awaitsContinue { context.close(promise: nil) }
        }
    }

    private func receive(_ part: ByteBuffer, _ context: ChannelHandlerContext) {
        guard case .readingBody(let request, var body) = state else { return }
        guard body.readableBytes + part.readableBytes <= CourierRequest.maximumBody else {
            return refuse(.bodyTooLarge(limit: CourierRequest.maximumBody), context)
        }
        body.writeImmutableBuffer(part)
        state = .readingBody(request, body)
    }

    private func receiveEnd(_ context: ChannelHandlerContext) {
        guard case .readingBody(let request, let body) = state else {
            if case .discardingBody = state { endRequest(context) }
            return
        }
        state = .answering
        setAlarm(nil, context)
        switch request {
        case .events(let wish): openStream(wish, context)
        case .acknowledge(let secret): acknowledge(secret, body, context)
        }
    }

    private func endRequest(_ context: ChannelHandlerContext) {
        state = .idle
        guard !isLastRequest else { return context.close(promise: nil) }
        setAlarm(.nextRequest, context)
        receiveDeferred(context)
        readOn(context)
    }

    private func openStream(_ wish: CourierRequest.Stream, _ context: ChannelHandlerContext) {
        let delivery = self.delivery
        let resets = delivery.resetCount
        answer(context) { () async throws(GatewayError) in
            try await delivery.agent(with: wish.secret)
        } then: { handler, agent, context in
            let stream = EventStream(
                agent,
                handler.delivery,
                context.channel,
                handler.timing,
                isCompressed: wish.isCompressed
            )
            guard stream.open(after: wish.cursor, afterResets: resets) else {
                return handler.openStream(wish, context)
            }
            handler.hand(context, to: stream, isCompressed: wish.isCompressed)
        }
    }

    /// Begins the answer and leaves the connection to its stream.
    private func hand(_ context: ChannelHandlerContext, to stream: EventStream, isCompressed: Bool) {
        // The connection ends with the stream, so that nobody keeps it for another request.
        var headers: HTTPHeaders = [
            "content-type": "text/event-stream", "cache-control": "no-store", "connection": "close",
            "vary": "accept-encoding", "transfer-encoding": "chunked",
        ]
        if isCompressed { headers.add(name: "content-encoding", value: "gzip") }
        context.write(wrapOutboundOut(.head(.init(version: .http1_1, status: .ok, headers: headers))), promise: nil)
        let channel = context.channel
        let pipeline = channel.pipeline.syncOperations
        for handler in codec { pipeline.removeHandler(handler, promise: nil) }
        pipeline.removeHandler(self, promise: nil)
        do { try pipeline.addHandler(stream) } catch { channel.close(promise: nil) }
        // The request may have held reading back.
        channel.read()
    }

    private func acknowledge(_ secret: AgentSecret, _ body: ByteBuffer, _ context: ChannelHandlerContext) {
        let delivery = self.delivery
        let bytes = Array(body.readableBytesView)
        answer(context) { () async throws(GatewayError) in
            let agent = try await delivery.agent(with: secret)
            return try await delivery.acknowledge(agent, try Self.acknowledgement(in: bytes))
        } then: { handler, count, context in
            handler.respond(.ok, AcknowledgementReceipt(acknowledged: count), context)
            handler.endRequest(context)
        }
    }

    private static func acknowledgement(in bytes: [UInt8]) throws(GatewayError) -> Acknowledgement {
        do throws(RequestError) {
            return try JSONBody.decode(Acknowledgement.self, from: bytes)
        } catch {
            throw .request(error)
        }
    }

    /// Works out an answer away from the event loop, and gives it, where its connection is still there.
    private func answer<Value: Sendable>(
        _ context: ChannelHandlerContext,
        _ work: @escaping @Sendable () async throws(GatewayError) -> Value,
        then give: @escaping (CourierHandler, Value, ChannelHandlerContext) -> Void
    ) {
        let bound = NIOLoopBound((handler: self, context: context, give: give), eventLoop: context.eventLoop)
        context.eventLoop.makeFutureWithTask { try await work() }.whenComplete { result in
            let (handler, context, give) = bound.value
            guard handler.isAnswering else { return }
            do {
                give(handler, try result.get(), context)
            } catch {
                handler.refuse(error as? GatewayError ?? .internalError, context)
                handler.endRequest(context)
            }
        }
    }

    /// Answers with a error.
    ///
    /// What is left of the request's body is read and dropped.
    private func refuse(_ error: GatewayError, _ context: ChannelHandlerContext) {
        state = .discardingBody
        respond(HTTPResponseStatus(statusCode: error.status.code), error.body, headers: error.headers, context)
    }

    private func respond(
        _ status: HTTPResponseStatus,
        _ body: some Encodable,
        headers fields: HTTPFields = [:],
        _ context: ChannelHandlerContext
    ) {
        guard let data = try? JSONText.data(body) else { return context.close(promise: nil) }
        let buffer = ByteBuffer(bytes: data)
        var headers: HTTPHeaders = ["content-type": "application/json", "content-length": "\(data.count)"]
        for field in fields { headers.add(name: field.name.rawName, value: field.value) }
        if isLastRequest { headers.add(name: "connection", value: "close") }
        let head = HTTPResponseHead(version: .http1_1, status: status, headers: headers)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.write(wrapOutboundOut(.body(.byteBuffer(buffer))), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }
}
