internal import Hummingbird

/// The paths of the service listener, for telling a path that is not there from a method that it does not take.
enum ServicePaths {
    private static let methods: [(pattern: [String], allowed: String)] = [
        (["health"], "GET"),
        (["v1", "devices"], "POST"),
        (["v1", "batches"], "POST"),
        (["v1", "batches", "*"], "GET"),
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
