internal import Foundation
internal import GatewayStore
internal import NIOCore
internal import NIOHTTP1
internal import WaypostSchema

/// An open event stream: what its agent's session says is written, as fast as the reader takes it.
///
/// It is confined to its channel's event loop; only signals come from elsewhere, and they hop onto it.
final class EventStream {
    /// How a stream behaves towards its reader.
    struct Manners: Sendable {
        /// The time between two comments on a quiet stream.
        var heartbeatInterval: TimeAmount

        /// How long a reader may take nothing.
        var patience: TimeAmount
    }

    private let agent: AgentID
    private let mailroom: Mailroom
    private let channel: any Channel
    private let manners: Manners
    private var compression: EventCompression?
    private var number: Int?
    private var heartbeat: RepeatedTask?
    private var isReading = false

    /// When the reader last took something, and whether it was told that the gateway waits for its acknowledgements.
    private var lastProgress: NIODeadline
    private var hasSaidThatItWaits = false

    init(_ agent: AgentID, _ mailroom: Mailroom, _ channel: any Channel, _ manners: Manners, isCompressed: Bool) {
        self.agent = agent
        self.mailroom = mailroom
        self.channel = channel
        self.manners = manners
        compression = isCompressed ? EventCompression() : nil
        lastProgress = channel.eventLoop.now
    }

    /// Starts the answer and sends what is in the inbox behind sequence `cursor`.
    func open(after cursor: Int) {
        let this = NIOLoopBound(self, eventLoop: channel.eventLoop)
        let eventLoop = channel.eventLoop
        // Before the head, so that a client that sees it is connected for who sends something that is now or never.
        number = mailroom.openStream(agent, after: cursor, at: channel.eventLoop.now) { signal in
            eventLoop.execute { this.value.receive(signal) }
        }
        // The connection ends with the stream, so that nobody keeps it for another request.
        var headers: HTTPHeaders = [
            "content-type": "text/event-stream", "cache-control": "no-store", "connection": "close",
            "vary": "accept-encoding",
        ]
        if compression != nil { headers.add(name: "content-encoding", value: "gzip") }
        channel.write(
            HTTPServerResponsePart.head(.init(version: .http1_1, status: .ok, headers: headers)),
            promise: nil
        )
        // Something must follow the head at once, so that a client sees that it is connected.
        write(ByteBuffer(string: EventFrame.heartbeat))
        // Where the reader is gone already, the write has ended the stream.
        guard number != nil else { return }
        let interval = manners.heartbeatInterval
        heartbeat = eventLoop.scheduleRepeatedTask(initialDelay: interval, delay: interval) { _ in this.value.beat() }
        pump()
    }

    /// Sends what there is to send while the reader keeps up; it is called again once a reader that did not has caught up.
    func pump() {
        guard let number, !isReading else { return }
        while channel.isWritable {
            switch mailroom.next(agent, stream: number, at: channel.eventLoop.now) {
            case .send(let notifications): send(notifications)
            case .read(let request): return read(request, number)
            case .wait: return sayThatItWaits(number)
            case nil: return
            }
        }
    }

    /// Pages are read elsewhere, so that the event loop turns to its other connections meanwhile.
    private func read(_ request: DeviceSession.PageRequest, _ number: Int) {
        isReading = true
        let (mailroom, agent, now) = (mailroom, agent, channel.eventLoop.now)
        let page = channel.eventLoop.makeFutureWithTask {
            try await mailroom.page(request, for: agent, stream: number, at: now)
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
        hasSaidThatItWaits = false
        var buffer = ByteBuffer()
        for notification in notifications { EventFrame.append(notification, to: &buffer) }
        write(buffer)
    }

    private func sayThatItWaits(_ number: Int) {
        guard !hasSaidThatItWaits, mailroom.isWindowFull(agent, stream: number) else { return }
        hasSaidThatItWaits = true
        write(ByteBuffer(string: EventFrame.waiting))
    }

    /// Ends the answer and closes the connection; a reader that does not read is not waited for long.
    func end(_ reason: StreamEnd.Reason) {
        guard number != nil else { return }
        close()
        var buffer = ByteBuffer()
        EventFrame.append(reason, to: &buffer)
        write(buffer, isLast: true)
        let channel = channel
        channel.writeAndFlush(HTTPServerResponsePart.end(nil)).whenComplete { _ in channel.close(promise: nil) }
        channel.closeAfterPatience()
    }

    /// Forgets the stream, its connection being gone or going.
    func close() {
        heartbeat?.cancel()
        heartbeat = nil
        guard let number else { return }
        self.number = nil
        mailroom.closeStream(agent, number: number)
    }

    /// The reader has taken what was written for it.
    func noteProgress() {
        lastProgress = channel.eventLoop.now
        pump()
    }

    private func receive(_ signal: DeviceSessions.Signal) {
        switch signal {
        case .somethingNew: pump()
        case .ended(let reason): end(reason)
        }
    }

    /// What is to be done from time to time: to see whether the reader is still there, and what it has not acknowledged.
    private func beat() {
        guard let number else { return }
        let now = channel.eventLoop.now
        guard channel.isWritable else {
            // Everything that was written to it is in its inbox still.
            if now - lastProgress >= manners.patience { end(.tooSlow) }
            return
        }
        lastProgress = now
        write(ByteBuffer(string: EventFrame.heartbeat))
        mailroom.takeDue(agent, stream: number, at: now)
        pump()
    }

    /// Writes a group of events, which reaches the reader as a whole.
    private func write(_ events: ByteBuffer, isLast: Bool = false) {
        let bytes = compression?.compress(events, isLast: isLast) ?? events
        channel.writeAndFlush(HTTPServerResponsePart.body(.byteBuffer(bytes)), promise: nil)
    }
}

extension Channel {
    /// Closes the connection after a while, whatever its other end does or leaves undone.
    func closeAfterPatience() {
        let patience = TimeAmount.seconds(2)
        eventLoop.scheduleTask(in: patience) { self.reset() }
    }

    /// Closes the connection at once; what was not taken is thrown away, which the kernel would keep offering otherwise.
    private func reset() {
        guard isActive, let socket = self as? any SocketOptionProvider else { return close(promise: nil) }
        socket.setSoLinger(linger(l_onoff: 1, l_linger: 0)).whenComplete { _ in self.close(promise: nil) }
    }
}
