internal import JSONScanning
internal import LocalService
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import WaypostSchema

/// A connection that sends batches, one after another.
final class BatchConnection: LoadConnection, ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart

    var onReady: () -> Void = {}
    var onAnswer: (_ request: Int, _ refused: [Int: String]) -> Void = { _, _ in }
    var onFailure: (_ request: Int, _ reason: String) -> Void = { _, _ in }
    var onEnd: () -> Void = {}

    private let endpoint: BatchEndpoint
    private let coding: BatchCoding
    private let items: Int
    private var channel: (any Channel)?
    private var request: Int?
    private var status = HTTPResponseStatus.ok
    private var answer = ByteBuffer()

    init(_ endpoint: BatchEndpoint, _ coding: BatchCoding, items: Int) {
        (self.endpoint, self.coding, self.items) = (endpoint, coding, items)
    }

    var canSend: Bool {
        channel != nil && request == nil
    }

    var pending: Int {
        request == nil ? 0 : 1
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
            .connect(host: endpoint.address.host, port: endpoint.address.port)
            .assumeIsolated()
            .map { self.channel = $0 }
            .nonisolated()
    }

    func send(_ prepared: PreparedRequest, _ request: Int) {
        guard let channel, case .batch(let body) = prepared else { return onFailure(request, "no connection") }
        self.request = request
        var headers = endpoint.headers
        if let name = coding.name { headers.add(name: "content-encoding", value: name) }
        headers.add(name: "content-length", value: "\(body.readableBytes)")
        let head = HTTPRequestHead(version: .http1_1, method: .POST, uri: "/v1/batches", headers: headers)
        channel.write(HTTPClientRequestPart.head(head), promise: nil)
        channel.write(HTTPClientRequestPart.body(.byteBuffer(body)), promise: nil)
        channel.write(HTTPClientRequestPart.end(nil), promise: nil)
    }

    func flush() {
        channel?.flush()
    }

    func close(reason: String) {
        fail(reason)
        // The callbacks keep the generator, which keeps this connection.
        (onReady, onAnswer, onFailure, onEnd) = ({}, { _, _ in }, { _, _ in }, {})
        channel?.close(promise: nil)
    }

    private func fail(_ reason: String) {
        guard let request else { return }
        self.request = nil
        onFailure(request, reason)
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
        guard let request else { return }
        self.request = nil
        onAnswer(request, refused)
        onReady()
    }

    /// The reasons of the refused items.
    private var refused: [Int: String] {
        guard status == .ok else { return all("status \(status.code)") }
        guard let receipt = try? DocumentDecoder.decode(BatchReceipt.self, fromWaypost: answer.readableBytesView) else {
            return all("unreadable answer")
        }
        let pairs = receipt.results.map { ($0.index, $0.reason?.rawValue ?? "status \($0.status)") }
        return Dictionary(pairs) { first, _ in first }
    }

    private func all(_ reason: String) -> [Int: String] {
        Dictionary(uniqueKeysWithValues: (0..<items).map { ($0, reason) })
    }

    func channelInactive(context: ChannelHandlerContext) {
        channel = nil
        fail("the connection was closed")
        onEnd()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }
}
