internal import HTTPTypes
internal import Hummingbird
internal import LocalService
internal import Logging

/// Middleware that gives each request an identifier, counts it, and logs it.
///
/// The identifier is the client's `X-Request-Id` if that consists of 1 to 128 visible ASCII characters. Otherwise it is
/// generated like the web framework's own identifiers. The response contains it, and so does every line that is logged
/// while the request is handled.
struct RequestLog: RouterMiddleware {
    let metrics: GatewayMetrics
    let logger: Logger

    func handle(
        _ request: Request,
        context: ServiceContext,
        next: @concurrent (Request, ServiceContext) async throws -> Response
    ) async throws -> Response {
        var context = context
        let identifier = RequestIdentifier.validated(request.headers[.requestIdentifier]) ?? "\(RequestID())"
        context.logger[metadataKey: "hb.request.id"] = "\(identifier)"
        let trace = RequestTrace(request.headers[.traceparent]).parent
        return try await RequestTrace.$current.withValue(trace) {
            try await RequestIdentifier.$current.withValue(identifier) {
                let start = ContinuousClock.now
                var response = try await next(request, context)
                response.headers[.requestIdentifier] = identifier
                let duration = start.duration(to: .now)
                metrics.recordRequest(request.method, context.endpointPath, status: response.status, duration: duration)
                log(request, response, duration: duration)
                return response
            }
        }
    }

    private func log(_ request: Request, _ response: Response, duration: Duration) {
        var metadata: Logger.Metadata = [
            "method": "\(request.method)",
            "path": "\(LoggedPath.string(request.uri.string))",
            "status": .stringConvertible(response.status.code),
            "milliseconds": .stringConvertible(duration.wholeMilliseconds),
        ]
        if let bytes = response.body.contentLength { metadata["bytes"] = .stringConvertible(bytes) }
        let level: Logger.Level = response.status.kind == .serverError ? .warning : .info
        logger.log(level: level, "request", metadata: metadata)
    }
}

/// The identifier of a request in the log.
enum RequestIdentifier {
    /// The identifier of the current request.
    @TaskLocal static var current: String?

    /// Returns the identifier that a client sent, if it is valid.
    static func validated(_ string: String?) -> String? {
        guard let string, (1...128).contains(string.utf8.count),
            string.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { return nil }
        return string
    }
}

/// Paths as they are logged.
enum LoggedPath {
    /// The parameters of the service listener whose values are logged.
    private static let parametersWithValues: Set = [
        "atomic", "limit", "results", "since", "state", "timeout", "topic", "trace", "wait",
    ]

    /// Its other parameters, of which only the names are logged.
    private static let parametersWithoutValues: Set = ["after", "follower", "name", "pushType", "standing", "token"]

    /// Returns a path with its query, with the values of some parameters only.
    ///
    /// An unknown parameter may be a secret as a whole: a secret in base64 may end in `=`, like a name.
    static func string(_ target: String) -> String {
        // Bytes are compared, because a mark makes another character of what is before it.
        let path = target.utf8.prefix { $0 != UInt8(ascii: "?") }
        let query = target.utf8.dropFirst(path.count + 1)
        let parameters = query.split(separator: UInt8(ascii: "&")).map { string(ofParameter: $0) }
        let pathString = String(decoding: path, as: UTF8.self)
        return parameters.isEmpty ? pathString : "\(pathString)?\(parameters.joined(separator: "&"))"
    }

    private static func string(ofParameter parameter: Substring.UTF8View) -> String {
        let name = String(decoding: parameter.prefix { $0 != UInt8(ascii: "=") }, as: UTF8.self)
        if parametersWithValues.contains(name) { return String(decoding: parameter, as: UTF8.self) }
        return parametersWithoutValues.contains(name) ? "\(name)=…" : "…"
    }
}

extension Logger {
    /// The same logger, which adds the identifier and the trace of the current request to each line.
    var addingRequestMetadata: Logger {
        var logger = self
        let previous = metadataProvider
        logger.handler.metadataProvider = MetadataProvider {
            var metadata = previous?.get() ?? [:]
            if let identifier = RequestIdentifier.current { metadata["request"] = "\(identifier)" }
            if let trace = RequestTrace.current { metadata.merge(trace.metadata) { $1 } }
            return metadata
        }
        return logger
    }
}

extension HTTPField.Name {
    static let requestIdentifier: Self = {
        guard let name = Self("X-Request-Id") else { preconditionFailure("X-Request-Id is a token of RFC 9110") }
        return name
    }()
}

extension Duration {
    fileprivate var wholeMilliseconds: Int64 {
        components.seconds * 1_000 + components.attoseconds / 1_000_000_000_000_000
    }
}
