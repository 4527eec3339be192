internal import Foundation
internal import Hummingbird
internal import NIOCore
internal import NIOPosix

/// Where one of an agent's APIs listens: an address of this machine alone, or a Unix domain socket.
///
/// Whoever reaches the control API is the person at the device, so that no other address is taken.
package enum ListenAddress: Sendable, Equatable {
    /// A host and a port, 0 for any free one.
    case loopback(host: String, port: Int)

    /// The path of a socket.
    case unix(path: String)

    /// Any free port of 127.0.0.1.
    package static let standard = loopback(host: "127.0.0.1", port: 0)

    /// Reads `127.0.0.1:7340`, `[::1]:0`, `localhost:7340` or `unix:/run/agent.sock`; `nil` where `text` is none of these.
    package init?(_ text: String) {
        if text.hasPrefix("unix:") {
            let path = String(text.dropFirst(5))
            // The longest that the system has room for (sockaddr_un).
            guard !path.isEmpty, path.utf8.count <= 107 else { return nil }
            self = .unix(path: path)
            return
        }
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else {
            return nil
        }
        let host = Self.withoutBrackets(text[..<colon])
        guard Self.isLoopback(host) else { return nil }
        self = .loopback(host: host, port: Int(port))
    }

    /// What means itself everywhere in a URL (RFC 3986, 2.3), but for the point.
    private static let unreserved = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_~"
    )

    private static func withoutBrackets(_ host: Substring) -> String {
        guard host.first == "[", host.last == "]" else { return String(host) }
        return String(host.dropFirst().dropLast())
    }

    private static func isLoopback(_ host: String) -> Bool {
        let octets = host.split(separator: ".", omittingEmptySubsequences: false)
        let isIPv4 = octets.count == 4 && octets[0] == "127" && octets.allSatisfy { UInt8($0) != nil }
        return isIPv4 || host == "::1" || host == "localhost"
    }

    /// What the web framework is told.
    var binding: BindAddress {
        switch self {
        case .loopback(let host, let port): .hostname(host, port: port)
        case .unix(let path): .unixDomainSocket(path: path)
        }
    }

    /// Whether something listens at a socket, which would be taken away from it; a port is not given twice anyway.
    var isTaken: Bool {
        get async {
            guard case .unix(let path) = self else { return false }
            let connection = try? await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                .connect(unixDomainSocketPath: path).get()
            try? await connection?.close().get()
            return connection != nil
        }
    }

    /// The base URL of what listens there, given the port that it got.
    func url(port: Int?) -> String {
        switch self {
        case .loopback(let host, let wanted):
            "http://\(host.contains(":") ? "[\(host)]" : host):\(port ?? wanted)"
        case .unix(let path):
            "http+unix://\(path.addingPercentEncoding(withAllowedCharacters: Self.unreserved) ?? path)"
        }
    }
}

extension ListenAddress: CustomStringConvertible {
    /// The address as it is given.
    package var description: String {
        switch self {
        case .loopback(let host, let port): "\(host.contains(":") ? "[\(host)]" : host):\(port)"
        case .unix(let path): "unix:\(path)"
        }
    }
}
