internal import Foundation
internal import NIOCore
internal import TextBasics
internal import UniversalLinks

/// The base URL of a server that replaces a domain during development: `https`, or `http` on loopback.
package struct DevelopmentServerURL: Sendable, Equatable {
    /// The URL, as written.
    package let string: String

    /// Parses a URL.
    ///
    /// - Throws: `DevelopmentServerError` with the problem and the accepted form.
    package init(_ string: String) throws(DevelopmentServerError) {
        // Parsed as the HTTP client parses it, so that both see the same host.
        guard let url = URL(string: string, encodingInvalidCharacters: false), let host = url.host, !host.isEmpty,
            let scheme = url.scheme?.lowercased(), ["http", "https"].contains(scheme)
        else { throw DevelopmentServerError(string, .notWebURL) }
        guard url.user == nil, url.password == nil, url.query == nil, url.fragment == nil,
            Self.isValidPort(url.port, of: string)
        else { throw DevelopmentServerError(string, .notBaseURL) }
        guard scheme == "https" || Self.isLoopback(host) else { throw DevelopmentServerError(string, .insecure) }
        self.string = string
    }

    /// Whether a URL has a valid port or none; a port with too many digits is parsed as `nil`.
    private static func isValidPort(_ port: Int?, of string: String) -> Bool {
        if let port { return (1...Int(UInt16.max)).contains(port) }
        let authority = string.split(separator: "/", omittingEmptySubsequences: false).dropFirst(2).first ?? ""
        return authority.last { !("0"..."9").contains($0) } != ":"
    }

    private static func isLoopback(_ host: String) -> Bool {
        if host.lowercased() == "localhost" { return true }
        let isBracketed = host.hasPrefix("[") && host.hasSuffix("]")
        let name = isBracketed ? String(host.dropFirst().dropLast()) : host
        guard let address = try? SocketAddress(ipAddress: name, port: 0) else { return false }
        // A name that was parsed as an IPv4 address has four decimal numbers.
        return switch address {
        case .v4: name.hasPrefix("127.")
        case .v6: (try? SocketAddress(ipAddress: "::1", port: 0)) == address
        case .unixDomainSocket: false
        }
    }
}

/// The reason why a URL cannot be a development server's.
package struct DevelopmentServerError: Error, Sendable, Equatable, CustomStringConvertible {
    /// A problem of a URL.
    package enum Problem: Sendable, CaseIterable {
        /// It is not a URL of a web server.
        case notWebURL

        /// It has more than a base URL (a user, a query or a fragment), or an invalid port.
        case notBaseURL

        /// It is `http`, and not on loopback.
        case insecure
    }

    /// The URL, as written.
    package let string: String

    /// The problem of the URL.
    package let problem: Problem

    init(_ string: String, _ problem: Problem) {
        self.string = string
        self.problem = problem
    }

    /// A description of the problem.
    package var description: String {
        "'\(string.safe(for: .excerpt))' cannot be a development server: \(reason)"
    }

    /// The problem of the URL and the accepted form, without the URL.
    package var reason: String {
        switch problem {
        case .notWebURL: "it is not a URL such as https://localhost:8443"
        case .notBaseURL: "it must have only a scheme, a host, a port and a path, such as https://localhost:8443"
        case .insecure: "http is only for this machine (127.0.0.1, ::1, localhost); use https for any other host"
        }
    }
}
