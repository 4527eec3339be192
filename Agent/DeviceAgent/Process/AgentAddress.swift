internal import Foundation
internal import Hummingbird
package import LocalService
internal import NIOCore
internal import NIOPosix

/// Where one of an agent's APIs listens: an address of this machine alone, or a Unix domain socket.
///
/// Whoever reaches the control API is the person at the device, so that no other address is taken.
package enum AgentAddress: Sendable, Equatable {
    /// A loopback address and a port.
    case loopback(ListenAddress)

    /// The path of a socket.
    case unix(path: String)

    /// Any free port of 127.0.0.1.
    package static let standard = loopback(ListenAddress(port: 0))

    /// Reads `127.0.0.1:7340`, `[::1]:0`, `localhost:7340` or `unix:/run/agent.sock`; `nil` if `text` is none of these.
    package init?(_ text: String) {
        if text.hasPrefix("unix:") {
            let path = String(text.dropFirst(5))
            // The longest that the system has room for (sockaddr_un).
            guard !path.isEmpty, path.utf8.count <= 107 else { return nil }
            self = .unix(path: path)
        } else {
            guard let address = ListenAddress(text), address.isLoopback else { return nil }
            self = .loopback(address)
        }
    }

    /// What means itself everywhere in a URL (RFC 3986, 2.3), but for the point.
    private static let unreserved = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_~"
    )

    /// What the web framework is told.
    var binding: BindAddress {
        switch self {
        case .loopback(let address): .hostname(address.host, port: address.port)
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
        case .loopback(let address): address.url(port: port ?? address.port)
        case .unix(let path):
            "http+unix://\(path.addingPercentEncoding(withAllowedCharacters: Self.unreserved) ?? path)"
        }
    }
}

extension AgentAddress: CustomStringConvertible {
    /// The address as it is given.
    package var description: String {
        switch self {
        case .loopback(let address): address.description
        case .unix(let path): "unix:\(path)"
        }
    }
}
