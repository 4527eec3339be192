internal import Foundation
internal import JSONScanning
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
package import WaypostSchema

/// The address of a gateway's service listener, and what a request to it needs.
package struct BatchEndpoint: Sendable {
    let host: String
    let port: Int
    let headers: HTTPHeaders

    /// Creates the address from a URL such as `http://127.0.0.1:7330`, or returns `nil` if it is no such URL.
    ///
    /// - Parameters:
    ///   - url: the base URL of the listener.
    ///   - adminToken: the administrative token, if any.
    ///   - namespace: the namespace of the items, if not the standard one.
    package init?(_ url: String, adminToken: String?, namespace: Namespace?) {
        guard let components = URL(string: url), components.scheme == "http", let host = components.host(),
            let port = components.port
        else { return nil }
        self.host = host
        self.port = port
        var headers: HTTPHeaders = ["host": "\(host):\(port)", "content-type": "application/x-ndjson"]
        if let adminToken { headers.add(name: "authorization", value: "Bearer \(adminToken)") }
        if let namespace { headers.add(name: "x-waypost-namespace", value: namespace.rawValue) }
        self.headers = headers
    }

    /// Whether the address is one of this machine.
    package var isLoopback: Bool {
        host == "localhost" || host == "::1" || host == "[::1]" || host.hasPrefix("127.")
    }
}

/// A connection that sends batches, one after another.
final class BatchConnection: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart

    /// Called when an answer is there, and the next batch can be sent.
    var onReady: () -> Void = {}

    /// Called when the connection is lost, with the reason, and the request that got no answer.
    var onEnd: (_ reason: String, _ request: Int?) -> Void = { _, _ in }

    private struct Exchange {
        var request: Int
        var items: Int
        var onAnswer: (_ refused: [Int: String]) -> Void
    }

    private let endpoint: BatchEndpoint
    private let coding: BatchCoding
    private var channel: (any Channel)?
    private var exchange: Exchange?
    private var status = HTTPResponseStatus.ok
    private var answer = ByteBuffer()

    init(_ endpoint: BatchEndpoint, _ coding: BatchCoding) {
        (self.endpoint, self.coding) = (endpoint, coding)
    }

    /// Whether a batch waits for its answer.
    var isBusy: Bool {
        exchange != nil
    }

    func connect(on loop: any EventLoop) -> EventLoopFuture<Void> {
        let handler = NIOLoopBound(self, eventLoop: loop)
        return ClientBootstrap(group: loop)
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHTTPClientHandlers()
                    try channel.pipeline.syncOperations.addHandler(handler.value)
                }
            }
            .connect(host: endpoint.host, port: endpoint.port)
            .assumeIsolated()
            .map { self.channel = $0 }
            .nonisolated()
    }

    /// Sends a batch.
    ///
    /// - Parameters:
    ///   - body: the body, in the coding of the connection.
    ///   - request: the number of the request.
    ///   - items: the number of its items.
    ///   - onAnswer: called with the reasons of the refused items, by their places from 0.
    func send(
        _ body: ByteBuffer,
        _ request: Int,
        items: Int,
        onAnswer: @escaping (_ refused: [Int: String]) -> Void
    ) {
        exchange = Exchange(request: request, items: items, onAnswer: onAnswer)
        guard let channel else { return lose("no connection") }
        var headers = endpoint.headers
        if let name = coding.name { headers.add(name: "content-encoding", value: name) }
        headers.add(name: "content-length", value: "\(body.readableBytes)")
        let head = HTTPRequestHead(version: .http1_1, method: .POST, uri: "/v1/batches", headers: headers)
        channel.write(HTTPClientRequestPart.head(head), promise: nil)
        channel.write(HTTPClientRequestPart.body(.byteBuffer(body)), promise: nil)
        channel.writeAndFlush(HTTPClientRequestPart.end(nil), promise: nil)
    }

    /// Closes the connection for good; a request without an answer fails for a reason.
    func close(reason: String) {
        if isBusy { lose(reason) }
        (onReady, onEnd) = ({}, { _, _ in })
        channel?.close(promise: nil)
    }

    private func lose(_ reason: String) {
        let request = exchange?.request
        exchange = nil
        onEnd(reason, request)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            status = head.status
            answer.clear()
        case .body(var bytes): answer.writeBuffer(&bytes)
        case .end: finish()
        }
    }

    private func finish() {
        guard let exchange else { return }
        self.exchange = nil
        exchange.onAnswer(refused(exchange.items))
        onReady()
    }

    /// The reasons of the refused items.
    private func refused(_ items: Int) -> [Int: String] {
        guard status == .ok else {
            return Dictionary(uniqueKeysWithValues: (0..<items).map { ($0, "status \(status.code)") })
        }
        guard let receipt = try? DocumentDecoder.decode(BatchReceipt.self, fromWaypost: answer.readableBytesView) else {
            return Dictionary(uniqueKeysWithValues: (0..<items).map { ($0, "unreadable answer") })
        }
        let pairs = receipt.results.map { ($0.index, $0.reason?.rawValue ?? "status \($0.status)") }
        return Dictionary(pairs) { first, _ in first }
    }

    func channelInactive(context: ChannelHandlerContext) {
        channel = nil
        lose("the connection was closed")
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }
}
