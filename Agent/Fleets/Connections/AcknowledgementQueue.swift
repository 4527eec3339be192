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
    /// The maximum number of connections of an event loop.
    private static let maximumConnections = 16

    /// The delay before a connection that failed is opened again.
    private static let retryDelay = TimeAmount.milliseconds(200)

    /// The gateway's response to acknowledgements of an agent.
    struct Response {
        /// The acknowledged notifications.
        var arrivals: [FleetAgentStateMachine.Arrival]

        /// The number of the agent.
        var agent: Int

        /// The number of notifications that left the inbox.
        var removedCount: Int
    }

    /// Called with each response.
    var onResponse: (Response) -> Void = { _ in }

    private struct PendingAcknowledgements {
        var secret: BearerSecret
        var arrivals: [FleetAgentStateMachine.Arrival]
    }

    private let loop: any EventLoop
    private let couriers: [ListenAddress]
    private var openedConnectionCount = 0
    private var pendingAcknowledgements: [Int: PendingAcknowledgements] = [:]

    /// The agents with pending acknowledgements, in their order.
    private var waitingAgents: Deque<Int> = []
    private var idleConnections: [AcknowledgementConnection] = []
    private var connectionCount = 0
    private var isClosed = false

    init(on loop: any EventLoop, couriers: [ListenAddress]) {
        self.loop = loop
        self.couriers = couriers
    }

    /// Adds acknowledgements of an agent.
    func add(_ arrivals: [FleetAgentStateMachine.Arrival], of agent: Int, with secret: BearerSecret) {
        if pendingAcknowledgements[agent]?.arrivals.append(contentsOf: arrivals) == nil {
            pendingAcknowledgements[agent] = PendingAcknowledgements(secret: secret, arrivals: arrivals)
            waitingAgents.append(agent)
        }
        sendNext()
    }

    /// Closes all connections.
    func close() {
        isClosed = true
        pendingAcknowledgements = [:]
        waitingAgents = []
        for connection in idleConnections { connection.close() }
        idleConnections = []
        onResponse = { _ in }
    }

    private func sendNext() {
        while !waitingAgents.isEmpty, !isClosed {
            guard let connection = idleConnections.popLast() else { return open() }
            guard let agent = waitingAgents.popFirst(),
                let next = pendingAcknowledgements.removeValue(forKey: agent)
            else { continue }
            connection.send(next.arrivals, of: agent, with: next.secret)
        }
    }

    private func open() {
        guard connectionCount < min(Self.maximumConnections, waitingAgents.count) else { return }
        connectionCount += 1
        openedConnectionCount += 1
        let connection = AcknowledgementConnection(couriers[openedConnectionCount % couriers.count])
        connection.onReady = { [unowned connection] in
            guard !self.isClosed else { return connection.close() }
            self.idleConnections.append(connection)
            self.sendNext()
        }
        connection.onResponse = { self.onResponse($0) }
        connection.onEnd = { [unowned connection] unansweredRequest in
            self.connectionCount -= 1
            self.idleConnections.removeAll { $0 === connection }
            guard !self.isClosed else { return }
            self.loop.assumeIsolated().scheduleTask(in: Self.retryDelay) {
                if let request = unansweredRequest {
                    self.add(request.arrivals, of: request.agent, with: request.secret)
                }
                self.sendNext()
            }
        }
        connection.connect(on: loop)
    }
}

/// A connection that acknowledges, one request after another.
private final class AcknowledgementConnection: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias Request = (arrivals: [FleetAgentStateMachine.Arrival], agent: Int, secret: BearerSecret)

    var onReady: () -> Void = {}
    var onResponse: (AcknowledgementQueue.Response) -> Void = { _ in }
    var onEnd: (_ unansweredRequest: Request?) -> Void = { _ in }

    private let courier: ListenAddress
    private var channel: (any Channel)?
    private var request: Request?
    private var status = HTTPResponseStatus.ok
    private var responseBody = ByteBuffer()

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

    func send(_ arrivals: [FleetAgentStateMachine.Arrival], of agent: Int, with secret: BearerSecret) {
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
        (onReady, onResponse, self.onEnd) = ({}, { _ in }, { _ in })
        self.request = nil
        onEnd(request)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            status = head.status
            responseBody.clear()
        case .body(var bytes): responseBody.writeBuffer(&bytes)
        case .end: finish(context)
        }
    }

    private func finish(_ context: ChannelHandlerContext) {
        // A request with any other status is sent again on a new connection. An unknown credential remains unknown.
        guard status == .ok || status == .unauthorized else { return context.close(promise: nil) }
        guard let request else { return }
        self.request = nil
        let bytes = responseBody.readableBytesView
        let receipt = try? DocumentDecoder.decode(AcknowledgementReceipt.self, fromDeepJSON: bytes)
        if status == .ok {
            let count = receipt?.acknowledged ?? 0
            onResponse(.init(arrivals: request.arrivals, agent: request.agent, removedCount: count))
        }
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
