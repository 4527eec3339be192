import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import WaypostTestSupport

/// A web server in the test's process that gives every request the same answer.
struct AssociationServer: Sendable {
    /// A step of an answer.
    ///
    /// An answer without an end stays open.
    enum Step: Sendable {
        /// The status and the headers.
        case head(Int, [(String, String)])

        /// Bytes of the body.
        case bytes([UInt8])

        /// The end of the answer.
        case end

        /// The end of the connection, after the previous steps.
        case close
    }

    /// The behavior of the server on a connection.
    enum Behavior: Sendable {
        /// It answers requests with these steps.
        case answers([Step])

        /// It sends this text for any input.
        case says(String)
    }

    /// The port on which it listens.
    let port: Int

    /// The connections that it accepted, in the order in which they arrive.
    let connections: AsyncStream<Void>

    /// The heads of the requests, in the order in which they arrive.
    let requests: AsyncStream<HTTPRequestHead>

    /// The ends of connections, in the order in which they happen.
    let closings: AsyncStream<Void>

    /// The base URL, without TLS.
    var base: String { "http://127.0.0.1:\(port)" }

    /// The base URL, with TLS.
    var secureBase: String { "https://127.0.0.1:\(port)" }

    /// Runs `body` while a server runs on a free port of 127.0.0.1, and stops the server when `body` returns.
    @discardableResult
    static func run<Value>(
        _ behavior: Behavior,
        _ certificate: TestCertificate? = nil,
        _ body: (AssociationServer) async throws -> Value
    ) async throws -> Value {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let outcome: Result<Value, any Error>
        do {
            outcome = .success(try await body(try await start(behavior, certificate, group)))
        } catch {
            outcome = .failure(error)
        }
        try await group.shutdownGracefully()
        return try outcome.get()
    }

    private static func start(
        _ behavior: Behavior,
        _ certificate: TestCertificate?,
        _ group: MultiThreadedEventLoopGroup
    ) async throws -> AssociationServer {
        let (connections, connection) = AsyncStream.makeStream(of: Void.self)
        let (requests, request) = AsyncStream.makeStream(of: HTTPRequestHead.self)
        let (closings, closing) = AsyncStream.makeStream(of: Void.self)
        let security = try certificate.map { try NIOSSLContext(configuration: try $0.serverConfiguration) }
        let channel = try await ServerBootstrap(group: group)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    connection.yield()
                    channel.closeFuture.whenComplete { _ in closing.yield() }
                    let pipeline = channel.pipeline.syncOperations
                    if let security { try pipeline.addHandler(NIOSSLServerHandler(context: security)) }
                    switch behavior {
                    case .answers(let steps):
                        try pipeline.configureHTTPServerPipeline(withErrorHandling: false)
                        try pipeline.addHandler(AnsweringHandler(steps: steps, request: request))
                    case .says(let text):
                        try pipeline.addHandler(MonotoneHandler(text: text))
                    }
                }
            }
            .bind(host: "127.0.0.1", port: 0)
            .get()
        return AssociationServer(
            port: channel.localAddress?.port ?? 0,
            connections: connections,
            requests: requests,
            closings: closings
        )
    }
}

private final class AnsweringHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let steps: [AssociationServer.Step]
    private let request: AsyncStream<HTTPRequestHead>.Continuation

    init(steps: [AssociationServer.Step], request: AsyncStream<HTTPRequestHead>.Continuation) {
        self.steps = steps
        self.request = request
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head): request.yield(head)
        case .body: break
        case .end: for step in steps { take(step, context) }
        }
    }

    private func take(_ step: AssociationServer.Step, _ context: ChannelHandlerContext) {
        switch step {
        case .head(let status, let headers):
            let head = HTTPResponseHead(
                version: .http1_1,
                status: HTTPResponseStatus(statusCode: status),
                headers: HTTPHeaders(headers)
            )
            context.writeAndFlush(wrapOutboundOut(.head(head)), promise: nil)
        case .bytes(let bytes):
            context.writeAndFlush(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: bytes)))), promise: nil)
        case .end:
            context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        case .close:
            context.close(promise: nil)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // Many tests make the client close the connection.
        context.close(promise: nil)
    }
}

private final class MonotoneHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let text: String

    init(text: String) {
        self.text = text
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: text)), promise: nil)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }
}
