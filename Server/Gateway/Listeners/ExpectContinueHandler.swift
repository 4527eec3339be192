internal import HTTPTypes
internal import NIOCore
internal import NIOHTTPTypes

/// Answers `Expect: 100-continue` (RFC 9110, 10.1.1), so that a client with a large body does not wait before it sends.
///
/// A body that says it is too large is not invited: the refusal that follows is the answer, and the body stays away.
final class ExpectContinueHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias OutboundOut = HTTPResponsePart

    private let maximumBody: Int

    init(maximumBody: Int) {
        self.maximumBody = maximumBody
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .head(let head) = unwrapInboundIn(data), isInvitationAwaited(by: head) {
            context.writeAndFlush(wrapOutboundOut(.head(HTTPResponse(status: .continue))), promise: nil)
        }
        context.fireChannelRead(data)
    }

    private func isInvitationAwaited(by head: HTTPRequest) -> Bool {
        guard ExpectContinue.isAsked(by: [head.headerFields[.expect] ?? ""]) else { return false }
        return (head.headerFields[.contentLength].flatMap(Int.init) ?? 0) <= maximumBody
    }
}

/// The expectation of a client that waits for `100 Continue` before it sends a body.
enum ExpectContinue {
    /// Whether the values of an `Expect` header have it.
    static func isAsked(by values: some Sequence<some StringProtocol>) -> Bool {
        values.contains { $0.lowercased() == "100-continue" }
    }
}
