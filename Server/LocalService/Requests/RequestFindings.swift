internal import HTTPTypes
package import Hummingbird
package import JSONScanning
internal import Synchronization
internal import TextBasics
package import WaypostSchema

/// The keys of a request's body that nothing reads.
///
/// The request is carried out, because a newer client may know more keys; the response names them in the header
/// `waypost-message`.
package final class RequestFindings: Sendable {
    /// Those of the request in this task.
    @TaskLocal package static var current: RequestFindings?

    private let keys = Mutex<[UnknownKey]>([])

    func add(_ unknownKeys: [UnknownKey]) {
        keys.withLock { $0 += unknownKeys }
    }

    /// The keys, in the order in which their objects were read.
    package var unknownKeys: [UnknownKey] {
        keys.withLock { $0 }
    }

    /// The findings, one for each key.
    package var findings: [NotificationFinding] {
        keys.withLock { keys in keys.map { NotificationFinding(code: .unknownKey, message: $0.sentence) } }
    }
}

/// Middleware that adds the findings about a request's body to its response.
package struct FindingsMiddleware<Context: RequestContext>: RouterMiddleware {
    /// The maximum number of findings in a header.
    private static var maximumCount: Int { 5 }

    /// The maximum length of a header, in characters.
    private static var maximumLength: Int { 1_000 }

    /// Creates the middleware.
    package init() {}

    /// Passes a request on, and returns the response with the findings.
    package func handle(
        _ request: Request,
        context: Context,
        next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        let requestFindings = RequestFindings()
        var response = try await RequestFindings.$current.withValue(requestFindings) {
            try await next(request, context)
        }
        let findings = requestFindings.findings
        if !findings.isEmpty, let name = HTTPField.Name("waypost-message") {
            let sentences = findings.prefix(Self.maximumCount).map {
                "\($0.severity.rawValue): \($0.message) [\($0.code)]"
            }
            response.headers[name] = String(
                sentences.joined(separator: "; ").safe(for: .log).prefix(Self.maximumLength)
            )
        }
        return response
    }
}
