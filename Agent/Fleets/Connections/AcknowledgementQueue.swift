internal import DequeModule
internal import Foundation
internal import JSONScanning
internal import LocalService
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import WaypostSchema

/// The acknowledgements of many agents, over few connections.
///
/// While the connections are busy, the acknowledgements of an agent become one request.
final class AcknowledgementQueue {
    /// The connections of an event loop.
    private static let maximumConnections = 16

    /// The wait before a connection that failed is opened again.
    private static let retryWait = TimeAmount.milliseconds(200)

    /// Called with the acknowledged notifications, their agent, and the number of those that left the inbox.
    var onAnswer: (_ arrivals: [FleetAgent.Arrival], _ agent: Int, _ removed: Int) -> Void = { _, _, _ in }

    private struct Waiting {
        var secret: AgentSecret
        var arrivals: [FleetAgent.Arrival]
    }

    private let loop: any EventLoop
    private let couriers: [ListenAddress]
    private var opened = 0
    private var waiting: [Int: Waiting] = [:]
    private var order: Deque<Int> = []
    private var idle: [AcknowledgementConnection] = []
    private var connections = 0
    private var isClosed = false

    init(on loop: any EventLoop, couriers: [ListenAddress]) {
        self.loop = loop
        self.couriers = couriers
    }

    /// Adds acknowledgements of an agent.
    func add(_ arrivals: [FleetAgent.Arrival], of agent: Int, with secret: AgentSecret) {
        if waiting[agent]?.arrivals.append(contentsOf: arrivals) == nil {
            waiting[agent] = Waiting(secret: secret, arrivals: arrivals)
            order.append(agent)
        }
        sendNext()
    }

    /// Closes all connections.
    func close() {
        isClosed = true
        waiting = [:]
        order = []
        for connection in idle { connection.close() }
        idle = []
        onAnswer = { _, _, _ in }
    }

    private func sendNext() {
        while !order.isEmpty, !isClosed {
            guard let connection = idle.popLast() else { return open() }
            guard let agent = order.popFirst(), let next = waiting.removeValue(forKey: agent) else { continue }
            connection.send(next.arrivals, of: agent, with: next.secret)
        }
    }

    private func open() {
        guard connections < min(Self.maximumConnections, order.count) else { return }
        connections += 1
        opened += 1
        let connection = AcknowledgementConnection(couriers[opened % couriers.count])
        connection.onReady = { [unowned connection] in
            guard !self.isClosed else { return connection.close() }
            self.idle.append(connection)
            self.sendNext()
        }
        connection.onAnswer = { self.onAnswer($0, $1, $2) }
        connection.onEnd = { [unowned connection] unanswered in
            self.connections -= 1
            self.idle.removeAll { $0 === connection }
            guard !self.isClosed else { return }
            self.loop.assumeIsolated().scheduleTask(in: Self.retryWait) {
                if let unanswered { self.add(unanswered.arrivals, of: unanswered.agent, with: unanswered.secret) }
                self.sendNext()
            }
        }
        connection.connect(on: loop)
    }
}

/// A connection that acknowledges, one request after another.
private final class AcknowledgementConnection: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias Request = (arrivals: [FleetAgent.Arrival], agent: Int, secret: AgentSecret)

    var onReady: () -> Void = {}
    var onAnswer: (_ arrivals: [FleetAgent.Arrival], _ agent: Int, _ removed: Int) -> Void = { _, _, _ in }
    var onEnd: (_ unanswered: Request?) -> Void = { _ in }

    private let courier: ListenAddress
    private var channel: (any Channel)?
    private var request: Request?
    private var status = HTTPResponseStatus.ok
    private var answer = ByteBuffer()

    init(_ courier: ListenAddress) {
        self.courier = courier
    }

    func connect(on loop: any EventLoop) {
        let handler = NIOLoopBound(self, eventLoop: loop)
        let connection = ClientBootstrap(group: loop)
            .connectTimeout(.seconds(10))
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHTTPClientHandlers()
                    try channel.pipeline.syncOperations.addHandler(handler.value)
                }
            }
            .connect(host: courier.host, port: courier.port)
        connection.assumeIsolated().whenComplete { result in
            switch result {
            case .success(let channel):
                self.channel = channel
                self.onReady()
            case .failure: self.end()
            }
        }
    }

    func send(_ arrivals: [FleetAgent.Arrival], of agent: Int, with secret: AgentSecret) {
        request = (arrivals, agent, secret)
        guard let channel else { return end() }
        let sequences = arrivals.map { "\($0.sequence)" }.joined(separator: ",")
        let body = channel.allocator.buffer(string: "{\"sequences\":[\(sequences)]}")
        var head = courier.head(.POST, "/v1/acks", secret: secret)
        head.headers.add(name: "content-length", value: "\(body.readableBytes)")
        channel.write(HTTPClientRequestPart.head(head), promise: nil)
        channel.write(HTTPClientRequestPart.body(.byteBuffer(body)), promise: nil)
        channel.writeAndFlush(HTTPClientRequestPart.end(nil), promise: nil)
    }

    func close() {
        request = nil
        channel?.close(promise: nil)
        end()
    }

    private func end() {
        let (onEnd, request) = (onEnd, request)
        (onReady, onAnswer, self.onEnd) = ({}, { _, _, _ in }, { _ in })
        self.request = nil
        onEnd(request)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            status = head.status
            answer.clear()
        case .body(var bytes): answer.writeBuffer(&bytes)
        case .end: finish(context)
        }
    }

    private func finish(_ context: ChannelHandlerContext) {
        // Anything else is tried again on a new connection, except that a credential that is not known stays so.
        guard status == .ok || status == .unauthorized else { return context.close(promise: nil) }
        guard let request else { return }
        self.request = nil
        let receipt = try? DocumentDecoder.decode(AcknowledgementReceipt.self, fromWaypost: answer.readableBytesView)
        if status == .ok { onAnswer(request.arrivals, request.agent, receipt?.acknowledged ?? 0) }
        onReady()
    }

    func channelInactive(context: ChannelHandlerContext) {
        channel = nil
        end()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }
}
