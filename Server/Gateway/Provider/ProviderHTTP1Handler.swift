internal import CoreMetrics
internal import HTTP2Sessions
internal import LocalService
internal import NIOCore
internal import NIOHTTP1
internal import WaypostSchema

/// A provider's HTTP/1.1 connection, which handles one request after another.
///
/// APNs speaks only HTTP/2. Some clients have an HTTP/1.1 mode "for mock libraries", and users type HTTP/1.1 by hand.
final class ProviderHTTP1Handler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let requestHandler: ProviderRequestHandler
    private let timeout: TimeAmount
    private let headTimeout: TimeAmount
    private let maximumBodySize: Int
    private var sender: ProviderSender
    private var request: ProviderRequest?
    private var memory: IncompleteRequestMemory
    private var isLastRequest = false
    private var alarm: ConnectionAlarm?

    /// Whether a request has begun to arrive, and is not answered yet.
    private var isBusy = false

    /// Whether a fault ends the connection after the current request.
    private var isEnding = false

    /// Whether the connection handles and writes nothing any more, because of a fault.
    private var isSilent = false

    /// The fault that answers all further requests for devices, if any.
    private var injectedAnswer: ConnectionFault?

    /// Creates the handler; `headTimeout` is the time for the head of the first request.
    init(
        _ requestHandler: ProviderRequestHandler,
        _ sender: ProviderSender,
        limits: ProviderLimits,
        headTimeout: TimeAmount
    ) {
        self.requestHandler = requestHandler
        self.sender = sender
        self.headTimeout = headTimeout
        memory = IncompleteRequestMemory(limits.limiter, freeSize: BodyFootprint.freeSize)
        timeout = limits.requestTimeout
        maximumBodySize = limits.http2.bodySize
    }

    func handlerAdded(context: ChannelHandlerContext) {
        requestHandler.metrics.connections[.http1]?.increment()
        alarm = ConnectionAlarm(on: context.eventLoop)
        setAlarm(headTimeout, context)
        let bound = NIOLoopBound((handler: self, context: context), eventLoop: context.eventLoop)
        // HTTP/1.1 has no limit of streams.
        _ = requestHandler.senders.open(sender.connectionNumber, .http1) { fault in
            bound.eventLoop.submit { bound.value.handler.apply(fault, bound.value.context) }
        }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        requestHandler.senders.close(sender.connectionNumber)
        requestHandler.metrics.connections[.http1]?.decrement()
    }

    func channelInactive(context: ChannelHandlerContext) {
        alarm?.clear()
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isSilent else { return }
        switch unwrapInboundIn(data) {
        case .head(let head): begin(head, context)
        case .body(let chunk): append(chunk, context)
        case .end: finish(context)
        }
    }

    private func begin(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
        setAlarm(timeout * 2, context)
        isBusy = true
        // After a request to switch protocols, the bytes are no longer HTTP.
        isLastRequest = !head.isKeepAlive || head.method == .CONNECT || head.headers.contains(name: "upgrade")
        request = ProviderRequest(
            method: head.method.rawValue,
            path: head.uri,
            fields: head.headers.map { HTTP2Field($0.name.lowercased(), $0.value) }
        )
        if ExpectContinue.isRequested(by: head.headers[canonicalForm: "expect"]) {
            context.writeAndFlush(wrapOutboundOut(.head(.init(version: .http1_1, status: .continue))), promise: nil)
        }
    }

    private func append(_ chunk: ByteBuffer, _ context: ChannelHandlerContext) {
        guard let size = request?.body.count, request?.isBodyTooLong == false else { return }
        guard size + chunk.readableBytes <= maximumBodySize else {
            request?.isBodyTooLong = true
            request?.body = []
            return
        }
        do throws(GatewayError) {
            try memory.record(byteCount: size + chunk.readableBytes)
        } catch {
            return context.close(promise: nil)
        }
        request?.body.append(contentsOf: chunk.readableBytesView)
    }

    private func finish(_ context: ChannelHandlerContext) {
        self.request?.responseCountAtArrival = requestHandler.senders.responseCount
        guard let request else { return }
        self.request = nil
        memory.clear()
        alarm?.clear()
        let requestHandler = requestHandler
        if let injectedAnswer, request.isForDevice {
            return handle(request, context) { await requestHandler.injectedFault(injectedAnswer, for: request) }
        }
        guard let token = requestHandler.deviceTokenWithFaults(of: request) else {
            return handle(request, injecting: nil, context)
        }
        handle(request, context) { await requestHandler.takeFault(for: token) }
    }

    /// Handles a request once its fault is known.
    private func handle(
        _ request: ProviderRequest,
        _ context: ChannelHandlerContext,
        fault: @escaping @Sendable () async -> InjectedFault?
    ) {
        let bound = NIOLoopBound((handler: self, context: context), eventLoop: context.eventLoop)
        context.eventLoop.makeFutureWithTask { await fault() }.whenSuccess { fault in
            bound.value.handler.handle(request, injecting: fault, bound.value.context)
        }
    }

    private func handle(_ request: ProviderRequest, injecting fault: InjectedFault?, _ context: ChannelHandlerContext) {
        let bound = NIOLoopBound((handler: self, context: context), eventLoop: context.eventLoop)
        let reply = requestHandler.receive(request, injecting: fault, from: &sender) { reply in
            bound.eventLoop.execute { bound.value.handler.schedule(reply, bound.value.context) }
        }
        if let reply { schedule(reply, context) }
    }

    /// Lets a fault happen; returns whether it can happen on this connection.
    private func apply(_ fault: ConnectionFault, _ context: ChannelHandlerContext) -> Bool {
        guard context.channel.isActive, !isSilent else { return false }
        switch fault.kind {
        // HTTP/1.1 has neither a GOAWAY frame nor streams.
        case .goAway:
            guard fault.keepsOpen != true else { return false }
            isEnding = true
            if !isBusy { context.close(promise: nil) }
        case .limitStreams: return false
        case .silence:
            isSilent = true
            alarm?.clear()
            ProviderConnectionGuard.recordSilence(in: context)
            requestHandler.senders.record(.silenced, on: sender.connectionNumber)
        case .respond: injectedAnswer = fault
        }
        return true
    }

    /// Performs a reply, now or after its delay.
    private func schedule(_ reply: ProviderReply, _ context: ChannelHandlerContext) {
        guard reply.delay > .zero else { return perform(reply, context) }
        alarm?.set(in: reply.delay) { [weak self] in self?.perform(reply, context) }
    }

    private func perform(_ reply: ProviderReply, _ context: ChannelHandlerContext) {
        guard !isSilent else { return }
        switch reply.action {
        case .respond(let response):
            requestHandler.senders.recordResponseIfDelayed(response, of: reply)
            send(response, context)
        case .nothing: break
        case .reset: context.channel.reset()
        // HTTP/1.1 has no GOAWAY frame.
        case .goAway: context.close(promise: nil)
        }
    }

    private func send(_ providerResponse: ProviderResponse, _ context: ChannelHandlerContext) {
        guard context.channel.isActive else { return }
        isBusy = false
        let response = providerResponse.http2Response
        let isLast = isLastRequest || isEnding
        var headers = HTTPHeaders(response.fields.map { ($0.name, $0.value) })
        // A 204 response never has a body, so it has no content-length (RFC 9110, section 8.6).
        if response.status != 204 { headers.add(name: "content-length", value: "\(response.body.count)") }
        if isLast { headers.add(name: "connection", value: "close") }
        let status = HTTPResponseStatus(statusCode: response.status)
        let head = HTTPResponseHead(version: .http1_1, status: status, headers: headers)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        if !response.body.isEmpty {
            context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: response.body)))), promise: nil)
        }
        let channel = context.channel
        let writeFuture = context.writeAndFlush(wrapOutboundOut(.end(nil)))
        if isLast {
            writeFuture.whenComplete { _ in channel.close(promise: nil) }
        } else {
            setAlarm(timeout * 5, context)
        }
    }

    /// Sets the time-out for the next request, or for the rest of one; the connection is closed when it expires.
    private func setAlarm(_ wait: TimeAmount, _ context: ChannelHandlerContext) {
        let channel = context.channel
        alarm?.set(in: wait) { channel.close(promise: nil) }
    }
}
