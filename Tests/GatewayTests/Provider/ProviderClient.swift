import GatewayTestSupport
import NIOCore
import NIOHPACK
import NIOHTTP2
import NIOPosix
import NIOSSL
import Testing
import WaypostSchema

/// An APNs client on another HTTP/2 engine, which exposes the frames that it receives.
struct ProviderClient: ~Copyable {
    private let channel: any Channel
    private var frames: AsyncStream<HTTP2Frame>.Iterator
    private var lastStream = -1
    private var pingCount: UInt64 = 0

    /// The received frames that belong to no stream.
    private(set) var connectionFrames: [HTTP2Frame.FramePayload] = []

    /// The received frames that no caller has waited for yet, by stream.
    private var streamFrames: [HTTP2StreamID: [HTTP2Frame.FramePayload]] = [:]

    /// Connects, using TLS if a trusted certificate is given.
    ///
    /// `identity` is a file that contains the client's own certificate and key.
    init(
        _ gateway: RunningGateway,
        trusting certificate: String? = nil,
        showing identity: String? = nil,
        naming protocols: [String] = ["h2"]
    ) async throws {
        let (frames, frame) = AsyncStream.makeStream(of: HTTP2Frame.self)
        let tls = try certificate.map { path in
            var configuration = TLSConfiguration.makeClientConfiguration()
            configuration.trustRoots = .file(path)
            configuration.applicationProtocols = protocols
            if let identity {
                configuration.certificateChain = try NIOSSLCertificate.fromPEMFile(identity).map { .certificate($0) }
                configuration.privateKey = .privateKey(try NIOSSLPrivateKey(file: identity, format: .pem))
            }
            return try NIOSSLContext(configuration: configuration)
        }
        channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    if let tls { try pipeline.addHandler(NIOSSLClientHandler(context: tls, serverHostname: nil)) }
                    try pipeline.addHandler(NIOHTTP2Handler(mode: .client, initialSettings: []))
                    try pipeline.addHandler(FrameCollector(frame))
                }
            }
            .connect(host: "127.0.0.1", port: Int(try tls == nil ? gateway.providerPort : gateway.securePort)).get()
        self.frames = frames.makeAsyncIterator()
    }

    /// Closes the connection.
    consuming func close() async throws {
        try await channel.close()
    }

    /// Sends the headers of a request whose body follows later, and returns its stream.
    mutating func begin(_ headers: HPACKHeaders) async throws -> HTTP2StreamID {
        lastStream += 2
        let stream = HTTP2StreamID(lastStream)
        let head = HTTP2Frame.FramePayload.headers(.init(headers: headers, endStream: false))
        try await channel.writeAndFlush(HTTP2Frame(streamID: stream, payload: head))
        return stream
    }

    /// Sends the body of a request that `begin(_:)` started.
    func finish(_ stream: HTTP2StreamID, body: [UInt8]) async throws {
        let data = HTTP2Frame.FramePayload.data(.init(data: .byteBuffer(.init(bytes: body)), endStream: true))
        try await channel.writeAndFlush(HTTP2Frame(streamID: stream, payload: data))
    }

    /// Sends requests without a body together and in order, and returns their streams.
    mutating func send(together requests: [HPACKHeaders]) -> [HTTP2StreamID] {
        let frames = requests.map { headers in
            lastStream += 2
            return HTTP2Frame(
                streamID: HTTP2StreamID(lastStream),
                payload: .headers(.init(headers: headers, endStream: true))
            )
        }
        // On the event loop, nothing can flush between the writes, such as the answer to the gateway's settings.
        channel.eventLoop.execute { [channel] in
            for frame in frames { channel.write(frame, promise: nil) }
            channel.flush()
        }
        return frames.map(\.streamID)
    }

    /// Sends a request and returns its stream.
    mutating func send(_ headers: HPACKHeaders, body: [UInt8]?) async throws -> HTTP2StreamID {
        lastStream += 2
        let stream = HTTP2StreamID(lastStream)
        let head = HTTP2Frame.FramePayload.headers(.init(headers: headers, endStream: body == nil))
        try await channel.writeAndFlush(HTTP2Frame(streamID: stream, payload: head))
        if let body {
            let data = HTTP2Frame.FramePayload.data(.init(data: .byteBuffer(.init(bytes: body)), endStream: true))
            // The gateway may answer before the whole body has arrived, and then not accept the rest.
            try? await channel.writeAndFlush(HTTP2Frame(streamID: stream, payload: data))
        }
        return stream
    }

    /// Returns the frames of a stream up to its end.
    mutating func answer(on stream: HTTP2StreamID) async throws -> [HTTP2Frame.FramePayload] {
        while streamFrames[stream]?.last?.endsStream != true, let frame = await frames.next(isolation: #isolation) {
            if frame.streamID == .rootStream {
                connectionFrames.append(frame.payload)
            } else {
                streamFrames[frame.streamID, default: []].append(frame.payload)
            }
        }
        return streamFrames.removeValue(forKey: stream) ?? []
    }

    /// Waits for a matching frame that belongs to no stream.
    mutating func connectionFrame(
        where matches: (HTTP2Frame.FramePayload) -> Bool
    ) async -> HTTP2Frame.FramePayload? {
        if let frame = connectionFrames.first(where: matches) { return frame }
        while let frame = await frames.next(isolation: #isolation) {
            guard frame.streamID == .rootStream else {
                streamFrames[frame.streamID, default: []].append(frame.payload)
                continue
            }
            connectionFrames.append(frame.payload)
            if matches(frame.payload) { return frame.payload }
        }
        return nil
    }

    /// Sends a PING frame, and waits for its answer, before which the gateway has read everything that was sent before.
    mutating func ping() async throws {
        pingCount += 1
        let data = HTTP2PingData(withInteger: pingCount)
        try await channel.writeAndFlush(HTTP2Frame(streamID: .rootStream, payload: .ping(data, ack: false)))
        _ = await connectionFrame { frame in
            guard case .ping(let answer, ack: let isAnswer) = frame else { return false }
            return isAnswer && answer == data
        }
    }

    /// Waits for the end of the connection, and returns the received frames that belong to no stream.
    mutating func end() async -> [HTTP2Frame.FramePayload] {
        _ = await connectionFrame { _ in false }
        return connectionFrames
    }

    /// Sends a request and returns the answer.
    mutating func exchange(_ headers: HPACKHeaders, body: [UInt8]?) async throws -> ProviderExchange {
        let stream = try await send(headers, body: body)
        return try ProviderExchange(try await answer(on: stream))
    }
}

