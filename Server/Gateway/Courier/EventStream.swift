internal import Foundation
internal import GatewayStore
internal import LocalService
internal import NIOCore
internal import WaypostSchema

/// An open event stream: what its agent's session says is written, as fast as the reader takes it.
///
/// It is the one handler of its connection, behind TLS at most: the head of the answer is written already, and there are
/// thousands of idle streams, so that each keeps little. What else the client sends has no meaning; that it is read tells when the other end is gone.
/// Only signals come from elsewhere than the channel's event loop, and they hop onto it.
final class EventStream: ChannelInboundHandler, NIOScheduledCallbackHandler {
    typealias InboundIn = Never
    typealias OutboundOut = ByteBuffer

    /// How a stream behaves towards its reader.
    struct Timing: Sendable {
        /// The time between two comments on a quiet stream.
        var heartbeatInterval: TimeAmount

        /// How long a reader may take nothing.
        var stallTimeout: TimeAmount
    }

    private let agent: AgentID
    private let delivery: DeliveryService
    private let channel: any Channel
    private let timing: Timing
    private var compression: EventCompression?
    private var number: Int?
    private var heartbeat: NIOScheduledCallback?
    private var isReading = false

    /// When the reader last took something, and whether it was told that the gateway waits for its acknowledgements.
    private var lastProgress: NIODeadline
    private var hasSentWaitingComment = false

    init(_ agent: AgentID, _ delivery: DeliveryService, _ channel: any Channel, _ timing: Timing, isCompressed: Bool) {
        self.agent = agent
        self.delivery = delivery
        self.channel = channel
        self.timing = timing
        compression = isCompressed ? EventCompression() : nil
        lastProgress = channel.eventLoop.now
    }

    /// Opens the agent's stream behind sequence `cursor`; `false` where the agent may be gone, a namespace having been reset
    /// since it was admitted.
    ///
    /// It is opened before the head of the answer is written, so that a client that sees the head is connected for who sends
    /// something that is now or never.
    func open(after cursor: Int, afterResets resets: Int) -> Bool {
        let this = NIOLoopBound(self, eventLoop: channel.eventLoop)
        let eventLoop = channel.eventLoop
        number = delivery.openStream(agent, after: cursor, at: eventLoop.now, afterResets: resets) { signal in
            eventLoop.execute { this.value.receive(signal) }
        }
        return number != nil
    }

    /// Begins to send, the head of the answer being written.
    func handlerAdded(context: ChannelHandlerContext) {
        // Something must follow the head at once, so that a client sees that it is connected.
        write(ByteBuffer(string: ServerSentEventText.heartbeat))
        // Where the reader is gone already, the write has ended the stream.
        guard number != nil else { return }
        scheduleHeartbeat()
        pump()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {}

    func channelInactive(context: ChannelHandlerContext) {
        close()
        context.fireChannelInactive()
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable { noteProgress() }
        context.fireChannelWritabilityChanged()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is ChannelShouldQuiesceEvent { end(.shuttingDown) }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }

    /// Sends what there is to send while the reader keeps up; it is called again once a reader that did not has caught up.
    private func pump() {
        guard let number, !isReading else { return }
        while channel.isWritable {
            switch delivery.next(agent, stream: number, at: channel.eventLoop.now) {
            case .send(let notifications): send(notifications)
            case .read(let request): return read(request, number)
            case .wait: return sendWaitingComment(number)
            case nil: return
            }
        }
    }

    /// Pages are read elsewhere, so that the event loop turns to its other connections meanwhile.
    private func read(_ request: DeviceSession.PageRequest, _ number: Int) {
        isReading = true
        let (delivery, agent, now) = (delivery, agent, channel.eventLoop.now)
        let page = channel.eventLoop.makeFutureWithTask {
            try await delivery.page(request, for: agent, stream: number, at: now)
        }
        let this = NIOLoopBound(self, eventLoop: channel.eventLoop)
        page.whenComplete { this.value.receive($0) }
    }

    private func receive(_ page: Result<[StoredNotification], any Error>) {
        isReading = false
        guard number != nil else { return }
        // A reader that is told nothing would wait for ever; one whose stream ends comes back.
        guard let notifications = try? page.get() else { return end(.failed) }
        if !notifications.isEmpty { send(notifications) }
        pump()
    }

    private func send(_ notifications: [StoredNotification]) {
        hasSentWaitingComment = false
        var buffer = ByteBuffer()
        for notification in notifications { EventFrame.append(notification, to: &buffer) }
        write(buffer)
    }

    private func sendWaitingComment(_ number: Int) {
        guard !hasSentWaitingComment, delivery.isWindowFull(agent, stream: number) else { return }
        hasSentWaitingComment = true
        write(ByteBuffer(string: EventFrame.waiting))
    }

    /// Ends the answer and closes the connection; a reader that does not read is not waited for long.
    func end(_ reason: StreamEnd.Reason) {
        guard number != nil else { return }
        close()
        var buffer = ByteBuffer()
        EventFrame.append(reason, to: &buffer)
        let channel = channel
        write(buffer, isLast: true).whenComplete { _ in channel.close(promise: nil) }
        channel.closeAfterTimeout()
    }

    /// Forgets the stream, its connection being gone or going.
    private func close() {
        heartbeat?.cancel()
        heartbeat = nil
        guard let number else { return }
        self.number = nil
        delivery.closeStream(agent, number: number)
    }

    /// The reader has taken what was written for it.
    private func noteProgress() {
        lastProgress = channel.eventLoop.now
        pump()
    }

    private func receive(_ signal: DeviceSessions.Signal) {
        switch signal {
        case .somethingNew: pump()
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

    /// What is to be done from time to time: to see whether the reader is still there, and what it has not acknowledged.
    private func sendHeartbeat() {
        guard let number else { return }
        let now = channel.eventLoop.now
        guard channel.isWritable else {
            // Everything that was written to it is in its inbox still.
            if now - lastProgress >= timing.stallTimeout { end(.tooSlow) }
            return
        }
        lastProgress = now
        write(ByteBuffer(string: ServerSentEventText.heartbeat))
        delivery.takeDue(agent, stream: number, at: now)
        pump()
    }

    /// Writes a group of events, which reaches the reader as a whole: as a chunk (RFC 9112, section 7.1).
    @discardableResult
    private func write(_ events: ByteBuffer, isLast: Bool = false) -> EventLoopFuture<Void> {
        let bytes = compression?.compress(events, isLast: isLast) ?? events
        let size = String(bytes.readableBytes, radix: 16)
        var chunk = ByteBuffer()
        chunk.reserveCapacity(size.utf8.count + bytes.readableBytes + 16)
        chunk.writeString("\(size)\r\n")
        chunk.writeImmutableBuffer(bytes)
        chunk.writeString(isLast ? "\r\n0\r\n\r\n" : "\r\n")
        return channel.writeAndFlush(chunk)
    }
}
