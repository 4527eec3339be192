internal import Foundation
internal import NIOCore
internal import UniversalLinks

/// The base URL of a server that stands in for a domain while apps are developed: `https`, or `http` on loopback.
package struct DevelopmentServerURL: Sendable, Equatable {
    /// The URL, as it is written.
    package let text: String

    /// Reads a URL.
    ///
    /// - Throws: `DevelopmentServerError` with what is wrong and what would be right.
    package init(_ text: String) throws(DevelopmentServerError) {
        // Read as the client reads it, so that both see the same host.
        guard let url = URL(string: text, encodingInvalidCharacters: false), let host = url.host, !host.isEmpty,
            let scheme = url.scheme?.lowercased(), ["http", "https"].contains(scheme)
        else { throw DevelopmentServerError(text, .notURL) }
        guard url.user == nil, url.password == nil, url.query == nil, url.fragment == nil,
            Self.isPort(url.port, of: text)
        else { throw DevelopmentServerError(text, .notBase) }
        guard scheme == "https" || Self.isLoopback(host) else { throw DevelopmentServerError(text, .insecure) }
        self.text = text
    }

    /// Whether a URL can have the port that was read of it; of one with too many digits, none was.
    private static func isPort(_ port: Int?, of text: String) -> Bool {
        if let port { return (1...Int(UInt16.max)).contains(port) }
        let authority = text.split(separator: "/", omittingEmptySubsequences: false).dropFirst(2).first ?? ""
        return authority.last { !("0"..."9").contains($0) } != ":"
    }

    private static func isLoopback(_ host: String) -> Bool {
        if host.lowercased() == "localhost" { return true }
        let isBracketed = host.hasPrefix("[") && host.hasSuffix("]")
        let name = isBracketed ? String(host.dropFirst().dropLast()) : host
        guard let address = try? SocketAddress(ipAddress: name, port: 0) else { return false }
        // What was read as an IPv4 address has four decimal numbers.
        return switch address {
        case .v4: name.hasPrefix("127.")
        case .v6: (try? SocketAddress(ipAddress: "::1", port: 0)) == address
        case .unixDomainSocket: false
        }
    }
}

/// Why a URL cannot be a development server's.
package struct DevelopmentServerError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What can be wrong with the URL.
    package enum Problem: Sendable, CaseIterable {
        /// It is no URL of a web server.
        case notURL

        /// It has more than a base URL has: a user, a query or a fragment, or its port is none.
        case notBase

        /// It is `http`, and not on loopback.
        case insecure
    }

    /// The URL, as it is written.
    package let text: String

    /// What is wrong with it.
    package let problem: Problem

    init(_ text: String, _ problem: Problem) {
        self.text = text
        self.problem = problem
    }

    /// A sentence for a person.
    package var description: String {
        "'\(text.excerpt)' cannot be a development server: \(clause)"
    }

    private var clause: String {
        switch problem {
        case .notURL: "it is no URL such as https://localhost:8443"
        case .notBase: "it must be a scheme, a host and a port, and a path at most, such as https://localhost:8443"
        case .insecure: "http is only for this machine (127.0.0.1, ::1, localhost); use https for any other host"
        }
    }
}