extension HTTP2Frame.FramePayload {
    /// Whether the frame is the last of its stream.
    var endsStream: Bool {
        switch self {
        case .headers(let headers): headers.endStream
        case .data(let data): data.endStream
        case .rstStream: true
        default: false
        }
    }
}

extension [HTTP2Frame.FramePayload] {
    /// The last stream and the text of each GOAWAY frame.
    var goAways: [(last: HTTP2StreamID, body: String)] {
        compactMap { frame in
            guard case .goAway(let last, _, let data) = frame else { return nil }
            return (last, data.map { String(buffer: $0) } ?? "")
        }
    }
}

/// An answer of the provider listener.
struct ProviderExchange {
    var status: Int
    var fields: [String: String]
    var body: String

    /// The kinds of its frames: `headers`, `headers+end`, `data+end` and so on.
    var frames: [String] = []
}

extension ProviderExchange {
    /// Creates an answer from its frames.
    init(_ frames: [HTTP2Frame.FramePayload]) throws {
        self.init(status: 0, fields: [:], body: "")
        for frame in frames {
            let end = frame.endsStream ? "+end" : ""
            switch frame {
            case .headers(let headers):
                status = headers.headers.first(name: ":status").flatMap { Int($0) } ?? 0
                for (name, value, _) in headers.headers { fields[name] = value }
                self.frames.append("headers\(end)")
            case .data(let data):
                guard case .byteBuffer(let bytes) = data.data else { continue }
                body += String(buffer: bytes)
                self.frames.append("data\(end)")
            case .rstStream(let code): self.frames.append("reset \(code.networkCode)")
            default: break
            }
        }
    }
}

/// Forwards the received frames.
private final class FrameCollector: ChannelInboundHandler {
    typealias InboundIn = HTTP2Frame

    private let frames: AsyncStream<HTTP2Frame>.Continuation

    init(_ frames: AsyncStream<HTTP2Frame>.Continuation) {
        self.frames = frames
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        frames.yield(unwrapInboundIn(data))
    }

    func channelInactive(context: ChannelHandlerContext) {
        frames.finish()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }
}

extension RunningGateway {
    /// The port of the provider listener with TLS.
    var securePort: UInt16 {
        get throws {
            try #require(ready.provider?.split(separator: ":").last.flatMap { UInt16($0) })
        }
    }

    /// The port of the provider listener without TLS.
    var providerPort: UInt16 {
        get throws {
            try #require(ready.providerPlaintext?.split(separator: ":").last.flatMap { UInt16($0) })
        }
    }
}
