internal import Foundation
internal import GatewayStore
internal import LocalService
internal import NIOCore
internal import Synchronization
internal import WaypostSchema

/// An open event stream: it writes what its agent's session decides to send, as fast as the client reads.
///
/// It is the last handler of its connection, and the only one besides TLS and those that read acknowledgements: the
/// head of the response is already written. There are thousands of idle streams, so each keeps little state. The stream
/// ignores other data from the client, but reads it to notice that the client has disconnected. Only signals come from
/// outside the channel's event loop; they are passed to it.
final class EventStream: ChannelInboundHandler, NIOScheduledCallbackHandler {
    typealias InboundIn = Never
    typealias OutboundOut = ByteBuffer

    /// The intervals of a stream.
    struct Timing: Sendable {
        /// The time between two comments on an idle stream.
        var heartbeatInterval: TimeAmount

        /// The time for which a client may read nothing.
        var stallTimeout: TimeAmount
    }

    private let agent: AgentID
    private let delivery: DeliveryService
    private let channel: any Channel
    private let timing: Timing
    private let mailbox: StreamMailbox
    private var compression: EventCompression?
    private var epoch: SessionEpoch?
    private var heartbeat: NIOScheduledCallback?
    private var isReadingPage = false

    /// The progress of the client.
    private var progress: ReadProgress

    /// Whether `write` is running; its caller sends what follows.
    private var isWriting = false

    /// Whether the client was notified that the gateway waits for its acknowledgements.
    private var hasSentWindowFullComment = false

    init(
        _ agent: AgentID,
        _ delivery: DeliveryService,
        channel: any Channel,
        timing: Timing,
        mailbox: StreamMailbox,
        isCompressed: Bool
    ) {
        self.agent = agent
        self.delivery = delivery
        self.mailbox = mailbox
        self.channel = channel
        self.timing = timing
        compression = isCompressed ? EventCompression() : nil
        progress = ReadProgress(at: channel.eventLoop.now)
    }

    /// Opens the stream of a session after sequence `cursor`; `false` if the session has ended already.
    ///
    /// The stream is opened before the head of the response is written, so that a client that sees the head is
    /// connected for senders of transient notifications.
    func open(_ session: DeliveryService.OpenedSession, after cursor: Int) -> Bool {
        let this = NIOLoopBound(self, eventLoop: channel.eventLoop)
        let mailbox = mailbox
        let isOpen = delivery.openStream(session, after: cursor, at: channel.eventLoop.now) { signal in
            mailbox.add(this, signal)
        }
        if isOpen { epoch = session.epoch }
        return isOpen
    }

