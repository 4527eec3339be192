internal import HTTPTypes
internal import Hummingbird
internal import LocalService
internal import TextBasics

/// The token that callers of the control API must send, if the agent asks for one.
struct ControlToken: Sendable {
    /// The token as clients send it.
    let string: String

    /// Creates a token from a string that the user chose.
    init(_ string: String) {
        self.string = string
    }

    /// Creates a random token of 128 bits.
    init(_ sources: AgentSources) {
        string = (0..<2).map { _ in Hexadecimal.string(sources.randomBits64()) }.joined()
    }

    /// Whether an `authorization` header contains the token, compared in constant time.
    func isContained(in authorization: String?) -> Bool {
        guard let token = bearerToken(in: authorization) else { return false }
        return ConstantTime.isEqual(token.utf8, string.utf8)
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
        guard request.uri.path == "/health" || token.isContained(in: request.headers[.authorization]) else {
            var chunks = RequestChunks(request)
            await chunks.drain()
            throw AgentError.controlTokenRequired
        }
        return try await next(request, context)
    }
}
