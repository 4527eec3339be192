internal import HTTPTypes
package import Hummingbird

/// The host names by which clients may call a listener; they protect it from the pages of other web sites.
///
/// A browser lets a page of any site send requests to loopback. It names the origin of the page in `Origin` (Fetch,
/// 3.2) and its relation to the listener in `Sec-Fetch-Site` (Fetch Metadata Request Headers, 2.3). If the name of a
/// page's site was changed to point to loopback (DNS rebinding), `Host` still has that name.
package struct AllowedHosts: Sendable, Equatable {
    /// The names that are allowed besides those of loopback, in lower case.
    package let names: [String]

    private let suffix: String?
    private let allowsAllAddresses: Bool

    /// Creates the value.
    ///
    /// - Parameters:
    ///   - names: the names that are allowed besides `localhost` and the loopback addresses.
    ///   - suffix: the end of further names, such as `.push.apple.com`.
    ///   - allowsAllAddresses: whether all IP addresses are allowed. The name of a site cannot be one, so a page still
    ///     needs the listener's own origin.
    package init(_ names: some Sequence<String> = [], suffix: String? = nil, allowsAllAddresses: Bool = false) {
        self.names = names.map { $0.lowercased() }
        self.suffix = suffix
        self.allowsAllAddresses = allowsAllAddresses
    }

    /// Whether a string is a host name or an address, without a port.
    package static func isValidHost(_ string: String) -> Bool {
        !string.isEmpty
            && string.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
    }

    /// The first name that was added, or `nil` if only the loopback names are allowed.
    package var firstName: String? {
        names.first
    }

    /// Returns these hosts and further names.
    package func allowing(_ otherNames: [String]) -> Self {
        Self(names + otherNames, suffix: suffix, allowsAllAddresses: allowsAllAddresses)
    }

    /// Returns these hosts and all IP addresses.
    package func allowingAllAddresses() -> Self {
        Self(names, suffix: suffix, allowsAllAddresses: true)
    }

    /// Returns these hosts and all names that end with `suffix`.
    package func allowing(suffix: String) -> Self {
        Self(names, suffix: suffix, allowsAllAddresses: allowsAllAddresses)
    }

    /// Checks the headers of a request; programs such as curl send neither `Origin` nor `Sec-Fetch-Site`.
    ///
    /// - Parameters:
    ///   - host: the `Host` header or the `:authority`; browsers always send one of them.
    ///   - origin: the `Origin` header.
    ///   - site: the `Sec-Fetch-Site` header.
    /// - Throws: `ForeignRequestError` if a page of another site may have sent the request.
    package func validate(host: String?, origin: String?, site: String?) throws(ForeignRequestError) {
        if let host, !contains(host) { throw .host(host) }
        if let origin, !Self.isOrigin(origin, of: host) { throw .origin(origin) }
        if let site, site.lowercased() == "cross-site" { throw .crossSite }
    }

    private func contains(_ host: String) -> Bool {
        // Nearly every request names one of these, as it is.
        if Self.loopbackNames.contains(Self.name(in: host)) { return true }
        let name = String(Self.name(in: host.lowercased()))
        let address = ListenAddress(name, port: 0)
        if address.isLoopback || names.contains(name) || allowsAllAddresses && address.isNumeric { return true }
        return suffix.map { name.hasSuffix($0) } ?? false
    }

    /// Returns the name or address in a string such as `name:port`, without the brackets of an IPv6 address.
    private static func name(in host: String) -> Substring {
        let bytes = host.utf8
        if bytes.first == UInt8(ascii: "["), let end = bytes.lastIndex(of: UInt8(ascii: "]")) {
            return host[bytes.index(after: bytes.startIndex)..<end]
        }
        return Substring(bytes.prefix { $0 != UInt8(ascii: ":") })
    }

    /// Returns the name or address of a `Host` header, without its port; `nil` if it is neither.
    package static func host(in header: String) -> String? {
        let name = String(name(in: header))
        return isValidHost(name) || ListenAddress(name, port: 0).isNumeric ? name : nil
    }

    private static let loopbackNames: [Substring] = ["127.0.0.1", "localhost", "::1"]

    private static func isOrigin(_ origin: String, of host: String?) -> Bool {
        guard let host, let scheme = origin.firstRange(of: "://") else { return false }
        return origin[scheme.upperBound...].lowercased() == host.lowercased()
    }
}

/// The reason why a request may be from a page of another web site.
package enum ForeignRequestError: Error, Sendable, Equatable {
    /// The host is not one of those by which the listener may be called.
    case host(String)

    /// The origin of the page is not the listener itself.
    case origin(String)

    /// The browser says that the page is from another site.
    case crossSite
}

extension ForeignRequestError: CustomStringConvertible {
    /// A human-readable description, with what is accepted.
    package var description: String {
        switch self {
        case .host(let host):
            "the host '\(host)' is not accepted; use a loopback address or localhost, or start with --allowed-host"
        case .origin(let origin): "a page of the origin '\(origin)' may not call this listener"
        case .crossSite: "a page of another site may not call this listener (Sec-Fetch-Site: cross-site)"
        }
    }
}

/// Middleware that refuses requests that a page of another web site may have sent.
package struct AllowedHostsMiddleware<Context: RequestContext>: RouterMiddleware {
    private let hosts: AllowedHosts

    /// Creates the middleware.
    package init(_ hosts: AllowedHosts) {
        self.hosts = hosts
    }

    /// Passes a request on, unless a page of another web site may have sent it.
    ///
    /// - Throws: `RequestError.foreignRequest` for such a request.
    package func handle(
        _ request: Request,
        context: Context,
        next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        do throws(ForeignRequestError) {
            let headers = request.headers
            try hosts.validate(
                host: request.head.authority,
                origin: headers[.origin],
                site: HTTPField.Name("Sec-Fetch-Site").flatMap { headers[$0] }
            )
        } catch {
            var chunks = RequestChunks(request)
            await chunks.drain()
            throw RequestError.foreignRequest(error)
        }
        return try await next(request, context)
    }
}
