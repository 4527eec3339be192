internal import LocalService
internal import WaypostSchema

/// The listeners of a gateway.
package enum GatewayListener: Sendable, CaseIterable {
    /// The listener for batches, devices and the log.
    case service

    /// The listener for devices.
    case courier

    /// The listener for APNs clients, with TLS.
    case provider

    /// The listener for APNs clients, without TLS.
    case providerPlaintext

    /// The proxy for clients that try to connect to Apple.
    case proxy
}

extension GatewayConfiguration {
    /// The addresses of the configured listeners.
    var listeners: [GatewayListener: ListenAddress] {
        var listeners: [GatewayListener: ListenAddress] = [.service: service, .courier: courier]
        listeners[.provider] = provider
        listeners[.providerPlaintext] = providerPlaintext
        listeners[.proxy] = proxy
        return listeners
    }

    /// Returns the URL of a listener that got `port`.
    func url(of listener: GatewayListener, port: Int) -> String? {
        guard var address = listeners[listener] else { return nil }
        if address.isWildcard {
            // Others reach a trusted network's listener by names that the gateway need not know.
            address.host = trustsNetwork ? ListenAddress(port: 0).host : allowedHosts.firstName ?? address.host
        }
        return address.url(port: port, isSecure: isSecure(listener))
    }

    private func isSecure(_ listener: GatewayListener) -> Bool {
        switch listener {
        case .service: serviceTLS != nil
        case .courier: courierTLS != nil
        case .provider: true
        case .providerPlaintext, .proxy: false
        }
    }
}
