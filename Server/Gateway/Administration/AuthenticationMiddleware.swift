internal import HTTPTypes
internal import Hummingbird
internal import LocalService

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
        let isAdministrator = bearerToken(in: authorization).map { token.isShown(by: String($0)) } ?? false
        guard
            isOpen(request.uri.path) || isAdministrator
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
}
