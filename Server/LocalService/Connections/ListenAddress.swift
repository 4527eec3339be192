/// An address to listen on: a host and a port; port 0 is any free port.
package struct ListenAddress: Sendable, Equatable {
    /// The address, or `localhost`; an IPv6 address has no brackets.
    package var host: String

    /// The port.
    package var port: Int

    /// Creates the address; the default host is only reachable from this machine.
    package init(_ host: String = "127.0.0.1", port: Int) {
        self.host = host
        self.port = port
    }

    /// Parses an address such as `127.0.0.1:7330` or `[::1]:0`; `nil` if `text` is not an address.
    package init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else {
            return nil
        }
        let host = text[..<colon]
        guard let first = host.first else { return nil }
        if first == "[" {
            let address = host.dropFirst().dropLast()
            guard host.last == "]", address.contains(":"), !address.contains(where: Self.isBracket) else { return nil }
            self.init(String(address), port: Int(port))
        } else {
            guard !host.contains(where: { $0 == ":" || Self.isBracket($0) }) else { return nil }
            self.init(String(host), port: Int(port))
        }
    }

    private static func isBracket(_ character: Character) -> Bool {
        character == "[" || character == "]"
    }

    /// Parses the base URL of a listener, such as `http://127.0.0.1:7330`; `nil` if it is not one.
    ///
    /// - Parameters:
    ///   - url: the URL, whose path can only be `/`.
    ///   - scheme: the scheme that it must have.
    package init?(url: String, scheme: String = "http") {
        guard url.hasPrefix("\(scheme)://") else { return nil }
        let address = url.dropFirst(scheme.count + 3)
        self.init(String(address.hasSuffix("/") ? address.dropLast() : address))
    }

    /// Whether it is a loopback address: 127.0.0.0/8, ::1 or localhost.
    package var isLoopback: Bool {
        octets?.first == 127 || host == "::1" || host == "localhost"
    }

    /// Whether it is an IP address, not a name.
    package var isNumeric: Bool {
        octets != nil || host.contains(":") && host.allSatisfy { $0.isHexDigit || $0 == ":" || $0 == "." }
    }

    /// The bytes of an IPv4 address; `nil` if it is not one.
    private var octets: [UInt8]? {
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        // A part with a leading zero is octal for the system, and one with a sign is no address for others.
        let octets = parts.compactMap { part in UInt8(part).flatMap { "\($0)" == part ? $0 : nil } }
        return parts.count == 4 && octets.count == 4 ? octets : nil
    }

    /// The host that stands for all IPv4 addresses of the machine.
    package static let allAddresses = "0.0.0.0"

    /// Whether it stands for all addresses of the machine.
    package var isWildcard: Bool {
        host == Self.allAddresses || host == "::"
    }

    /// Returns the URL of a listener at the address, given the port that it got.
    package func url(port: Int, isSecure: Bool = false) -> String {
        "\(isSecure ? "https" : "http")://\(Self(host, port: port))"
    }
}

extension ListenAddress: CustomStringConvertible {
    /// The address as it is written in a URL (RFC 3986, section 3.2.2).
    package var description: String {
        "\(host.contains(":") ? "[\(host)]" : host):\(port)"
    }
}
