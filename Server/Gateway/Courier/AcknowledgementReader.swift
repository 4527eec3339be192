internal import LocalService
internal import NIOCore
internal import NIOHTTP1
internal import Synchronization
internal import WaypostSchema

/// Reads the acknowledgements in the body of a session's request, and passes them to the session's stream.
///
/// While many acknowledgements wait to be stored, it reads nothing more from the connection.
final class AcknowledgementReader: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundIn = Never

    private let stream: EventStream
    private let waiting = WaitingBytes()
    private var lines = AcknowledgementLines()

    /// Whether the rest of the body is ignored, because an earlier line is not an acknowledgement.
    private var hasFailed = false

    /// Whether a read was postponed.
    private var isReadPostponed = false

    init(_ stream: EventStream) {
        self.stream = stream
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        // After the end of the body, the stream goes on.
        guard case .body(let bytes) = unwrapInboundIn(data), !hasFailed else { return }
        do throws(AcknowledgementLines.Problem) {
            let acknowledgements = try lines.append(bytes.readableBytesView)
            if !acknowledgements.isEmpty { acknowledge(acknowledgements, of: bytes.readableBytes, context) }
        } catch {
            hasFailed = true
            stream.end(.malformedAcknowledgement, "line \(error.line) of the request's body: \(error.message)")
        }
    }

    private func acknowledge(_ acknowledgements: [Acknowledgement], of bytes: Int, _ context: ChannelHandlerContext) {
        waiting.add(bytes)
        let (waiting, eventLoop) = (waiting, context.eventLoop)
        let bound = NIOLoopBound((reader: self, context: context), eventLoop: eventLoop)
        let isWaiting = stream.acknowledge(acknowledgements) { result in
            let hasRoomAgain = waiting.remove(bytes)
            switch result {
            case .success where !hasRoomAgain: break
            case .success: eventLoop.execute { bound.value.reader.resumeReading(bound.value.context) }
            // The client gets no response. It reconnects, and its unacknowledged notifications are sent again.
            case .failure: eventLoop.execute { bound.value.reader.stream.end(.failed) }
            }
        }
        if !isWaiting { waiting.remove(bytes) }
    }

    func read(context: ChannelHandlerContext) {
        if waiting.hasRoom { context.read() } else { isReadPostponed = true }
    }

    private func resumeReading(_ context: ChannelHandlerContext) {
        guard isReadPostponed else { return }
        isReadPostponed = false
        context.read()
    }
}

/// The bytes of acknowledgements of a session that wait to be stored.
private final class WaitingBytes: Sendable {
    private static let limit = 1 << 20

    private let count = Atomic(0)

    /// Whether there is room for more.
    var hasRoom: Bool {
        count.load(ordering: .relaxed) < Self.limit
    }

    func add(_ bytes: Int) {
        count.add(bytes, ordering: .relaxed)
    }

    /// Removes bytes; returns whether that makes room for more.
    @discardableResult
    func remove(_ bytes: Int) -> Bool {
        let (before, after) = count.subtract(bytes, ordering: .relaxed)
        return before >= Self.limit && after < Self.limit
    }
}
