package import Hummingbird
internal import Synchronization

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
        var methods = routes.withLock { routes in
            Set(routes.filter { Self.matches($0.pattern, path) }.map(\.method))
        }
        guard !methods.isEmpty else { return .notFound(request.uri.path, documentationPath: documentationPath) }
        // The routers answer HEAD wherever there is a GET.
        if methods.contains("GET") { methods.insert("HEAD") }
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
