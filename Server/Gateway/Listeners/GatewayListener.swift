internal import LocalService

/// The listeners that a gateway may have.
enum GatewayListener: CaseIterable {
    /// Where providers and people call: batches, devices, the log.
    case service

    /// Where devices connect.
    case courier

    /// Where APNs clients connect, with TLS.
    case provider

    /// The same without TLS.
    case providerPlaintext

    /// Where clients connect that believe to reach Apple through a proxy.
    case proxy
}

extension GatewayConfiguration {
    /// Where the listeners are that there are.
    var listeners: [GatewayListener: ListenAddress] {
        var listeners: [GatewayListener: ListenAddress] = [.service: service, .courier: courier]
        listeners[.provider] = provider
        listeners[.providerPlaintext] = providerPlaintext
        listeners[.proxy] = proxy
        return listeners
    }

    /// The URL of a listener that got `port`.
    func url(of listener: GatewayListener, port: Int) -> String? {
        listeners[listener]?.url(
            port: port,
            isSecure: listener == .provider || listener == .courier && courierTLS != nil
        )
    }
}
