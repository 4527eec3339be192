internal import GatewayStore
internal import NIOCore
internal import NIOHTTP1
internal import WaypostSchema

/// An open event stream: it pulls pages out of its agent's inbox as fast as the reader takes them.
///
/// It is confined to its channel's event loop; only signals come from elsewhere, and they hop onto it.
final class EventStream {
    /// The most notifications that are read at once.
    private static let pageSize = 64

    private let agent: AgentID
    private let mailroom: Mailroom
    private let channel: any Channel
    private var number: Int?
    private var heartbeat: RepeatedTask?

    /// Whether a page is being read, and whether there was a reason to read another one meanwhile.
    private var (isReading, isReadWanted) = (false, false)

    init(_ agent: AgentID, _ mailroom: Mailroom, _ channel: any Channel) {
        self.agent = agent
        self.mailroom = mailroom
        self.channel = channel
    }

    /// Starts the answer and sends what is in the inbox behind sequence `cursor`.
    func open(after cursor: Int, heartbeatInterval: TimeAmount) {
        let this = NIOLoopBound(self, eventLoop: channel.eventLoop)
        let eventLoop = channel.eventLoop
        // Before the head, so that a client that sees it is connected for who sends something that is now or never.
        number = mailroom.openStream(agent, after: cursor) { signal in
            eventLoop.execute { this.value.receive(signal) }
        }
        // The connection ends with the stream, so that nobody keeps it for another request.
        let headers: HTTPHeaders = [
            "content-type": "text/event-stream", "cache-control": "no-store", "connection": "close",
        ]
        write(.head(HTTPResponseHead(version: .http1_1, status: .ok, headers: headers)))
        // Something must follow the head at once, so that a client sees that it is connected.
        write(EventFrame.heartbeat)
        channel.flush()
        heartbeat = eventLoop.scheduleRepeatedTask(initialDelay: heartbeatInterval, delay: heartbeatInterval) { _ in
            this.value.beat()
        }
        pump()
    }

    /// Sends a page of the inbox, and then the next while the reader keeps up; it is called again once a reader that did
    /// not has caught up.
    ///
    /// Pages are read elsewhere, so that the event loop turns to its other connections meanwhile.
    func pump() {
        guard let number, channel.isWritable else { return }
        guard !isReading else {
            isReadWanted = true
            return
        }
        (isReading, isReadWanted) = (true, false)
        let (mailroom, agent) = (mailroom, agent)
        let page = channel.eventLoop.makeFutureWithTask {
            try await mailroom.nextPage(agent, stream: number, limit: Self.pageSize)
        }
        let this = NIOLoopBound(self, eventLoop: channel.eventLoop)
        page.whenComplete { this.value.receive($0) }
    }

    private func receive(_ page: Result<Mailroom.Page, any Error>) {
        isReading = false
        guard number != nil else { return }
        // A reader that is told nothing would wait for ever; one whose stream ends comes back.
        guard let page = try? page.get() else { return end() }
        if !page.notifications.isEmpty {
            var buffer = ByteBuffer()
            for notification in page.notifications { EventFrame.append(notification, to: &buffer) }
            write(.body(.byteBuffer(buffer)))
            channel.flush()
        }
        if page.isMoreLikely || isReadWanted { pump() }
    }

    /// Ends the answer and closes the connection; a reader that does not read is not waited for long.
    func end() {
        guard number != nil else { return }
        close()
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

    private func receive(_ signal: DeviceSessions.Signal) {
        switch signal {
        case .somethingNew: pump()
        case .ended: end()
        }
    }

    private func beat() {
        // A reader that does not keep up hears enough.
        guard number != nil, channel.isWritable else { return }
        write(EventFrame.heartbeat)
        channel.flush()
    }

    private func write(_ text: String) {
        write(.body(.byteBuffer(ByteBuffer(string: text))))
    }

    private func write(_ part: HTTPServerResponsePart) {
        channel.write(part, promise: nil)
    }
}

extension Channel {
    /// Closes the connection after a while, whatever its other end does or leaves undone.
    func closeAfterPatience() {
        let patience = TimeAmount.seconds(2)
        eventLoop.scheduleTask(in: patience) { self.close(promise: nil) }
    }
}
