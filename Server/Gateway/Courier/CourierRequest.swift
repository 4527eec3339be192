internal import LocalService
internal import NIOHTTP1
internal import WaypostSchema

/// What a device asks of the courier, read off the head of a request.
enum CourierRequest: Equatable {
    /// An event stream that is asked for.
    struct Stream: Equatable {
        /// The secret of the agent whose stream it is.
        var secret: AgentSecret

        /// The sequence that it resumes behind.
        var cursor: Int

        /// Whether it is to be gzip-coded.
        var isCompressed: Bool
    }

    /// The event stream of the agent that shows its secret.
    case events(Stream)

    /// An acknowledgement, in the body, of the agent that shows its secret.
    case acknowledge(AgentSecret)

    /// The most bytes of a body: some hundred thousand sequences.
    static let maximumBody = 1 << 20

    /// Reads a request's head.
    init(_ head: HTTPRequestHead) throws(GatewayError) {
        let path = String(head.uri.prefix { $0 != "?" })
        switch (path, head.method) {
        case ("/v1/events", .GET):
            let secret = try Self.secret(in: head.headers)
            self = .events(
                Stream(
                    secret: secret,
                    cursor: try Self.cursor(of: head.headers),
                    isCompressed: AcceptedCodings(head.headers[canonicalForm: "accept-encoding"]).includesGzip
                )
            )
        case ("/v1/acks", .POST):
            self = .acknowledge(try Self.secret(in: head.headers))
        case ("/v1/events", _): throw .methodNotAllowed(head.method.rawValue, allowed: "GET")
        case ("/v1/acks", _): throw .methodNotAllowed(head.method.rawValue, allowed: "POST")
        default: throw .notFound(path)
        }
    }

    private static func secret(in headers: HTTPHeaders) throws(GatewayError) -> AgentSecret {
        guard let secret = bearerToken(in: headers.first(name: "authorization")) else { throw .unauthorized }
        return AgentSecret(rawValue: String(secret))
    }

    /// The sequence that a stream resumes behind; 0 for everything in the inbox.
    private static func cursor(of headers: HTTPHeaders) throws(GatewayError) -> Int {
        guard let id = headers.first(name: "last-event-id"), !id.isEmpty else { return 0 }
        guard let cursor = Int(id), cursor >= 0 else {
            throw .badParameter(name: "Last-Event-ID", "'\(id)' is no delivery sequence, which is a whole number")
        }
        return cursor
    }
}
