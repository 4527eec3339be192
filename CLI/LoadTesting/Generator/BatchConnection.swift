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
    var onResponse: (_ number: Int, _ refusals: [Int: String]) -> Void = { _, _ in }
    var onFailure: (_ number: Int, _ reason: String) -> Void = { _, _ in }
    var onEnd: () -> Void = {}

    private let endpoint: BatchEndpoint
    private let coding: BatchCoding
    private let itemsPerRequest: Int
    private var channel: (any Channel)?

    /// The number of the request without a response.
    private var pendingRequest: Int?
    private var status = HTTPResponseStatus.ok
    private var responseBody = ByteBuffer()

    init(_ endpoint: BatchEndpoint, _ coding: BatchCoding, itemsPerRequest: Int) {
        (self.endpoint, self.coding, self.itemsPerRequest) = (endpoint, coding, itemsPerRequest)
    }

    var canSend: Bool {
        channel != nil && pendingRequest == nil
    }

    var pendingRequestCount: Int {
        pendingRequest == nil ? 0 : 1
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

    func send(_ request: PreparedRequest, number: Int) {
        guard let channel, case .batch(let body) = request else { return onFailure(number, "no connection") }
        pendingRequest = number
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
        (onReady, onResponse, onFailure, onEnd) = ({}, { _, _ in }, { _, _ in }, {})
        channel?.close(promise: nil)
    }

    private func fail(_ reason: String) {
        guard let number = pendingRequest else { return }
        pendingRequest = nil
        onFailure(number, reason)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            status = head.status
            responseBody.clear()
        case .body(var bytes): responseBody.writeBuffer(&bytes)
        case .end: finishResponse()
        }
    }

    private func finishResponse() {
        guard let number = pendingRequest else { return }
        pendingRequest = nil
        onResponse(number, refusals)
        onReady()
    }

    /// The reasons of the refused items.
    private var refusals: [Int: String] {
        guard status == .ok else { return refusalsOfAllItems(reason: "status \(status.code)") }
        guard
            let receipt = try? DocumentDecoder.decode(BatchReceipt.self, fromDeepJSON: responseBody.readableBytesView)
        else {
            return refusalsOfAllItems(reason: "unreadable answer")
        }
        let pairs = receipt.results.map { ($0.index, $0.reason?.rawValue ?? "status \($0.status)") }
        return Dictionary(pairs) { first, _ in first }
    }

    private func refusalsOfAllItems(reason: String) -> [Int: String] {
        Dictionary(uniqueKeysWithValues: (0..<itemsPerRequest).map { ($0, reason) })
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