    /// Starts sending; the head of the response is already written.
    func handlerAdded(context: ChannelHandlerContext) {
        // Something must follow the head at once, so that the client sees that it is connected.
        write(ByteBuffer(string: ServerSentEventText.heartbeat))
        // If the client has already disconnected, the write has ended the stream.
        guard epoch != nil else { return }
        scheduleHeartbeat()
        sendWhileWritable()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {}

    func channelInactive(context: ChannelHandlerContext) {
        close()
        context.fireChannelInactive()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is ChannelShouldQuiesceEvent { end(.shuttingDown) }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }

    /// Sends notifications while the client keeps up.
    ///
    /// It is called again when a slow client has caught up.
    private func sendWhileWritable() {
        guard let epoch, !isReadingPage else { return }
        while progress.isWritable {
            switch delivery.next(agent, epoch, at: channel.eventLoop.now) {
            case .send(let notifications): send(notifications)
            case .read(let request): return read(request, epoch)
            case .wait: return sendWindowFullCommentIfNeeded(epoch)
            case nil: return
            }
        }
    }

    /// Reads a page in another task, so that the event loop can serve its other connections.
    private func read(_ request: DeviceSession.PageRequest, _ epoch: SessionEpoch) {
        isReadingPage = true
        let (delivery, agent, now) = (delivery, agent, channel.eventLoop.now)
        let page = channel.eventLoop.makeFutureWithTask {
            try await delivery.page(request, for: agent, epoch, at: now)
        }
        let this = NIOLoopBound(self, eventLoop: channel.eventLoop)
        page.whenComplete { this.value.receive($0) }
    }

    private func receive(_ page: Result<[StoredNotification], any Error>) {
        isReadingPage = false
        guard epoch != nil else { return }
        // A client that gets no event would wait forever; a client whose stream ends reconnects.
        guard let notifications = try? page.get() else { return end(.failed) }
        if !notifications.isEmpty { send(notifications) }
        sendWhileWritable()
    }

    private func send(_ notifications: [StoredNotification]) {
        hasSentWindowFullComment = false
        var buffer = ByteBuffer()
        for notification in notifications { EventFrame.append(notification, to: &buffer) }
        write(buffer)
    }

    private func sendWindowFullCommentIfNeeded(_ epoch: SessionEpoch) {
        guard !hasSentWindowFullComment, delivery.sessions.withLock({ $0.isWindowFull(agent, epoch) }) else {
            return
        }
        hasSentWindowFullComment = true
        write(ByteBuffer(string: EventFrame.windowFullComment))
    }

    /// Ends the response and closes the connection; a client that does not read delays this only for a short time.
    ///
    /// - Parameters:
    ///   - reason: the reason for the end.
    ///   - details: the details of this end; `nil` if the reason says everything.
    func end(_ reason: StreamEnd.Reason, _ details: String? = nil) {
        guard epoch != nil else { return }
        close()
        var buffer = ByteBuffer()
        EventFrame.append(reason, details, to: &buffer)
        let channel = channel
        write(buffer, isLast: true).whenComplete { _ in channel.close(promise: nil) }
        channel.closeAfterTimeout()
    }

    /// Begins to remove acknowledged notifications from the inbox.
    ///
    /// - Parameters:
    ///   - acknowledgements: the acknowledgements, in order.
    ///   - finish: called with the outcome, on any thread.
    /// - Returns: whether `finish` will be called; it is not if nothing is acknowledged.
    func acknowledge(
        _ acknowledgements: [Acknowledgement],
        finish: @escaping @Sendable (Result<Int, GatewayError>) -> Void
    ) -> Bool {
        guard epoch != nil else { return false }
        return delivery.acknowledge(agent, acknowledgements, finish: finish)
    }

    /// Closes the stream in the delivery service, because its connection is closed or closing.
    private func close() {
        heartbeat?.cancel()
        heartbeat = nil
        guard let epoch else { return }
        self.epoch = nil
        delivery.closeStream(agent, epoch)
    }

    func receive(_ signal: DeviceSessions.Signal) {
        switch signal {
        case .somethingNew: sendWhileWritable()
        case .ended(let reason): end(reason)
        }
    }

    private func scheduleHeartbeat() {
        heartbeat = try? channel.eventLoop.assumeIsolated().scheduleCallback(
            in: timing.heartbeatInterval,
            handler: self
        )
    }

    func handleScheduledCallback(eventLoop: some EventLoop) {
        scheduleHeartbeat()
        sendHeartbeat()
    }

    /// Writes a heartbeat and starts redeliveries that are due, or ends the stream of a client that does not read.
    private func sendHeartbeat() {
        guard let epoch else { return }
        let now = channel.eventLoop.now
        guard progress.isWritable else {
            let bufferedBytes = (try? channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
            let stallTime = progress.stallTime(buffering: bufferedBytes, at: now)
            // Everything that was written to it is still in its inbox.
            if stallTime >= timing.stallTimeout { end(.tooSlow) }
            return
        }
        write(ByteBuffer(string: ServerSentEventText.heartbeat))
        delivery.sessions.withLock { $0.markOverdueForRedelivery(agent, epoch, at: now) }
        sendWhileWritable()
    }

    /// Writes a group of events as one chunk (RFC 9112, section 7.1), so that the client receives it as a whole.
    @discardableResult
    private func write(_ events: ByteBuffer, isLast: Bool = false) -> EventLoopFuture<Void> {
        let bytes = compression?.compress(events, isLast: isLast) ?? events
        let size = String(bytes.readableBytes, radix: 16)
        var chunk = ByteBuffer()
        chunk.reserveCapacity(size.utf8.count + bytes.readableBytes + 16)
        chunk.writeString("\(size)\r\n")
        chunk.writeImmutableBuffer(bytes)
        chunk.writeString(isLast ? "\r\n0\r\n\r\n" : "\r\n")
        let count = chunk.readableBytes
        progress.beginWrite(of: count, at: channel.eventLoop.now)
        isWriting = true
        defer { isWriting = false }
        let written = channel.writeAndFlush(chunk)
        written.assumeIsolated().whenSuccess { self.recordWrite(of: count) }
        return written
    }

    /// Records that the socket has taken `count` bytes.
    private func recordWrite(of count: Int) {
        progress.endWrite(of: count)
        guard progress.isWritable, !isWriting else { return }
        progress.record(at: channel.eventLoop.now)
        sendWhileWritable()
    }
}
