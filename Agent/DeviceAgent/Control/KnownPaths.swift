internal import HTTPTypes
internal import Hummingbird
internal import Synchronization

/// The paths of an API, for telling a path that is not there from a method that it does not take.
final class KnownPaths: Sendable {
    private let routes = Mutex<[(pattern: [String], method: HTTPRequest.Method)]>([])

    init() {}

    /// Notes the paths of a router.
    func note(_ router: Router<BasicRequestContext>) {
        let noted = router.routes.map { route in (Self.parts(of: "\(route.path)"), route.method) }
        routes.withLock { $0 = noted }
    }

    /// Returns why nothing answers a request.
    func fault(of request: Request) -> AgentFault {
        let path = Self.parts(of: request.uri.path)
        let methods = routes.withLock { routes in
            routes.filter { Self.matches($0.pattern, path) }.map(\.method.rawValue)
        }
        guard !methods.isEmpty else { return .notFound(request.uri.path) }
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
