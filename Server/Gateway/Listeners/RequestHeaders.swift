internal import GatewayStore
internal import HTTPTypes
internal import Hummingbird
internal import LocalService
internal import WaypostSchema

extension Request {
    /// The namespace of the request.
    ///
    /// - Throws: `RequestError.badParameter` if the header contains an invalid name.
    var namespace: Namespace {
        get throws(RequestError) {
            guard let name = headers[.waypostNamespace] else { return .standard }
            return try Namespace(checking: name, parameter: "X-Waypost-Namespace")
        }
    }

    /// Whether the response may be compressed with gzip (RFC 9110, 12.5.3).
    var acceptsGzip: Bool {
        AcceptedCodings([headers[.acceptEncoding] ?? ""]).includesGzip
    }

    /// Whether the client prefers a response before the work is done (RFC 7240, 4.1); other preferences are ignored.
    var prefersAsynchronousResponse: Bool {
        headers[values: .prefer].contains { header in
            header.split(separator: ",").contains { preference in
                preference.split(separator: ";").first?.filter { $0 != " " }.lowercased() == "respond-async"
            }
        }
    }

    /// The idempotency key of the request.
    ///
    /// - Throws: `RequestError.badParameter` if the key is not valid.
    var idempotencyKey: String? {
        get throws(RequestError) {
            guard let key = headers[.idempotencyKey] else { return nil }
            guard (1...255).contains(key.utf8.count), key.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
                throw .badParameter(name: "Idempotency-Key", "a key must be 1 to 255 visible ASCII characters")
            }
            return key
        }
    }
}

/// The content codings that a client accepts (RFC 9110, 12.5.3).
struct AcceptedCodings {
    /// Whether gzip is accepted.
    let includesGzip: Bool

    /// Parses the values of `Accept-Encoding`.
    init(_ values: some Sequence<some StringProtocol>) {
        includesGzip = values.contains { value in
            value.split(separator: ",").contains { element in
                let parts = element.split(separator: ";").map { String($0).filter { $0 != " " }.lowercased() }
                return parts.first == "gzip"
                    && !parts.dropFirst().contains { ["q=0", "q=0.0", "q=0.00", "q=0.000"].contains($0) }
            }
        }
    }
}

extension Namespace {
    /// Creates a namespace with a checked name.
    ///
    /// - Throws: `RequestError.badParameter` if `name` is not valid.
    init(checking name: String, parameter: String) throws(RequestError) {
        self.init(rawValue: name)
        guard isWellFormed else {
            throw .badParameter(
                name: parameter,
                "a namespace must be 1 to 64 of A-Z, a-z, 0-9, '.', '-' and '_', and not begin with '.'"
            )
        }
    }
}

extension HTTPField.Name {
    static let waypostNamespace = Self.validated("X-Waypost-Namespace")
    static let waypostStatus = Self.validated("Waypost-Status")
    static let waypostControlToken = Self.validated("Waypost-Control-Token")
    static let frameOptions = Self.validated("X-Frame-Options")
    static let referrerPolicy = Self.validated("Referrer-Policy")
    static let resourcePolicy = Self.validated("Cross-Origin-Resource-Policy")
    static let openerPolicy = Self.validated("Cross-Origin-Opener-Policy")
    static let prefer = Self.validated("Prefer")
    static let preferenceApplied = Self.validated("Preference-Applied")
    static let idempotencyKey = Self.validated("Idempotency-Key")
    static let idempotencyReplayed = Self.validated("Idempotency-Replayed")

    /// Returns the header name `string`, a token of RFC 9110.
    private static func validated(_ string: String) -> Self {
        guard let name = Self(string) else { preconditionFailure("\(string) is not a header name") }
        return name
    }
}
