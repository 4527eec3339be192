internal import Foundation
internal import Hummingbird
package import LocalService
internal import NIOCore
internal import NIOPosix

/// The address of one of an agent's APIs: a loopback address or a Unix domain socket.
///
/// Anyone who reaches the control API can act as the user, so no other address is accepted.
package enum AgentAddress: Sendable, Equatable {
    /// A loopback address and a port.
    case loopback(ListenAddress)

    /// The path of a socket.
    case unix(path: String)

    /// Any free port of 127.0.0.1.
    package static let standard = loopback(ListenAddress(port: 0))

    /// Parses `127.0.0.1:7340`, `[::1]:0`, `localhost:7340` or `unix:/run/agent.sock`; `nil` for any
    /// other text.
    package init?(_ text: String) {
        if text.hasPrefix("unix:") {
            let path = String(text.dropFirst(5))
            // The longest path that fits into the system's `sockaddr_un`.
            guard !path.isEmpty, path.utf8.count <= 107 else { return nil }
            self = .unix(path: path)
        } else {
            guard let address = ListenAddress(text), address.isLoopback else { return nil }
            self = .loopback(address)
        }
    }

    /// The characters that need no escape in a URL (RFC 3986, 2.3), except the period.
    private static let unreserved = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_~"
    )

    /// The address for the web framework.
    var binding: BindAddress {
        switch self {
        case .loopback(let address): .hostname(address.host, port: address.port)
        case .unix(let path): .unixDomainSocket(path: path)
        }
    }

    /// Whether another process listens on the Unix domain socket, which this one must not take from it.
    ///
    /// The system itself refuses a port in use.
    var isTaken: Bool {
        get async {
            guard case .unix(let path) = self else { return false }
            let connection = try? await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                .connect(unixDomainSocketPath: path).get()
            try? await connection?.close().get()
            return connection != nil
        }
    }

    /// Returns the base URL of the listener, with the port that the system chose.
    func url(port: Int?) -> String {
        switch self {
        case .loopback(let address): address.url(port: port ?? address.port)
        case .unix(let path):
            "http+unix://\(path.addingPercentEncoding(withAllowedCharacters: Self.unreserved) ?? path)"
        }
    }
}

extension AgentAddress: CustomStringConvertible {
    /// The address as it is written on the command line.
    package var description: String {
        switch self {
        case .loopback(let address): address.description
        case .unix(let path): "unix:\(path)"
        }
    }
}
