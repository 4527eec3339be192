internal import Foundation
internal import GatewayClient
internal import NIOHTTP1
package import WaypostSchema

/// The address of a gateway's service listener, and what a request to it needs.
package struct BatchEndpoint: Sendable {
    let host: String
    let port: Int
    let headers: HTTPHeaders

    /// Creates the address from a URL such as `http://127.0.0.1:7330`, or returns `nil` if it is no such URL.
    ///
    /// - Parameters:
    ///   - url: the base URL of the listener.
    ///   - adminToken: the administrative token, if any.
    ///   - namespace: the namespace of the items, if not the standard one.
    package init?(_ url: String, adminToken: String?, namespace: Namespace?) {
        guard let address = ListenerAddress(url), address.scheme == "http" else { return nil }
        (host, port) = (address.host, address.port)
        var headers: HTTPHeaders = ["host": address.authority, "content-type": "application/x-ndjson"]
        if let adminToken { headers.add(name: "authorization", value: "Bearer \(adminToken)") }
        if let namespace { headers.add(name: "x-waypost-namespace", value: namespace.rawValue) }
        self.headers = headers
    }

    /// Whether the address is one of this machine.
    package var isLoopback: Bool {
        LoopbackHost.contains(host)
    }
}

/// The parts of a listener's URL.
struct ListenerAddress: Sendable {
    let scheme: String

    /// The host, without the brackets of an IPv6 address.
    let host: String

    let port: Int

    /// The host and the port as in a URL.
    let authority: String

    /// Reads a URL such as `http://127.0.0.1:7330`, or returns `nil` if it is no such URL.
    init?(_ url: String) {
        guard let components = URL(string: url), let scheme = components.scheme, let host = components.host(),
            let port = components.port
        else { return nil }
        self.scheme = scheme
        self.host = host.trimmingCharacters(in: CharacterSet(charactersIn: "[]"))
        self.port = port
        authority = self.host.contains(":") ? "[\(self.host)]:\(port)" : "\(self.host):\(port)"
    }
}
