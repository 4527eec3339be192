internal import Foundation
internal import HTTPTypes
internal import Logging
internal import NIOCore
internal import NIOHTTP1
internal import WaypostSchema

/// One connection to the courier listener: acknowledgements one after another, and an event stream as the last thing.
final class CourierHandler: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private enum State {
        case idle
        case readingBody(CourierRequest, ByteBuffer)
        case discardingBody
        case streaming(EventStream)
    }

    private let mailroom: Mailroom
    private let heartbeatInterval: TimeAmount
    private let logger: Logger
    private var state = State.idle

    /// Whether the connection ends with the answer to the request being read: the client or the gateway wants it so.
    private var isLastRequest = false

    /// Whether reading waits for the answers so far to be taken.
    private var isReadHeldBack = false

    init(mailroom: Mailroom, heartbeatInterval: TimeAmount, logger: Logger) {
        self.mailroom = mailroom
        self.heartbeatInterval = heartbeatInterval
        self.logger = logger
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head): receive(head, context)
        case .body(let part): receive(part, context)
        case .end: receiveEnd(context)
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        if case .streaming(let stream) = state { stream.close() }
        state = .idle
        context.fireChannelInactive()
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable {
            if case .streaming(let stream) = state { stream.pump() }
            if isReadHeldBack { context.read() }
            isReadHeldBack = false
        }
        context.fireChannelWritabilityChanged()
    }

    /// Reads no more questions than answers are taken.
    func read(context: ChannelHandlerContext) {
        if context.channel.isWritable { context.read() } else { isReadHeldBack = true }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is ChannelShouldQuiesceEvent { quiesce(context) }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        logger.debug("a courier connection failed", metadata: ["error": "\(error)"])
        context.close(promise: nil)
    }

    /// The gateway is going: what is being asked is answered, and a stream, having no end of its own, is ended.
    private func quiesce(_ context: ChannelHandlerContext) {
        isLastRequest = true
        switch state {
        case .idle: context.close(promise: nil)
        case .readingBody, .discardingBody: context.channel.closeAfterPatience()
        case .streaming(let stream): stream.end()
        }
    }

    private func receive(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
        // Behind an event stream nothing more is asked on a connection.
        if case .streaming = state { return }
        isLastRequest = isLastRequest || !head.isKeepAlive
        do throws(GatewayFault) {
            let request = try CourierRequest(head, isKnown: mailroom.knows)
            let length = head.headers.first(name: "content-length").flatMap(Int.init) ?? 0
            guard length <= CourierRequest.maximumBody else {
                throw .bodyTooLarge(limit: CourierRequest.maximumBody)
            }
            if Self.isInvitationAwaited(by: head) {
                context.writeAndFlush(wrapOutboundOut(.head(.init(version: .http1_1, status: .continue))), promise: nil)
            }
            state = .readingBody(request, ByteBuffer())
        } catch {
            // Who waits to be invited will not send the body, so nothing that follows could be told from it.
            let isBodyKeptBack = Self.isInvitationAwaited(by: head)
            isLastRequest = isLastRequest || isBodyKeptBack
            refuse(error, context)
            if isBodyKeptBack { context.close(promise: nil) }
        }
    }

    private static func isInvitationAwaited(by head: HTTPRequestHead) -> Bool {
        head.headers[canonicalForm: "expect"].contains { $0.lowercased() == "100-continue" }
    }

    private func receive(_ part: ByteBuffer, _ context: ChannelHandlerContext) {
        guard case .readingBody(let request, var body) = state else { return }
        guard body.readableBytes + part.readableBytes <= CourierRequest.maximumBody else {
            return refuse(.bodyTooLarge(limit: CourierRequest.maximumBody), context)
        }
        body.writeImmutableBuffer(part)
        state = .readingBody(request, body)
    }

    private func receiveEnd(_ context: ChannelHandlerContext) {
        guard case .readingBody(let request, let body) = state else {
            if case .discardingBody = state { endRequest(context) }
            return
        }
        switch request {
        case .events(let agent, let cursor):
            openStream(agent, after: cursor, context)
        case .acknowledge(let agent):
            acknowledge(agent, body, context)
            endRequest(context)
        }
    }

    private func endRequest(_ context: ChannelHandlerContext) {
        state = .idle
        if isLastRequest { context.close(promise: nil) }
    }

    private func openStream(_ agent: AgentSecret, after cursor: Int, _ context: ChannelHandlerContext) {
        let stream = EventStream(agent, after: cursor, mailroom, context.channel)
        state = .streaming(stream)
        stream.open(heartbeatInterval: heartbeatInterval)
    }

    private func acknowledge(_ agent: AgentSecret, _ body: ByteBuffer, _ context: ChannelHandlerContext) {
        do throws(GatewayFault) {
            let acknowledgement = try JSONBody.decode(Acknowledgement.self, from: Array(body.readableBytesView))
            let count = mailroom.acknowledge(agent, acknowledgement)
            respond(.ok, AcknowledgementReceipt(acknowledged: count), context)
        } catch {
            refuse(error, context)
        }
    }

    /// Answers with a fault.
    ///
    /// What is left of the request's body is read and dropped.
    private func refuse(_ fault: GatewayFault, _ context: ChannelHandlerContext) {
        state = .discardingBody
        respond(HTTPResponseStatus(statusCode: fault.status.code), fault.body, headers: fault.headers, context)
    }

    private func respond(
        _ status: HTTPResponseStatus,
        _ body: some Encodable,
        headers fields: HTTPFields = [:],
        _ context: ChannelHandlerContext
    ) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(body) else { return context.close(promise: nil) }
        let buffer = ByteBuffer(bytes: data)
        var headers: HTTPHeaders = ["content-type": "application/json", "content-length": "\(data.count)"]
        for field in fields { headers.add(name: field.name.rawName, value: field.value) }
        if isLastRequest { headers.add(name: "connection", value: "close") }
        let head = HTTPResponseHead(version: .http1_1, status: status, headers: headers)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.write(wrapOutboundOut(.body(.byteBuffer(buffer))), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }
}
