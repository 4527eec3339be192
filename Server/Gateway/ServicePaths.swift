internal import Hummingbird

/// The paths of the service listener, for telling a path that is not there from a method that it does not take.
enum ServicePaths {
    private static let methods: [(pattern: [String], allowed: String)] = [
        (["health"], "GET"),
        (["health", "live"], "GET"),
        (["health", "ready"], "GET"),
        (["metrics"], "GET"),
        (["v1", "devices"], "POST"),
        (["v1", "devices", "*"], "GET, DELETE"),
        (["v1", "devices", "*", "topics"], "PUT"),
        (["v1", "devices", "*", "channels"], "GET, PUT"),
        (["v1", "devices", "*", "power"], "PUT"),
        (["v1", "devices", "*", "standing"], "PUT"),
        (["v1", "devices", "*", "rotation"], "POST"),
        (["v1", "apps"], "GET"),
        (["v1", "apps", "*"], "GET, PUT"),
        (["v1", "batches"], "POST"),
        (["v1", "batches", "*"], "GET"),
        (["v1", "notifications"], "GET"),
        (["v1", "notifications", "*"], "GET"),
        (["v1", "keys"], "GET, POST"),
        (["v1", "keys", "*"], "DELETE"),
        (["v1", "faults"], "GET, POST, DELETE"),
        (["v1", "faults", "*"], "DELETE"),
        (["v1", "clock"], "GET"),
        (["v1", "clock", "advance"], "POST"),
        (["v1", "namespaces"], "GET"),
        (["v1", "namespaces", "*"], "DELETE"),
    ]

    /// Returns why nothing answers a request.
    static func fault(of request: Request) -> GatewayFault {
        let path = request.uri.path.split(separator: "/").map(String.init)
        for (pattern, allowed) in methods where pattern.count == path.count {
            if zip(pattern, path).allSatisfy({ $0 == "*" || $0 == $1 }) {
                return .methodNotAllowed(request.method.rawValue, allowed: allowed)
            }
        }
        return .notFound(request.uri.path)
    }
}
