package import NIOHTTP1

/// The reason why the head of a request of HTTP/1 is refused, before anything else reads the request.
package enum RequestHeadError: Error, Sendable, Equatable {
    /// A request of HTTP/1.0 has a transfer coding, so its end is not certain (RFC 9112, section 6.1).
    case transferCoding

    /// There are `count` `Host` headers in place of one (RFC 9112, section 3.2).
    case hosts(count: Int)

    /// The target is neither a path nor the URL of a web site (RFC 9112, section 3.2).
    case target
}

extension RequestHeadError: CustomStringConvertible {
    /// A human-readable description, with what is accepted.
    package var description: String {
        switch self {
        case .transferCoding:
            "a request of HTTP/1.0 cannot have Transfer-Encoding; use Content-Length, or HTTP/1.1"
        case .hosts(let count): "the request has \(count) Host headers; exactly one is accepted"
        case .target: "the target of the request is not accepted; use a path, or a URL with http or https and a host"
        }
    }
}

extension HTTPRequestHead {
    /// Returns the head with a path as its target, and the host for which the request is as its `Host`.
    ///
    /// If the target is a URL, its host replaces that of the header (RFC 9112, section 3.2.2), so that the rules for
    /// hosts (`AllowedHosts`) apply to it. The target of `CONNECT` is a host and a port, and stays.
    ///
    /// - Parameter requiresHost: whether a request of HTTP/1.1 must have a `Host` header.
    /// - Returns: the head.
    /// - Throws: `RequestHeadError` if the request must be refused.
    package func checked(requiringHost requiresHost: Bool) throws(RequestHeadError) -> HTTPRequestHead {
        let isOldVersion = version.major < 1 || version == .http1_0
        if isOldVersion, headers.contains(name: "transfer-encoding") { throw .transferCoding }
        let hostCount = headers["host"].count
        guard hostCount == 1 || hostCount == 0 && (isOldVersion || !requiresHost) else {
            throw .hosts(count: hostCount)
        }
        if uri.utf8.first == UInt8(ascii: "/") || uri == "*" || method == .CONNECT { return self }
        guard let target = AbsoluteTarget(uri) else { throw .target }
        var head = self
        head.uri = target.path
        head.headers.replaceOrAdd(name: "host", value: target.host)
        return head
    }
}

/// The target of a request that is a URL.
private struct AbsoluteTarget {
    /// The host, with a port if the URL has one.
    let host: String

    /// The path and the query.
    let path: String

    /// Parses a target; `nil` if it is not a URL with a host and without a user.
    init?(_ target: String) {
        guard let separator = target.firstRange(of: "://"),
            ["http", "https"].contains(target[..<separator.lowerBound].lowercased())
        else { return nil }
        let rest = target[separator.upperBound...].utf8
        let host = rest.prefix { !"/?#".utf8.contains($0) }
        guard !host.isEmpty, !host.contains(UInt8(ascii: "@")) else { return nil }
        let path = rest.dropFirst(host.count)
        self.host = String(Substring(host))
        self.path = (path.first == UInt8(ascii: "/") ? "" : "/") + String(Substring(path))
    }
}
