import LocalService
import NIOCore
import NIOEmbedded
import NIOHTTP1

@testable import Gateway

extension FuzzTarget {
    /// A byte for the size of the pieces, and the bytes of a device.
    ///
    /// No request has its `Authorization`, so that each is refused at once.
    static let courier = FuzzTarget(
        name: "courier",
        summary: "HTTP/1.1 of devices; the same responses to pieces of any size, one to each request"
    ) { bytes in
        guard let first = bytes.first else { return }
        let input = Array(bytes.dropFirst())
        let services = FuzzGateway.services
        var methods: [HTTPMethod] = []
        let whole = EmbeddedConnection.output(for: input, pieceSize: max(1, input.count)) { channel in
            try addCourierHandlers(to: channel, services) { methods.append($0) }
        }
        let pieces = EmbeddedConnection.output(for: input, pieceSize: Int(first) + 1) { channel in
            try addCourierHandlers(to: channel, services) { _ in }
        }
        promise(whole == pieces, "the responses are the same in pieces", found: (texts(whole), texts(pieces)))
        let responses = ResponseText(whole.bytes).responses
        // The rest of a request that was answered may be malformed.
        promise(responses.count <= methods.count + 1, "each request has one response", found: texts(whole))
        for (response, method) in zip(responses, methods) where method == .HEAD {
            promise(response.bodySize == 0, "a response to HEAD has no body", found: texts(whole))
        }
    }

    private static func texts(_ output: (bytes: [UInt8], isOpen: Bool)) -> String {
        "\(String(decoding: output.bytes, as: UTF8.self).debugDescription), open: \(output.isOpen)"
    }

    private static func addCourierHandlers(
        to channel: EmbeddedChannel,
        _ services: GatewayServices,
        record: @escaping (HTTPMethod) -> Void
    ) throws {
        let pipeline = channel.pipeline.syncOperations
        let codec = CourierCodec()
        try codec.add(to: pipeline)
        try pipeline.addHandler(RequestFilter(record))
        let handler = CourierHandler(
            delivery: services.delivery,
            limiter: services.limiter,
            timing: EventStream.Timing(heartbeatInterval: .seconds(15), stallTimeout: .seconds(45)),
            mailbox: StreamMailbox(of: channel.eventLoop),
            requestTimeout: .seconds(15),
            hosts: FuzzGateway.configuration.effectiveAllowedHosts,
            codec: codec,
            logger: FuzzGateway.logger
        )
        try pipeline.addHandler(handler)
    }
}

/// A handler that parses the head of each request, and removes the secret from it.
private final class RequestFilter: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart

    private let record: (HTTPMethod) -> Void

    init(_ record: @escaping (HTTPMethod) -> Void) {
        self.record = record
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .head(var head) = unwrapInboundIn(data) else { return context.fireChannelRead(data) }
        record(head.method)
        if case .events(let stream)? = try? CourierRequest(head) {
            promise(stream.cursor >= 0, "a stream resumes after a sequence", found: stream.cursor)
        }
        head.headers.remove(name: "authorization")
        context.fireChannelRead(wrapInboundOut(.head(head)))
    }
}
