internal import LocalService
internal import NIOHTTP1
internal import WaypostSchema

/// A device's request to the courier, parsed from its head.
enum CourierRequest: Equatable {
    /// A request for an event stream.
    struct Stream: Equatable {
        /// The secret of the agent whose stream it is.
        var secret: BearerSecret

        /// The sequence after which the stream resumes.
        var cursor: Int

        /// Whether the stream is compressed with gzip.
        var isCompressed: Bool

        /// Whether the body of the request has acknowledgements, for as long as the stream is open.
        var acknowledges = false
    }

    /// A request for the event stream of the agent with a secret.
    case events(Stream)

    /// An acknowledgement, in the body, from the agent with a secret.
    case acknowledge(BearerSecret)

    /// A replacement, in the body, of the secret of an agent.
    case rotateSecret(BearerSecret)

    /// The maximum size of a body in bytes: room for more than a hundred thousand sequences.
    static let maximumBodySize = 1 << 20

    /// Parses a request's head.
    init(_ head: HTTPRequestHead) throws(GatewayError) {
        let path = String(head.uri.prefix { $0 != "?" })
        switch (path, head.method) {
        case ("/v1/events", .GET): self = .events(try Self.stream(head.headers))
        case ("/v1/session", .POST):
            var stream = try Self.stream(head.headers)
            stream.acknowledges = true
            self = .events(stream)
        case ("/v1/acks", .POST):
            self = .acknowledge(try Self.secret(in: head.headers))
        case ("/v1/secret", .PUT): self = .rotateSecret(try Self.secret(in: head.headers))
        case ("/v1/secret", _): throw .methodNotAllowed(head.method.rawValue, allowed: "PUT")
        case ("/v1/events", _): throw .methodNotAllowed(head.method.rawValue, allowed: "GET")
        case ("/v1/session", _), ("/v1/acks", _): throw .methodNotAllowed(head.method.rawValue, allowed: "POST")
        default: throw .notFound(path)
        }
    }

    private static func stream(_ headers: HTTPHeaders) throws(GatewayError) -> Stream {
        Stream(
            secret: try secret(in: headers),
            cursor: try cursor(of: headers),
            isCompressed: AcceptedCodings(headers[canonicalForm: "accept-encoding"]).includesGzip
        )
    }

    private static func secret(in headers: HTTPHeaders) throws(GatewayError) -> BearerSecret {
        guard let secret = bearerToken(in: headers.first(name: "authorization")) else { throw .unauthorized }
        return BearerSecret(rawValue: String(secret))
    }

    /// Returns the sequence after which a stream resumes; 0 for everything in the inbox.
    private static func cursor(of headers: HTTPHeaders) throws(GatewayError) -> Int {
        guard let id = headers.first(name: "last-event-id"), !id.isEmpty else { return 0 }
        guard let cursor = Int(id), cursor >= 0 else {
            throw .badParameter(name: "Last-Event-ID", "'\(id)' is not a delivery sequence (a whole number)")
        }
        return cursor
    }
}
