import Deflate
import Foundation
import JSONScanning
import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization
import WaypostSchema

/// A server with the parts of a gateway that a load test calls: it inflates batches, counts their items, and keeps
/// nothing.
final class NullGateway: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let stalls: StallSchedule
    private let devices: SharedCount
    private var head: HTTPRequestHead?
    private var body = ByteBuffer()

    private init(_ stalls: StallSchedule, _ devices: SharedCount) {
        (self.stalls, self.devices) = (stalls, devices)
    }

    /// Returns the token of a device, from 0.
    static func token(_ number: Int) -> String {
        String(format: "%064x", number)
    }

    /// Starts a server on a free port of this machine.
    ///
    /// - Parameters:
    ///   - stalls: when it responds to batches.
    ///   - group: the event loops of its connections.
    /// - Returns: its URL.
    /// - Throws: an error if it cannot listen.
    static func start(_ stalls: StallSchedule, on group: any EventLoopGroup) async throws -> String {
        let devices = SharedCount()
        let channel = try await ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: 4_096)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.configureHTTPServerPipeline()
                    try channel.pipeline.syncOperations.addHandler(NullGateway(stalls, devices))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        return "http://127.0.0.1:\(channel.localAddress?.port ?? 0)"
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            self.head = head
            body.clear()
        case .body(var chunk): body.writeBuffer(&chunk)
        case .end: respond(in: context)
        }
    }

    private func respond(in context: ChannelHandlerContext) {
        guard let head else { return }
        switch head.uri.prefix(while: { $0 != "?" }) {
        case "/v1/batches": respondToBatch(head, in: context)
        case "/v1/events": openStream(context)
        case "/health":
            let courier = head.headers.first(name: "host").map { "http://\($0)" }
            send(Health(schema: 1, store: "none", build: "release", courier: courier), context)
        case "/v1/clock":
            let now = Timestamp(milliseconds: Int(Date().timeIntervalSince1970 * 1_000))
            send(ClockReading(now: now, clock: .system), context)
        case "/v1/devices":
            send(DeviceCredential(token: DeviceToken(rawValue: Self.token(devices.next())), secret: "secret"), context)
        default: send([String: String](), context)
        }
    }

    private func respondToBatch(_ head: HTTPRequestHead, in context: ChannelHandlerContext) {
        let arrivalTime = NIODeadline.now()
        let isCompressed = head.headers.first(name: "content-encoding") == "gzip"
        let bytes = Array(body.readableBytesView)
        let items = isCompressed ? (try? Inflater.inflate(bytes, as: .gzip)) ?? [] : bytes
        let count = items.count { $0 == UInt8(ascii: "\n") }
        let receipt = BatchReceipt(
            id: BatchID(rawValue: "b"),
            accepted: count,
            rejected: 0,
            durability: Durability(rawValue: "none"),
            results: []
        )
        let time = stalls.responseTime(forArrivalAt: arrivalTime)
        guard time > .now() else { return send(receipt, context) }
        context.eventLoop.assumeIsolated().scheduleTask(deadline: time) { self.send(receipt, context) }
    }

    private func openStream(_ context: ChannelHandlerContext) {
        let head = HTTPResponseHead(version: .http1_1, status: .ok, headers: ["transfer-encoding": "chunked"])
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: ": heartbeat\n\n")))), promise: nil)
    }

    private func send(_ value: some Encodable, _ context: ChannelHandlerContext) {
        let text = (try? JSONEncoder().encode(value)) ?? Data()
        let headers: HTTPHeaders = ["content-type": "application/json", "content-length": "\(text.count)"]
        context.write(
            wrapOutboundOut(.head(HTTPResponseHead(version: .http1_1, status: .ok, headers: headers))),
            promise: nil
        )
        context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: text)))), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }
}

/// A count that the connections of a server share.
private final class SharedCount: Sendable {
    private let count = Atomic(0)

    func next() -> Int {
        count.wrappingAdd(1, ordering: .relaxed).oldValue
    }
}

/// The times at which a server responds: after a delay, and not while it stalls.
struct StallSchedule: Sendable {
    /// The delay of every response.
    var delay: TimeAmount = .zero

    /// The length of a stall; the requests that arrive in it are handled at its end.
    var stall: TimeAmount = .zero

    /// The time from one stall to the next.
    var interval: TimeAmount = .hours(1)

    /// The start of the first interval.
    let start = NIODeadline.now()

    /// Returns the time of the response to a request.
    func responseTime(forArrivalAt arrivalTime: NIODeadline) -> NIODeadline {
        let offset = (arrivalTime - start).nanoseconds % interval.nanoseconds
        // Each interval ends with its stall.
        let stallStart = interval.nanoseconds - stall.nanoseconds
        let wait = offset >= stallStart ? interval.nanoseconds - offset : 0
        return arrivalTime + .nanoseconds(wait) + delay
    }
}
