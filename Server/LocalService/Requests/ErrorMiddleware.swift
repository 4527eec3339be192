package import Hummingbird
package import Logging

/// Middleware that turns every error of a request into a response.
package struct ErrorMiddleware<Context: RequestContext>: RouterMiddleware {
    private let routes: RouteTable
    private let logger: Logger

    /// Creates the middleware for a router whose routes are `routes`.
    package init(routes: RouteTable, logger: Logger) {
        self.routes = routes
        self.logger = logger
    }

    /// Passes a request on and returns the response, or the error response if the request fails.
    package func handle(
        _ request: Request,
        context: Context,
        next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch {
            let serviceError = serviceError(for: error, request)
            if serviceError.status == .internalServerError {
                logger.error("a request failed", metadata: ["path": "\(request.uri.path)", "error": "\(error)"])
            }
            return try JSONResponse.make(serviceError.body, status: serviceError.status, headers: serviceError.headers)
        }
    }

    private func serviceError(for error: any Error, _ request: Request) -> any ServiceError {
        switch error {
        case let error as any ServiceError: error
        case is CancellationError: RequestError.shuttingDown
        case let error as HTTPError where error.status == .notFound: routes.error(for: request)
        default: RequestError.internalError
        }
    }
}
