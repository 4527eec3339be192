internal import CoreMetrics
internal import HTTP2Sessions
internal import LocalService
internal import NIOCore
internal import Synchronization
internal import WaypostSchema

/// A provider's HTTP/2 connection: it passes bytes to a session, and the session's requests to the request handler.
final class ProviderHTTP2Handler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = Never
    typealias OutboundOut = ByteBuffer

    /// The minimum size in bytes of a client's first data: its preface and its settings.
    private static let minimumGreetingSize = 24 + 9

    private let requestHandler: ProviderRequestHandler
    private let session: HTTP2Session
    private let maximumConcurrentStreams: Int
    private let timeout: TimeAmount
    private var replies: ReplyQueue<(stream: HTTP2StreamID, reply: ProviderReply)>?
    private var sender: ProviderSender
    private var memory: IncompleteRequestMemory
    private var receivedBytes = 0
    private var isReadPostponed = false
    private var isClosing = false

    /// The highest stream whose request was handled.
    private var lastHandledStream: HTTP2StreamID = 0

    /// The last stream whose request gets a response, if an injected GOAWAY ends the connection.
    private var lastAnsweredStream: HTTP2StreamID?

    /// The requests that wait while the store is asked for a fault to inject into the request before them.
    private var deferredRequests = CircularBuffer<(stream: HTTP2StreamID, request: ProviderRequest)>(initialCapacity: 1)
    private var isTakingFault = false

    /// The limit of streams that a fault has set, until a request is accepted.
    private var throttledStreamLimit: Int?

    /// The limit of streams that a fault has set for the connection, if any.
    private var connectionStreamLimit: Int?

    /// The fault that answers all further requests for devices, if any.
    private var injectedAnswer: ConnectionFault?

    /// Whether the connection reads and writes nothing any more, because of a fault.
    private var isSilent = false

    /// The limit of streams that was last announced to the client.
    private var announcedStreamLimit: Int

    /// The delayed replies, by stream.
    private var delayedReplies: [HTTP2StreamID: Scheduled<Void>] = [:]
    private var alarm: ConnectionAlarm?

    init(
        _ requestHandler: ProviderRequestHandler,
        _ sender: ProviderSender,
        session: HTTP2Session,
        limits: ProviderLimits
    ) {
        self.requestHandler = requestHandler
        self.sender = sender
        self.session = session
        maximumConcurrentStreams = limits.http2.concurrentStreamCount
        timeout = limits.requestTimeout
        memory = IncompleteRequestMemory(limits.limiter, freeSize: IncompleteRequestMemory.http2FreeSize)
        announcedStreamLimit = session.limits.announcedStreamCount ?? session.limits.concurrentStreamCount
    }

    func handlerAdded(context: ChannelHandlerContext) {
        requestHandler.metrics.connections[.http2]?.increment()
        let bound = NIOLoopBound((handler: self, context: context), eventLoop: context.eventLoop)
        replies = ReplyQueue(context.eventLoop) { bound.value.handler.performReplies(bound.value.context) }
        alarm = ConnectionAlarm(on: context.eventLoop)
        scheduleProgressCheck(context)
        connectionStreamLimit = requestHandler.senders.open(sender.connectionNumber, .http2) { fault in
            bound.eventLoop.submit { bound.value.handler.apply(fault, bound.value.context) }
        }
        record(.streamLimit, streams: announcedStreamLimit)
        announceStreamLimit()
        send(context)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        requestHandler.senders.close(sender.connectionNumber)
        requestHandler.metrics.connections[.http2]?.decrement()
        cancelReplies()
    }

    /// Checks the client's progress after the time-out, and then again and again.
    private func scheduleProgressCheck(_ context: ChannelHandlerContext) {
        alarm?.set(in: timeout) { [weak self] in
            self?.scheduleProgressCheck(context)
            self?.endConnectionIfSlow(context)
        }
    }

    /// Cancels everything that would still be sent.
    private func cancelReplies() {
        alarm?.clear()
        replies = nil
        deferredRequests.removeAll()
        for reply in delayedReplies.values { reply.cancel() }
        delayedReplies = [:]
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        // A read may have begun before the silence.
        guard !isSilent else { return }
        let bytes = unwrapInboundIn(data)
        receivedBytes += bytes.readableBytes
        for event in bytes.withUnsafeReadableBytes({ session.receive($0) }) {
            switch event {
            case .request(let request):
                var providerRequest = ProviderRequest(request)
                providerRequest.responseCountAtArrival = requestHandler.senders.responseCount
                receive(providerRequest, on: request.stream, context)
            case .ping: record(.ping)
            case .canceled: break
            }
        }
        do throws(GatewayError) {
            try memory.record(byteCount: session.incompleteByteCount)
        } catch {
            // The client would go on to send the rest of its requests.
            shutDown(.serviceUnavailable, context)
            context.close(promise: nil)
        }
    }

    /// Handles a request, or defers it: a fault may end the connection, so the requests after it wait for it.
    private func receive(_ request: ProviderRequest, on stream: HTTP2StreamID, _ context: ChannelHandlerContext) {
        guard replies != nil else { return }
        guard !isTakingFault else { return deferredRequests.append((stream, request)) }
        if let lastAnsweredStream, stream > lastAnsweredStream { return }
        lastHandledStream = max(lastHandledStream, stream)
        let requestHandler = requestHandler
        if let injectedAnswer, request.isForDevice {
            return handle(request, on: stream, context) {
                await requestHandler.injectedFault(injectedAnswer, for: request)
            }
        }
        guard let token = requestHandler.deviceTokenWithFaults(of: request) else {
            return handle(request, injecting: nil, on: stream, context)
        }
        handle(request, on: stream, context) { await requestHandler.takeFault(for: token) }
    }

    /// Handles a request once its fault is known; the requests after it wait, so that their order is kept.
    private func handle(
        _ request: ProviderRequest,
        on stream: HTTP2StreamID,
        _ context: ChannelHandlerContext,
        fault: @escaping @Sendable () async -> InjectedFault?
    ) {
        isTakingFault = true
        let bound = NIOLoopBound((handler: self, context: context), eventLoop: context.eventLoop)
        context.eventLoop.makeFutureWithTask { await fault() }.whenSuccess { fault in
            let (handler, context) = bound.value
            handler.handle(request, injecting: fault, on: stream, context)
            handler.handleDeferredRequests(context)
        }
    }

    /// Handles the requests that arrived while the store was asked for a fault, up to the next one with a fault.
    private func handleDeferredRequests(_ context: ChannelHandlerContext) {
        isTakingFault = false
        while !isTakingFault, let (stream, request) = deferredRequests.popFirst() {
            receive(request, on: stream, context)
        }
        send(context)
    }

    private func handle(
        _ request: ProviderRequest,
        injecting fault: InjectedFault?,
        on stream: HTTP2StreamID,
        _ context: ChannelHandlerContext
    ) {
        guard let replies else { return }
        let reply = requestHandler.receive(request, injecting: fault, from: &sender) { replies.add((stream, $0)) }
        announceStreamLimit()
        if let reply { schedule(reply, for: stream, context) }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        performReplies(context)
        context.fireChannelReadComplete()
    }

    func channelInactive(context: ChannelHandlerContext) {
        cancelReplies()
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is ChannelShouldQuiesceEvent { shutDown(.shutdown, context) }
        context.fireUserInboundEventTriggered(event)
    }

    /// Performs the waiting replies and sends the resulting bytes.
    private func performReplies(_ context: ChannelHandlerContext) {
        for (stream, reply) in replies?.takeAll() ?? [] { schedule(reply, for: stream, context) }
        send(context)
    }

    /// Performs a reply, now or after its delay.
    private func schedule(_ reply: ProviderReply, for stream: HTTP2StreamID, _ context: ChannelHandlerContext) {
        guard reply.delay > .zero else { return perform(reply, for: stream) }
        let bound = NIOLoopBound((handler: self, context: context), eventLoop: context.eventLoop)
        delayedReplies[stream] = context.eventLoop.scheduleTask(in: reply.delay) {
            let (handler, context) = bound.value
            handler.delayedReplies[stream] = nil
            handler.perform(reply, for: stream)
            handler.send(context)
        }
    }

    private func perform(_ reply: ProviderReply, for stream: HTTP2StreamID) {
        switch reply.action {
        case .respond(let response):
            if let limit = reply.streamLimit {
                throttledStreamLimit = limit
            } else if response.isAccepted {
                throttledStreamLimit = nil
            }
            announceStreamLimit()
            requestHandler.senders.recordResponseIfDelayed(response, of: reply)
            session.respond(to: stream, with: response.http2Response)
        case .nothing: break
        case .reset: session.reset(stream)
        case .goAway(let reason, let frames): endConnection(refusing: stream, reason, frameCount: frames)
        }
    }

    /// Ends the connection with GOAWAY frames: the request on `stream` gets no response, but other handled requests do.
    private func endConnection(refusing stream: HTTP2StreamID, _ reason: RejectionReason, frameCount: Int) {
        // A client's streams have odd numbers (RFC 9113, section 5.1.1).
        let lastStream = lastHandledStream > stream ? lastHandledStream : stream - 2
        // The frame contains only the last stream. If that is a later one, only a reset shows that this one is refused.
        if lastStream > stream { session.reset(stream, isRefused: true) }
        lastAnsweredStream = lastStream
        for _ in 0..<frameCount { sendGoAway(reason) }
    }

    /// Announces the limit of streams to the client, if it changed.
    ///
    /// A client without a valid token has one stream ("Sending notification requests to APNs").
    private func announceStreamLimit() {
        let maximum = sender.authentication.isTrusted ? maximumConcurrentStreams : 1
        let limit = min(throttledStreamLimit ?? maximum, connectionStreamLimit ?? maximum, maximum)
        guard limit != announcedStreamLimit else { return }
        announcedStreamLimit = limit
        session.announceConcurrentStreams(limit)
        record(.streamLimit, streams: limit)
    }

    /// Sends a GOAWAY frame; requests up to the last one that gets a response are answered.
    private func sendGoAway(_ reason: RejectionReason) {
        session.goAway(with: Self.body(of: reason), after: lastAnsweredStream)
        record(.goAway, reason: reason)
    }

    /// Records an event of the connection.
    private func record(
        _ kind: ProviderConnectionEvent.Kind,
        streams: Int? = nil,
        reason: RejectionReason? = nil
    ) {
        requestHandler.senders.record(kind, on: sender.connectionNumber, streams: streams, reason: reason)
    }

    private func send(_ context: ChannelHandlerContext) {
        guard !isSilent else { return }
        var bytes: [UInt8] = []
        session.writeOutput(to: &bytes)
        guard session.isOver, !isClosing else {
            if !bytes.isEmpty { context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: bytes)), promise: nil) }
            return
        }
        isClosing = true
        // The remaining bytes are sent first; a client that does not read delays this only for a short time.
        let channel = context.channel
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: bytes)))
            .whenComplete { _ in channel.close(promise: nil) }
        channel.closeAfterTimeout()
    }

    /// Announces the end of the connection; requests that were received are answered first.
    private func shutDown(_ reason: RejectionReason, _ context: ChannelHandlerContext) {
        session.staysOpen = false
        sendGoAway(reason)
        send(context)
    }

    // MARK: Faults of the connection

    /// Lets a fault happen; returns whether it can happen on this connection.
    private func apply(_ fault: ConnectionFault, _ context: ChannelHandlerContext) -> Bool {
        guard context.channel.isActive, !isSilent, !isClosing else { return false }
        switch fault.kind {
        case .goAway:
            session.staysOpen = fault.keepsOpen ?? false
            for _ in 0..<(fault.frames ?? 1) { sendGoAway(fault.reason ?? .shutdown) }
        case .silence:
            isSilent = true
            cancelReplies()
            ProviderConnectionGuard.recordSilence(in: context)
            record(.silenced)
        case .limitStreams:
            connectionStreamLimit = fault.streams
            announceStreamLimit()
        case .respond: injectedAnswer = fault
        }
        send(context)
        return true
    }

    private static func body(of reason: RejectionReason) -> [UInt8] {
        Array(#"{"reason":"\#(reason)"}"#.utf8)
    }

    /// Ends the connection of a client that is slow to complete a request.
    private func endConnectionIfSlow(_ context: ChannelHandlerContext) {
        let isSlow = session.hasRequests(begunBefore: session.tick)
        session.tick += 1
        guard receivedBytes < Self.minimumGreetingSize || isSlow else { return }
        shutDown(.idleTimeout, context)
        // Requests that were received completely are still answered, which takes some time.
        if session.unansweredCount == 0 { context.close(promise: nil) } else { context.channel.closeAfterTimeout() }
    }

    // MARK: Reading pauses while the client does not read its responses

    func read(context: ChannelHandlerContext) {
        guard !isSilent else { return }
        if context.channel.isWritable { context.read() } else { isReadPostponed = true }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable, isReadPostponed, !isSilent {
            isReadPostponed = false
            context.read()
        }
        context.fireChannelWritabilityChanged()
    }
}

/// A queue of replies for the event loop of their connection; many replies wake the event loop once.
final class ReplyQueue<Reply: Sendable>: Sendable {
    private let eventLoop: any EventLoop
    private let replies = Mutex<[Reply]>([])
    private let onReplies: @Sendable () -> Void

    /// Creates a queue that calls `onReplies` on the event loop when the queue is no longer empty.
    init(_ eventLoop: any EventLoop, onReplies: @escaping @Sendable () -> Void) {
        self.eventLoop = eventLoop
        self.onReplies = onReplies
    }

    /// Adds a reply, from any thread.
    func add(_ reply: Reply) {
        let isFirst = replies.withLock { replies in
            replies.append(reply)
            return replies.count == 1
        }
        if isFirst { eventLoop.execute(onReplies) }
    }

    /// Removes all replies and returns them.
    func takeAll() -> [Reply] {
        replies.withLock { replies in
            defer { replies = [] }
            return replies
        }
    }
}
