import Foundation
import GatewayClient
import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization
import WaypostSchema

/// Many devices, each with a stream on its own connection.
final class DeviceStreams: Sendable {
    /// The notifications that arrived on a stream together.
    struct Arrival: Sendable {
        var secret: BearerSecret
        var sequences: [Int]
    }

    private let credentials: [DeviceCredential]
    private let host: String
    private let port: Int
    private let isCompressed: Bool
    private let arrivals: AsyncStream<Arrival>
    private let arrival: AsyncStream<Arrival>.Continuation
    private let channels = Mutex<[any Channel]>([])
    private let seen = Mutex<(sequences: Set<Int>, repetitions: Int)>(([], 0))

    init(_ credentials: [DeviceCredential], courier: String, isCompressed: Bool) throws {
        guard let url = URL(string: courier), let host = url.host(), let port = url.port else {
            throw Failure(description: "\(courier) is not a URL")
        }
        (self.credentials, self.host, self.port, self.isCompressed) = (credentials, host, port, isCompressed)
        (arrivals, arrival) = AsyncStream.makeStream()
    }

    /// The number of different notifications received.
    var received: Int {
        seen.withLock { $0.sequences.count }
    }

    /// The number of repeated notifications.
    var repetitions: Int {
        seen.withLock { $0.repetitions }
    }

    /// Opens every stream, and returns when each has received its first bytes.
    func connect() async throws {
        let opened = try await concurrently(credentials, width: 256) { credential in
            let isOpen = MultiThreadedEventLoopGroup.singleton.any().makePromise(of: Void.self)
            let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHTTPClientHandlers()
                        let reader = StreamReader(isOpen: isOpen) { sequences in
                            self.arrival.yield(Arrival(secret: credential.secret, sequences: sequences))
                        }
                        try channel.pipeline.syncOperations.addHandler(reader)
                    }
                }
                .connect(host: self.host, port: self.port).get()
            try await channel.writeAndFlush(HTTPClientRequestPart.head(self.request(credential.secret)))
            try await channel.writeAndFlush(HTTPClientRequestPart.end(nil))
            try await isOpen.futureResult.get()
            return channel
        }
        channels.withLock { $0 = opened }
    }

    private func request(_ secret: BearerSecret) -> HTTPRequestHead {
        var headers: HTTPHeaders = ["host": host, "authorization": "Bearer \(secret.rawValue)"]
        if isCompressed { headers.add(name: "accept-encoding", value: "gzip") }
        return HTTPRequestHead(version: .http1_1, method: .GET, uri: "/v1/events", headers: headers)
    }

    /// Passes arrivals to `acknowledge`, and returns when `count` different notifications are acknowledged.
    func receive(
        _ count: Int,
        acknowledge: @escaping @Sendable (BearerSecret, [Int]) async throws -> AcknowledgementReceipt
    ) async throws {
        var acknowledged = 0
        try await withThrowingTaskGroup(of: Int.self) { group in
            var running = 0
            for await arrival in arrivals {
                note(arrival.sequences)
                if running >= 64, let done = try await group.next() {
                    acknowledged += done
                    running -= 1
                }
                running += 1
                group.addTask { try await acknowledge(arrival.secret, arrival.sequences).acknowledged }
                if received >= count { break }
            }
            for try await done in group { acknowledged += done }
        }
        guard acknowledged == count else { throw Failure(description: "\(acknowledged) of \(count) acknowledged") }
    }

    private func note(_ sequences: [Int]) {
        seen.withLock { seen in
            for sequence in sequences where !seen.sequences.insert(sequence).inserted { seen.repetitions += 1 }
        }
    }

    func disconnect() async {
        for channel in channels.withLock({ $0 }) { try? await channel.close() }
    }
}

/// The device's side of a stream.
private final class StreamReader: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart

    private let isOpen: EventLoopPromise<Void>
    private let onEvents: @Sendable ([Int]) -> Void
    private var parser = ServerSentEventParser()
    private var isCompressed = false

    init(isOpen: EventLoopPromise<Void>, onEvents: @escaping @Sendable ([Int]) -> Void) {
        self.isOpen = isOpen
        self.onEvents = onEvents
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head) where head.status == .ok:
            isCompressed = head.headers.contains(name: "content-encoding")
        case .head(let head): isOpen.fail(Failure(description: "a stream was refused: \(head.status)"))
        case .body(let piece):
            isOpen.succeed()
            // Compressed notifications are not counted: a run with compression measures only memory.
            guard !isCompressed, let events = try? parser.parse(piece.readableBytesView) else { return }
            let sequences = events.filter { $0.type == "notification" }.compactMap { Int($0.id) }
            if !sequences.isEmpty { onEvents(sequences) }
        case .end: break
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        isOpen.fail(Failure(description: "a stream ended"))
    }
}
