internal import CoreMetrics
internal import WaypostSchema

/// What a provider's connection speaks, as ALPN calls it (RFC 9113, section 3.1; RFC 7301, section 6).
enum ProviderProtocol: String, CaseIterable, Sendable {
    case http2 = "h2"
    case http1 = "http/1.1"
}

extension GatewayMetrics {
    /// Counts a provider's connection that opened.
    func noteOpen(_ name: ProviderProtocol) {
        connections[name]?.increment()
    }

    /// Counts a provider's connection that closed.
    func noteClosed(_ name: ProviderProtocol) {
        connections[name]?.decrement()
    }

    /// Counts a send that took a fault.
    func note(_ fault: SendFault) {
        Counter(.providerFaults, [("kind", fault.kind.rawValue)], factory).increment()
    }
}
