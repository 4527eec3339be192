internal import HTTPTypes
internal import Hummingbird

/// Lets nobody through who does not show the administrative token.
///
/// It answers before anything is looked for, so that the answer does not tell what is there. Health is everybody's.
struct AuthenticationMiddleware<Context: RequestContext>: RouterMiddleware {
    let token: AdminToken

    func handle(
        _ request: Request,
        context: Context,
        next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        guard isOpen(request.uri.path) || shows(token, request.headers[.authorization]) else {
            var pieces = RequestPieces(request)
            await pieces.drain()
            throw GatewayFault.adminTokenRequired(place: token.place)
        }
        return try await next(request, context)
    }

    private func isOpen(_ path: String) -> Bool {
        path.split(separator: "/").first == "health"
    }

    /// Schemes are the same in upper and lower case (RFC 9110, 11.1).
    private func shows(_ token: AdminToken, _ header: String?) -> Bool {
        guard let header, let space = header.firstIndex(of: " "), header[..<space].lowercased() == "bearer" else {
            return false
        }
        return token.isShown(by: String(header[space...].drop { $0 == " " }))
    }
}
