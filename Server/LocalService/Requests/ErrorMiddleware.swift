package import Hummingbird
package import Logging
internal import Synchronization

/// Middleware that turns every error of a request into a response.
package struct ErrorMiddleware<Context: RequestContext>: RouterMiddleware {
    private let paths: KnownPaths
    private let logger: Logger

    /// Creates the middleware for a router whose paths are `paths`.
    package init(paths: KnownPaths, logger: Logger) {
        self.paths = paths
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
            let answer = serviceError(of: error, request)
            if answer.status == .internalServerError {
                logger.error("a request failed", metadata: ["path": "\(request.uri.path)", "error": "\(error)"])
            }
            return try JSONResponse.make(answer.body, status: answer.status, headers: answer.headers)
        }
    }

    private func serviceError(of error: any Error, _ request: Request) -> any ServiceError {
        switch error {
        case let error as any ServiceError: error
        case is CancellationError: RequestError.shuttingDown
        case let error as HTTPError where error.status == .notFound: paths.error(of: request)
        default: RequestError.internalError
        }
    }
}

/// The paths of an API, which distinguish an unknown path from a method that a path does not accept.
package final class KnownPaths: Sendable {
    private let document: String
    private let routes = Mutex<[(pattern: [String], method: String)]>([])

    /// Creates the paths of an API that is described in `document`.
    package init(document: String) {
        self.document = document
    }

    /// Stores the paths of a router.
    package func note(_ router: Router<ServiceContext>) {
        let routeParts = router.routes.map { route in (Self.parts(of: "\(route.path)"), route.method.rawValue) }
        routes.withLock { $0 = routeParts }
    }

    /// Returns the error of a request that no route handles.
    func error(of request: Request) -> RequestError {
        let path = Self.parts(of: request.uri.path)
        let methods = routes.withLock { routes in
            routes.filter { Self.matches($0.pattern, path) }.map(\.method)
        }
        guard !methods.isEmpty else { return .notFound(request.uri.path, document: document) }
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
