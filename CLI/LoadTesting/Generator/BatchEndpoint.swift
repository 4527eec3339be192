internal import LocalService
internal import NIOHTTP1
package import WaypostSchema

/// The address of a gateway's service listener, and what a request to it needs.
package struct BatchEndpoint: Sendable {
    let address: ListenAddress
    let headers: HTTPHeaders

    /// Creates the address from a URL such as `http://127.0.0.1:7330`, or returns `nil` if it is no such URL.
    ///
    /// - Parameters:
    ///   - url: the base URL of the listener.
    ///   - adminToken: the administrative token, if any.
    ///   - namespace: the namespace of the items, if not the standard one.
    package init?(_ url: String, adminToken: String?, namespace: Namespace?) {
        guard let address = ListenAddress(url: url) else { return nil }
        self.address = address
        var headers: HTTPHeaders = ["host": address.description, "content-type": "application/x-ndjson"]
        if let adminToken { headers.add(name: "authorization", value: "Bearer \(adminToken)") }
        if let namespace { headers.add(name: "x-waypost-namespace", value: namespace.rawValue) }
        self.headers = headers
    }

    /// Whether the address is one of this machine.
    package var isLoopback: Bool {
        address.isLoopback
    }
}
