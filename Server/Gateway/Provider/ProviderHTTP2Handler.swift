internal import HTTP2Sessions
internal import LocalService
internal import NIOCore
internal import Synchronization
internal import WaypostSchema

/// A provider's HTTP/2 connection: its bytes go to a session, and what that learns goes to the requests.
final class ProviderHTTP2Handler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = Never
    typealias OutboundOut = ByteBuffer

    /// What a client says first, its preface and its settings, has so many bytes at least.
    private static let shortestGreeting = 24 + 9

    private let requests: ProviderRequestHandler
    private let session: HTTP2Session
    private let concurrentStreams: Int
    private let timeout: TimeAmount
    private var replies: ReplyQueue<(stream: HTTP2StreamID, reply: ProviderReply)>?
    private var sender: ProviderAuthentication
    private var received = 0
    private var isReadHeldBack = false
    private var isClosing = false

    /// The greatest stream whose request was looked at.
    private var lastTaken: HTTP2StreamID = 0

    /// The last stream whose request is answered, since the connection was to end with the next.
    private var lastAnswered: HTTP2StreamID?

    /// How many streams the client was left, until something is accepted.
    private var throttledTo: Int?

    /// How many streams the client was told that it has.
    private var announcedStreams: Int

    /// Answers that come later, by stream.
    private var delays: [HTTP2StreamID: Scheduled<Void>] = [:]
    private var alarm: RepeatedTask?

    init(
        _ requests: ProviderRequestHandler,
        _ sender: ProviderAuthentication,
        _ session: HTTP2Session,
        _ limits: ProviderLimits
    ) {
        self.requests = requests
        self.sender = sender
        self.session = session
        concurrentStreams = limits.http2.concurrentStreams
        timeout = limits.requestTimeout
        announcedStreams = session.limits.announcedStreams ?? session.limits.concurrentStreams
    }

    func handlerAdded(context: ChannelHandlerContext) {
        requests.connectionOpened(.http2)
        let bound = NIOLoopBound((handler: self, context: context), eventLoop: context.eventLoop)
        replies = ReplyQueue(context.eventLoop) { bound.value.handler.giveReplies(bound.value.context) }
        alarm = context.eventLoop.scheduleRepeatedTask(initialDelay: timeout, delay: timeout) { _ in
            bound.value.handler.watch(bound.value.context)
        }
        send(context)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        requests.connectionClosed(.http2)
        stop()
    }

    /// Lets go of everything that would still want to be sent.
    private func stop() {
        alarm?.cancel()
        replies = nil
        for delay in delays.values { delay.cancel() }
        delays = [:]
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let bytes = unwrapInboundIn(data)
        received += bytes.readableBytes
        for event in bytes.withUnsafeReadableBytes({ session.receive($0) }) {
            guard case .request(let request) = event, let replies else { continue }
            let stream = request.stream
            if let lastAnswered, stream > lastAnswered { continue }
            lastTaken = max(lastTaken, stream)
            let reply = requests.receive(ProviderRequest(request), from: &sender) { replies.add((stream, $0)) }
            announceStreams()
            if let reply { take(reply, for: stream, context) }
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        giveReplies(context)
        context.fireChannelReadComplete()
    }

    func channelInactive(context: ChannelHandlerContext) {
        stop()
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is ChannelShouldQuiesceEvent { shutDown(.shutdown, context) }
        context.fireUserInboundEventTriggered(event)
    }

    /// Answers what has been decided, and sends what there is to send.
    private func giveReplies(_ context: ChannelHandlerContext) {
        for (stream, reply) in replies?.take() ?? [] { take(reply, for: stream, context) }
        send(context)
    }

    /// Does what is to be done about a request, or sees to it that it is done later.
    private func take(_ reply: ProviderReply, for stream: HTTP2StreamID, _ context: ChannelHandlerContext) {
        guard reply.delay > .zero else { return perform(reply, for: stream) }
        let bound = NIOLoopBound((handler: self, context: context), eventLoop: context.eventLoop)
        delays[stream] = context.eventLoop.scheduleTask(in: reply.delay) {
            let (handler, context) = bound.value
            handler.delays[stream] = nil
            handler.perform(reply, for: stream)
            handler.send(context)
        }
    }

    private func perform(_ reply: ProviderReply, for stream: HTTP2StreamID) {
        switch reply.action {
        case .answer(let answer):
            if let streams = reply.streams { throttledTo = streams } else if answer.isAccepted { throttledTo = nil }
            announceStreams()
            session.respond(to: stream, with: answer.response)
        case .nothing: break
        case .reset: session.reset(stream)
        case .goAway(let reason, let frames): end(with: stream, reason, frames)
        }
    }

    /// Ends the connection with a request of which nothing comes; those that were looked at before are answered.
    private func end(with stream: HTTP2StreamID, _ reason: RejectionReason, _ frames: Int) {
        // A client's streams have odd numbers (RFC 9113, section 5.1.1).
        let last = lastTaken > stream ? lastTaken : stream - 2
        // Where one with a greater number is answered, the frame does not say that this one is not.
        if last > stream { session.reset(stream, isRefused: true) }
        lastAnswered = last
        for _ in 0..<frames { session.goAway(with: Self.body(of: reason), after: last) }
    }

    /// Tells the client how many streams it has, where that is another number than it knows.
    ///
    /// Who has not shown a good token has one ("Sending notification requests to APNs").
    private func announceStreams() {
        let most = sender.isTrusted ? concurrentStreams : 1
        let streams = min(throttledTo ?? most, most)
        guard streams != announcedStreams else { return }
        announcedStreams = streams
        session.setConcurrentStreams(streams)
    }

    private func send(_ context: ChannelHandlerContext) {
        var bytes: [UInt8] = []
        session.output(to: &bytes)
        guard session.isOver, !isClosing else {
            if !bytes.isEmpty { context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: bytes)), promise: nil) }
            return
        }
        isClosing = true
        // What is still to be said is said first; who does not listen is not waited for long.
        let channel = context.channel
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: bytes)))
            .whenComplete { _ in channel.close(promise: nil) }
        channel.closeAfterTimeout()
    }

    /// Says that nothing more is taken; what came is answered first.
    private func shutDown(_ reason: RejectionReason, _ context: ChannelHandlerContext) {
        session.goAway(with: Self.body(of: reason), after: lastAnswered)
        send(context)
    }

    private static func body(of reason: RejectionReason) -> [UInt8] {
        Array(#"{"reason":"\#(reason)"}"#.utf8)
    }

    /// Ends the connection of who began something and does not finish it.
    private func watch(_ context: ChannelHandlerContext) {
        let isSlow = session.hasRequests(begunBefore: session.moment)
        session.moment += 1
        guard received < Self.shortestGreeting || isSlow else { return }
        shutDown(.idleTimeout, context)
        // What came whole before is answered, which takes a moment.
        if session.unansweredCount == 0 { context.close(promise: nil) } else { context.channel.closeAfterTimeout() }
    }

    // MARK: A client that does not read its answers is not asked for more

    func read(context: ChannelHandlerContext) {
        if context.channel.isWritable { context.read() } else { isReadHeldBack = true }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable, isReadHeldBack {
            isReadHeldBack = false
            context.read()
        }
        context.fireChannelWritabilityChanged()
    }
}

/// Answers on their way to the event loop of their connection: however many there are, it is asked to look once.
final class ReplyQueue<Reply: Sendable>: Sendable {
    private let eventLoop: any EventLoop
    private let replies = Mutex<[Reply]>([])
    private let onReplies: @Sendable () -> Void

    /// Creates a queue that calls `onReplies` on the event loop when there is something in it.
    init(_ eventLoop: any EventLoop, onReplies: @escaping @Sendable () -> Void) {
        self.eventLoop = eventLoop
        self.onReplies = onReplies
    }

    /// Adds a reply, from anywhere.
    func add(_ reply: Reply) {
        let isFirst = replies.withLock { replies in
            replies.append(reply)
            return replies.count == 1
        }
        if isFirst { eventLoop.execute(onReplies) }
    }

    /// Takes the replies out of the queue.
    func take() -> [Reply] {
        replies.withLock { replies in
            defer { replies = [] }
            return replies
        }
    }
}
