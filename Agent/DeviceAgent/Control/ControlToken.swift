internal import HTTPTypes
internal import Hummingbird
internal import LocalService
internal import TextBasics

/// The token that callers of the control API must send, if the agent asks for one.
struct ControlToken: Sendable, Equatable {
    /// The text of the token.
    let text: String

    /// Creates a token from a text that the user chose.
    init(_ text: String) {
        self.text = text
    }

    /// Creates a random token of 128 bits.
    init(_ sources: AgentSources) {
        text = (0..<2).map { _ in Hexadecimal.string(sources.bits()) }.joined()
    }

    /// Whether an `authorization` header contains the token; the time does not depend on where it differs.
    func isShown(in authorization: String?) -> Bool {
        guard let shown = bearerToken(in: authorization), shown.utf8.count == text.utf8.count else { return false }
        return zip(shown.utf8, text.utf8).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}

/// Middleware that refuses requests without the control token; health needs no token.
struct ControlTokenMiddleware: RouterMiddleware {
    let token: ControlToken

    func handle(
        _ request: Request,
        context: ServiceContext,
        next: @concurrent (Request, ServiceContext) async throws -> Response
    ) async throws -> Response {
        guard request.uri.path == "/health" || token.isShown(in: request.headers[.authorization]) else {
            var pieces = RequestPieces(request)
            await pieces.drain()
            throw AgentError.controlTokenRequired
        }
        return try await next(request, context)
    }
}
