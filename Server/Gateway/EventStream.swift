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

    private let agent: AgentSecret
    private let mailroom: Mailroom
    private let channel: any Channel
    private var cursor: Int
    private var number: Int?
    private var heartbeat: RepeatedTask?
    private var isPumpScheduled = false

    init(_ agent: AgentSecret, after cursor: Int, _ mailroom: Mailroom, _ channel: any Channel) {
        self.agent = agent
        self.cursor = cursor
        self.mailroom = mailroom
        self.channel = channel
    }

    /// Starts the answer and sends what is in the inbox.
    func open(heartbeatInterval: TimeAmount) {
        let headers: HTTPHeaders = ["content-type": "text/event-stream", "cache-control": "no-store"]
        write(.head(HTTPResponseHead(version: .http1_1, status: .ok, headers: headers)))
        // Something must follow the head at once, so that a client sees that it is connected.
        write(EventFrame.heartbeat)
        channel.flush()

        let this = NIOLoopBound(self, eventLoop: channel.eventLoop)
        let eventLoop = channel.eventLoop
        number = mailroom.openStream(agent, after: cursor) { signal in
            eventLoop.execute { this.value.receive(signal) }
        }
        heartbeat = eventLoop.scheduleRepeatedTask(initialDelay: heartbeatInterval, delay: heartbeatInterval) { _ in
            this.value.beat()
        }
        pump()
    }

    /// Sends a page of the inbox soon, and then the next while the reader keeps up; it is called again once a reader that
    /// did not has caught up.
    ///
    /// Between two pages the event loop turns to its other connections.
    func pump() {
        guard !isPumpScheduled else { return }
        isPumpScheduled = true
        let this = NIOLoopBound(self, eventLoop: channel.eventLoop)
        channel.eventLoop.execute {
            this.value.isPumpScheduled = false
            this.value.sendPage()
        }
    }

    private func sendPage() {
        guard let number, channel.isWritable else { return }
        let page = mailroom.nextPage(agent, stream: number, after: cursor, limit: Self.pageSize)
        guard let last = page.last else { return }
        cursor = last.sequence
        var buffer = ByteBuffer()
        for notification in page { EventFrame.append(notification, to: &buffer) }
        write(.body(.byteBuffer(buffer)))
        channel.flush()
        if page.count == Self.pageSize { pump() }
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
        case .takenOver: end()
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
