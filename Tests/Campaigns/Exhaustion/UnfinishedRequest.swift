import WaypostSchema

/// A request that a client begins and does not end.
struct UnfinishedRequest: Sendable {
    /// The listener and the part that arrives, for sentences.
    let name: String

    /// The URL of the listener in a ready file.
    let listener: @Sendable (GatewayReadyFile) -> String?

    /// The part that arrives.
    let bytes: [UInt8]

    /// The seconds after which the gateway closes the connection, as `docs/SECURITY.md` states them.
    let timeout: Int

    private init(
        _ name: String,
        sends text: String,
        timeout: Int = 15,
        to listener: @escaping @Sendable (GatewayReadyFile) -> String?
    ) {
        (self.name, self.bytes, self.timeout, self.listener) = (name, Array(text.utf8), timeout, listener)
    }

    /// Creates the start of a handshake of TLS: the head of a record with a `ClientHello`, and a part of that.
    private init(handshake name: String, with listener: @escaping @Sendable (GatewayReadyFile) -> String?) {
        let start: [UInt8] = [0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01, 0xFC, 0x03, 0x03]
        (self.name, bytes, timeout, self.listener) = (name, start + Array(repeating: 0x5A, count: 16), 15, listener)
    }

    /// All requests.
    static let all: [Self] = serviceRequests + courierRequests + plainProviderRequests + providerRequests

    private static let serviceRequests: [Self] = [
        Self("service, nothing", sends: "") { $0.service },
        Self("service, a part of the head", sends: "GET /v1/devices HTTP/1.1\r\nx-more: ") { $0.service },
        Self("service, a part of the body", sends: postHead("/v1/batches") + "{", timeout: 30) { $0.service },
        Self("service, no next request", sends: completeRequest, timeout: 75) { $0.service },
    ]

    private static let courierRequests: [Self] = [
        Self("courier, nothing", sends: "") { $0.courier },
        Self("courier, a part of the head", sends: "GET /v1/events HTTP/1.1\r\nx-more: ") { $0.courier },
        Self("courier, a part of the body", sends: postHead("/v1/acks") + "{", timeout: 30) { $0.courier },
    ]

    private static let plainProviderRequests: [Self] = [
        Self("provider without TLS, nothing", sends: "") { $0.providerPlaintext },
        Self("provider without TLS, a part of the preface", sends: "PRI * HTTP/2.0\r\n\r\nS") { $0.providerPlaintext },
        Self("provider without TLS, a part of the head", sends: "POST /3/device/c0ffee HTTP/1.1\r\nx-more: ") {
            $0.providerPlaintext
        },
        Self("provider without TLS, a part of the body", sends: postHead("/3/device/c0ffee") + "{", timeout: 30) {
            $0.providerPlaintext
        },
    ]

    private static let providerRequests: [Self] = [
        Self("provider, nothing", sends: "") { $0.provider },
        Self(handshake: "provider, a part of the handshake") { $0.provider },
    ]

    private static let completeRequest = "GET /health HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n"

    /// Returns the head of a request that announces a body of 100 bytes.
    private static func postHead(_ path: String) -> String {
        let authorization = "authorization: Bearer \(String(repeating: "0", count: 64))\r\n"
        return "POST \(path) HTTP/1.1\r\nhost: 127.0.0.1\r\n\(authorization)content-length: 100\r\n\r\n"
    }
}
