internal import GatewayClient
internal import JSONScanning
internal import LocalService
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import WaypostSchema

extension ListenAddress {
    /// Returns the head of a request to a courier listener at the address.
    func head(_ method: HTTPMethod, _ path: String, secret: BearerSecret) -> HTTPRequestHead {
        let headers: HTTPHeaders = ["host": description, "authorization": "Bearer \(secret.rawValue)"]
        return HTTPRequestHead(version: .http1_1, method: method, uri: path, headers: headers)
    }
}

/// An event stream on a connection of its own, behind a link that may be slow.
final class CourierStream: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart

    /// An event for a device.
    enum Event {
        case notification(DeliveredNotification)
        case unreadable
    }

    /// The bytes that may wait in the link before nothing more is read from the socket.
    private static let maximumQueuedBytes = 65_536

    var onOpen: () -> Void = {}
    var onEvents: ([Event]) -> Void = { _ in }
    var onEnd: (_ isReplaced: Bool) -> Void = { _ in }

    /// Whether the attempt to open the stream is not over.
    var isConnecting = true

    /// Whether the gateway has answered with a stream, which has not ended.
    private(set) var isOpen = false

    private let secret: BearerSecret
    private let link: FleetGroup.Link
    private let start: NIODeadline
    private var shaper: LinkShaper?
    private var queue: CircularBuffer<(time: Int, bytes: ByteBuffer)> = []
    private var queuedBytes = 0
    private var parser = ServerSentEventParser()
    private var channel: (any Channel)?
    private var isReplaced = false
    private var isClosed = false

    /// Whether everything that arrives is ignored.
    private var isAbandoned = false

    init(_ secret: BearerSecret, link: FleetGroup.Link, random: SeededRandom, start: NIODeadline) {
        self.secret = secret
        self.link = link
        self.start = start
        shaper = LinkShaper(link, random: random)
    }

    /// Connects, and requests the events.
    func connect(to courier: ListenAddress, on loop: any EventLoop) {
        let handler = NIOLoopBound(self, eventLoop: loop)
        var bootstrap = ClientBootstrap(group: loop)
            .connectTimeout(.seconds(10))
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHTTPClientHandlers()
                    try channel.pipeline.syncOperations.addHandler(handler.value)
                }
            }
        if link.bandwidth != nil {
            // Otherwise, the system would read megabytes for a device that reads slowly.
            bootstrap = bootstrap.channelOption(.socketOption(.so_rcvbuf), value: Self.maximumQueuedBytes)
        }
        bootstrap.connect(host: courier.host, port: courier.port).assumeIsolated().whenComplete { result in
            switch result {
            case .success(let channel): self.requestEvents(from: courier, on: channel)
            case .failure: self.end()
            }
        }
    }

    private func requestEvents(from courier: ListenAddress, on channel: any Channel) {
        guard !isClosed else { return channel.close(promise: nil) }
        self.channel = channel
        channel.write(HTTPClientRequestPart.head(courier.head(.GET, "/v1/events", secret: secret)), promise: nil)
        channel.writeAndFlush(HTTPClientRequestPart.end(nil), promise: nil)
    }

    /// Closes the connection.
    func close() {
        isClosed = true
        channel?.close(promise: nil)
        end()
    }

    /// Reads nothing more.
    func stopReading() {
        isAbandoned = true
        _ = channel?.setOption(.autoRead, value: false)
    }

    /// Leaves the connection open; the gateway ends it when the device opens a new one.
    ///
    /// A connection that is not open yet is closed: the gateway knows nothing of it.
    func abandon() {
        guard isOpen else { return close() }
        isAbandoned = true
        isOpen = false
        // The end of the connection is seen only by reading.
        _ = channel?.setOption(.autoRead, value: true)
    }

    private func end() {
        let onEnd = onEnd
        (onOpen, onEvents, self.onEnd) = ({}, { _ in }, { _ in })
        onEnd(isReplaced)
        isOpen = false
    }
}

extension CourierStream {
    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isAbandoned else { return }
        switch unwrapInboundIn(data) {
        case .head(let head) where head.status == .ok:
            isOpen = true
            onOpen()
        case .head, .end: context.close(promise: nil)
        case .body(let bytes): receive(bytes, in: context)
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        channel = nil
        end()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }

    private var now: Int {
        Int((NIODeadline.now() - start).nanoseconds / 1_000)
    }

    private func receive(_ bytes: ByteBuffer, in context: ChannelHandlerContext) {
        guard let time = shaper?.arrivalTime(ofBytes: bytes.readableBytes, at: now) else { return parse(bytes) }
        queue.append((time, bytes))
        queuedBytes += bytes.readableBytes
        if queue.count == 1 { scheduleDelivery(at: time, in: context) }
        if queuedBytes > Self.maximumQueuedBytes { _ = context.channel.setOption(.autoRead, value: false) }
    }

    /// Parses the bytes that the link has delivered at a time.
    private func scheduleDelivery(at time: Int, in context: ChannelHandlerContext) {
        context.eventLoop.assumeIsolated().scheduleTask(deadline: start + .microseconds(Int64(time))) {
            while let next = self.queue.first, next.time <= self.now {
                self.queue.removeFirst()
                self.queuedBytes -= next.bytes.readableBytes
                self.parse(next.bytes)
            }
            if self.queuedBytes < Self.maximumQueuedBytes / 2, !self.isAbandoned {
                _ = context.channel.setOption(.autoRead, value: true)
            }
            if let next = self.queue.first { self.scheduleDelivery(at: next.time, in: context) }
        }
    }

    private func parse(_ bytes: ByteBuffer) {
        guard !isAbandoned else { return }
        guard let events = try? parser.parse(bytes.readableBytesView) else { return close() }
        let deviceEvents = events.compactMap(deviceEvent)
        if !deviceEvents.isEmpty { onEvents(deviceEvents) }
    }

    private func deviceEvent(_ event: ServerSentEvent) -> Event? {
        switch event.type {
        case "notification":
            let notification = try? DocumentDecoder.decode(DeliveredNotification.self, fromDeepJSON: event.data.utf8)
            return notification.map(Event.notification) ?? .unreadable
        case "end":
            let end = try? DocumentDecoder.decode(StreamEnd.self, fromDeepJSON: event.data.utf8)
            isReplaced = end?.reason == .replaced
            return nil
        default: return nil
        }
    }
}
