internal import HTTPTypes
internal import LocalService
internal import Logging
internal import NIOCore
internal import NIOHTTP1
internal import Synchronization
internal import WaypostSchema

/// One connection to the courier listener: it handles acknowledgements one by one, until an event stream replaces it.
final class CourierHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private enum State {
        case idle
        case readingBody(CourierRequest, ByteBuffer)
        case discardingBody
        case responding
    }

    private let delivery: DeliveryService
    private let limiter: IntakeLimiter
    private let timing: EventStream.Timing
    private let mailbox: StreamMailbox
    private let requestTimeout: TimeAmount
    private let hosts: AllowedHosts
    private let logger: Logger

    private let codec: CourierCodec
    private var state = State.idle

    /// The memory that is reserved for the body of the current request.
    private var reservation: IntakeLimiter.Reservation?

    /// Whether the connection closes after the response to the current request, as the client or the gateway requires.
    private var isLastRequest = false

    /// Whether the response to the current request has no body, because its method is HEAD (RFC 9110, section 9.3.2).
    private var omitsBody = false

    /// Whether a read was postponed because the client does not read its responses, or a request is being answered.
    private var isReadPostponed = false

    /// The parts that arrived after a request that is being answered.
    private var deferredParts = CircularBuffer<HTTPServerRequestPart>(initialCapacity: 1)

    /// Whether `receiveDeferredParts` is running.
    private var isReceivingDeferredParts = false

    /// Closes the connection of a client that is too slow.
    private var alarm: ConnectionAlarm?

    init(
        delivery: DeliveryService,
        limiter: IntakeLimiter,
        timing: EventStream.Timing,
        mailbox: StreamMailbox,
        requestTimeout: TimeAmount,
        hosts: AllowedHosts,
        codec: CourierCodec,
        logger: Logger
    ) {
        self.requestTimeout = requestTimeout
        self.hosts = hosts
        self.codec = codec
        self.delivery = delivery
        self.limiter = limiter
        self.timing = timing
        self.mailbox = mailbox
        self.logger = logger
    }

    func handlerAdded(context: ChannelHandlerContext) {
        alarm = ConnectionAlarm(on: context.eventLoop)
        setAlarm(.head, context)
    }

    /// The delays that a client may cause, as multiples of the time-out for the head of its first request.
    private enum Delay: Int64 {
        case head = 1
        case body = 2
        case nextRequest = 5
    }

    private func setAlarm(_ delay: Delay?, _ context: ChannelHandlerContext) {
        guard let delay else {
            alarm?.clear()
            return
        }
        let channel = context.channel
        alarm?.set(in: requestTimeout * delay.rawValue) { channel.close(promise: nil) }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        deferredParts.append(unwrapInboundIn(data))
        receiveDeferredParts(context)
    }

    /// Handles received parts, up to a request that takes time to answer.
    ///
    /// A request that is refused at once ends within this loop, which then continues.
    private func receiveDeferredParts(_ context: ChannelHandlerContext) {
        guard !isReceivingDeferredParts else { return }
        isReceivingDeferredParts = true
        defer { isReceivingDeferredParts = false }
        while !isResponding, let part = deferredParts.popFirst() { receive(part, context) }
    }

    private var isResponding: Bool {
        if case .responding = state { true } else { false }
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
        resumeReading(context)
        context.fireChannelWritabilityChanged()
    }

    /// Reads the next request only once the current one is answered and the client reads its responses.
    func read(context: ChannelHandlerContext) {
        if context.channel.isWritable && !isResponding { context.read() } else { isReadPostponed = true }
    }

    private func resumeReading(_ context: ChannelHandlerContext) {
        guard isReadPostponed, context.channel.isWritable, !isResponding else { return }
        isReadPostponed = false
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

    /// Starts the shutdown of the connection: a request in progress is still answered.
    private func quiesce(_ context: ChannelHandlerContext) {
        isLastRequest = true
        switch state {
        case .idle: context.close(promise: nil)
        case .readingBody, .discardingBody, .responding: context.channel.closeAfterTimeout()
        }
    }

    private func receive(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
        // After a request to switch protocols, the bytes are no longer HTTP.
        let switchesProtocol = head.method == .CONNECT || head.headers.contains(name: "upgrade")
        isLastRequest = isLastRequest || !head.isKeepAlive || switchesProtocol
        omitsBody = head.method == .HEAD
        setAlarm(.body, context)
        let expectsContinue = ExpectContinue.isRequested(by: head.headers[canonicalForm: "expect"])
        do throws(GatewayError) {
            try checkOrigin(of: head)
            let request = try CourierRequest(head)
            try checkLength(of: head, request)
            if expectsContinue {
                context.writeAndFlush(wrapOutboundOut(.head(.init(version: .http1_1, status: .continue))), promise: nil)
            }
            if case .events(let streamRequest) = request, streamRequest.acknowledges {
                beginResponse(context)
                openStream(streamRequest, context)
            } else {
                state = .readingBody(request, ByteBuffer())
            }
        } catch {
            // A client that waits for `100 Continue` sends no body after a refusal: the gateway would mistake its next
            // request for the body.
            isLastRequest = isLastRequest || expectsContinue
            refuse(error, context)
            if expectsContinue { context.close(promise: nil) }
        }
    }

    /// Checks the size of a body that is read as a whole.
    private func checkLength(of head: HTTPRequestHead, _ request: CourierRequest) throws(GatewayError) {
        if case .events(let streamRequest) = request, streamRequest.acknowledges { return }
        let length = head.headers.first(name: "content-length").flatMap(Int.init) ?? 0
        guard length <= CourierRequest.maximumBodySize else {
            throw .bodyTooLarge(limit: CourierRequest.maximumBodySize)
        }
    }

    private func beginResponse(_ context: ChannelHandlerContext) {
        state = .responding
        setAlarm(nil, context)
    }

    private func checkOrigin(of head: HTTPRequestHead) throws(GatewayError) {
        func value(_ name: String) -> String? { head.headers.first(name: name) }
        do throws(ForeignRequestError) {
            try hosts.validate(host: value("host"), origin: value("origin"), site: value("sec-fetch-site"))
        } catch {
            throw .request(.foreignRequest(error))
        }
    }

    private func receive(_ part: ByteBuffer, _ context: ChannelHandlerContext) {
        guard case .readingBody(let request, var body) = state else { return }
        do throws(GatewayError) {
            try reserve(body.readableBytes + part.readableBytes)
        } catch {
            return refuse(error, context)
        }
        body.writeImmutableBuffer(part)
        state = .readingBody(request, body)
    }

    /// Reserves memory for a body of `size` bytes before it is held.
    private func reserve(_ size: Int) throws(GatewayError) {
        guard size <= CourierRequest.maximumBodySize else {
            throw .bodyTooLarge(limit: CourierRequest.maximumBodySize)
        }
        let bytes = BodyFootprint.bytes(body: size)
        guard bytes > 0 else { return }
        let reservation = reservation ?? limiter.makeReservation()
        self.reservation = reservation
        try reservation.reserve(upTo: bytes)
    }

    private func receiveEnd(_ context: ChannelHandlerContext) {
        guard case .readingBody(let request, let body) = state else {
            if case .discardingBody = state { endRequest(context) }
            return
        }
        beginResponse(context)
        switch request {
        case .events(let streamRequest): openStream(streamRequest, context)
        case .acknowledge(let secret): acknowledge(secret, body, context: context)
        case .rotateSecret(let secret): rotate(secret, body, context: context)
        }
    }

    private func endRequest(_ context: ChannelHandlerContext) {
        state = .idle
        reservation = nil
        guard !isLastRequest else { return context.close(promise: nil) }
        setAlarm(.nextRequest, context)
        receiveDeferredParts(context)
        resumeReading(context)
    }

    private func openStream(_ streamRequest: CourierRequest.Stream, _ context: ChannelHandlerContext) {
        let (delivery, channel) = (self.delivery, context.channel)
        runOutsideEventLoop(context) { () async throws(GatewayError) in
            try await delivery.openSession(with: streamRequest.secret) { channel.isActive }
        } orElse: { session in
            delivery.abandon(session)
        } then: { handler, session, context in
            let stream = EventStream(
                session.agent,
                handler.delivery,
                channel: context.channel,
                timing: handler.timing,
                mailbox: handler.mailbox,
                isCompressed: streamRequest.isCompressed
            )
            guard stream.open(session, after: streamRequest.cursor) else {
                return handler.openStream(streamRequest, context)
            }
            handler.transfer(context, to: stream, streamRequest)
        }
    }

    /// Sends the head of the response and hands the connection over to its event stream.
    private func transfer(
        _ context: ChannelHandlerContext,
        to stream: EventStream,
        _ streamRequest: CourierRequest.Stream
    ) {
        // The connection closes with the stream, so that no client reuses it for another request.
        var headers: HTTPHeaders = [
            "content-type": "text/event-stream", "cache-control": "no-store", "connection": "close",
            "vary": "accept-encoding", "transfer-encoding": "chunked",
        ]
        if streamRequest.isCompressed { headers.add(name: "content-encoding", value: "gzip") }
        context.write(wrapOutboundOut(.head(.init(version: .http1_1, status: .ok, headers: headers))), promise: nil)
        let channel = context.channel
        let pipeline = channel.pipeline.syncOperations
        codec.remove(from: pipeline, keepingDecoder: streamRequest.acknowledges)
        do {
            if streamRequest.acknowledges {
                try pipeline.addHandler(AcknowledgementReader(stream), position: .after(self))
            }
            try pipeline.addHandler(stream)
        } catch {
            channel.close(promise: nil)
        }
        if streamRequest.acknowledges { for part in deferredParts { context.fireChannelRead(wrapInboundOut(part)) } }
        pipeline.removeHandler(self, promise: nil)
        // The request may have postponed a read.
        channel.read()
    }

    private func acknowledge(_ secret: BearerSecret, _ body: ByteBuffer, context: ChannelHandlerContext) {
        let delivery = self.delivery
        let bytes = Array(body.readableBytesView)
        runOutsideEventLoop(context) { () async throws(GatewayError) in
            let agent = try await delivery.agent(with: secret)
            return try await delivery.acknowledge(agent, try Self.decode(Acknowledgement.self, from: bytes))
        } then: { handler, count, context in
            handler.respond(.ok, AcknowledgementReceipt(acknowledged: count), context: context)
            handler.endRequest(context)
        }
    }

    private func rotate(_ secret: BearerSecret, _ body: ByteBuffer, context: ChannelHandlerContext) {
        let delivery = self.delivery
        let bytes = Array(body.readableBytesView)
        runOutsideEventLoop(context) { () async throws(GatewayError) in
            try await delivery.rotateSecret(secret, to: try Self.decode(SecretRotation.self, from: bytes).secret)
        } then: { handler, _, context in
            handler.respondWithoutBody(context)
            handler.endRequest(context)
        }
    }

    private static func decode<Value: Decodable>(
        _ type: Value.Type,
        from bytes: [UInt8]
    ) throws(GatewayError) -> Value {
        do throws(RequestError) {
            return try JSONBody.decode(type, from: bytes)
        } catch {
            throw .request(error)
        }
    }

    /// Runs `work` outside the event loop and passes its result to `completion` if the connection is still open, and to
    /// `discard` otherwise.
    private func runOutsideEventLoop<Value: Sendable>(
        _ context: ChannelHandlerContext,
        _ work: @escaping @Sendable () async throws(GatewayError) -> Value,
        orElse discard: @escaping @Sendable (Value) -> Void = { _ in },
        then completion: @escaping (CourierHandler, Value, ChannelHandlerContext) -> Void
    ) {
        let bound = NIOLoopBound(
            (handler: self, context: context, completion: completion),
            eventLoop: context.eventLoop
        )
        context.eventLoop.makeFutureWithTask { try await work() }.whenComplete { result in
            let (handler, context, completion) = bound.value
            guard handler.isResponding else {
                if case .success(let value) = result { discard(value) }
                return
            }
            do {
                completion(handler, try result.get(), context)
            } catch {
                handler.refuse(error as? GatewayError ?? .internalError, context)
                handler.endRequest(context)
            }
        }
    }

    /// Sends an error response.
    ///
    /// The rest of the request's body is read and dropped.
    private func refuse(_ error: GatewayError, _ context: ChannelHandlerContext) {
        state = .discardingBody
        reservation = nil
        respond(HTTPResponseStatus(statusCode: error.status.code), error.body, headers: error.headers, context: context)
    }

    private func respond(
        _ status: HTTPResponseStatus,
        _ body: some Encodable,
        headers fields: HTTPFields = [:],
        context: ChannelHandlerContext
    ) {
        guard let data = try? JSONText.data(body) else { return context.close(promise: nil) }
        let buffer = ByteBuffer(bytes: data)
        var headers: HTTPHeaders = ["content-type": "application/json", "content-length": "\(data.count)"]
        for field in fields { headers.add(name: field.name.rawName, value: field.value) }
        if isLastRequest { headers.add(name: "connection", value: "close") }
        let head = HTTPResponseHead(version: .http1_1, status: status, headers: headers)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        if !omitsBody { context.write(wrapOutboundOut(.body(.byteBuffer(buffer))), promise: nil) }
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }

    private func respondWithoutBody(_ context: ChannelHandlerContext) {
        let headers: HTTPHeaders = isLastRequest ? ["connection": "close"] : [:]
        let head = HTTPResponseHead(version: .http1_1, status: .noContent, headers: headers)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }
}
