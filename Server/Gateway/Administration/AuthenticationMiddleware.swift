internal import HTTPTypes
internal import Hummingbird

/// Lets nobody through who does not show the administrative token; batches may also be sent by who may send notifications.
///
/// It answers before anything is looked for, so that the answer does not tell what is there. Health is everybody's.
struct AuthenticationMiddleware<Context: RequestContext>: RouterMiddleware {
    let token: AdminToken

    /// Whether an `authorization` is one of a provider.
    let isProvider: @Sendable (String?) -> Bool

    func handle(
        _ request: Request,
        context: Context,
        next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        let authorization = request.headers[.authorization]
        guard
            isOpen(request.uri.path) || shows(token, authorization)
                || isForProviders(request) && isProvider(authorization)
        else {
            var pieces = RequestPieces(request)
            await pieces.drain()
            throw GatewayError.adminTokenRequired(place: token.place)
        }
        return try await next(request, context)
    }

    private func isOpen(_ path: String) -> Bool {
        path.split(separator: "/").first == "health"
    }

    private func isForProviders(_ request: Request) -> Bool {
        request.method == .post && request.uri.path == "/v1/batches"
    }

    /// Schemes are the same in upper and lower case (RFC 9110, 11.1).
    private func shows(_ token: AdminToken, _ header: String?) -> Bool {
        guard let header, let space = header.firstIndex(of: " "), header[..<space].lowercased() == "bearer" else {
            return false
        }
        return token.isShown(by: String(header[space...].drop { $0 == " " }))
    }
}
