package import Hummingbird
package import Logging
internal import Synchronization

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

/// The routes of an API, which distinguish an unknown path from a method that a path does not accept.
package final class RouteTable: Sendable {
    private let documentationPath: String
    private let routes = Mutex<[(pattern: [String], method: String)]>([])

    /// Creates an empty table for an API that the document at `documentationPath` describes.
    package init(documentationPath: String) {
        self.documentationPath = documentationPath
    }

    /// Sets the routes to those of a router.
    package func setRoutes(from router: Router<ServiceContext>) {
        let newRoutes = router.routes.map { route in (Self.parts(of: "\(route.path)"), route.method.rawValue) }
        routes.withLock { $0 = newRoutes }
    }

    /// Returns the error of a request that no route handles.
    func error(for request: Request) -> RequestError {
        let path = Self.parts(of: request.uri.path)
        let methods = routes.withLock { routes in
            routes.filter { Self.matches($0.pattern, path) }.map(\.method)
        }
        guard !methods.isEmpty else { return .notFound(request.uri.path, documentationPath: documentationPath) }
        return .methodNotAllowed(request.method.rawValue, allowed: methods.sorted().joined(separator: ", "))
    }

    private static func parts(of path: String) -> [String] {
        path.split(separator: "/").map(String.init)
    }

    private static func matches(_ pattern: [String], _ path: [String]) -> Bool {
        pattern.count == path.count
            && zip(pattern, path).allSatisfy { $0 == $1 || $0.hasPrefix(":") || $0.hasPrefix("{") }
    }
}
