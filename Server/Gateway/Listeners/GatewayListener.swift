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

extension GatewayListener {
    /// The name in messages.
    var name: String {
        switch self {
        case .service: "service"
        case .courier: "courier"
        case .provider: "provider"
        case .providerPlaintext: "plaintext provider"
        case .proxy: "proxy"
        }
    }

    /// The option that sets the address.
    var option: String {
        switch self {
        case .service: "--service"
        case .courier: "--courier"
        case .provider: "--provider"
        case .providerPlaintext: "--provider-plaintext"
        case .proxy: "--proxy"
        }
    }
}

extension GatewayConfiguration {
    /// The addresses of the configured listeners that are announced.
    var listeners: [GatewayListener: ListenAddress] {
        var listeners: [GatewayListener: ListenAddress] = [.service: service, .courier: courier]
        listeners[.provider] = provider
        listeners[.providerPlaintext] = providerPlaintext
        listeners[.proxy] = proxy
        return listeners
    }

    /// All addresses of the configured listeners.
    var addresses: [(listener: GatewayListener, address: ListenAddress)] {
        listeners.map { ($0.key, $0.value) } + furtherProviders.map { (.provider, $0) }
    }

    /// Returns the URL of a listener that got `port`, for programs on this machine.
    func url(of listener: GatewayListener, port: Int) -> String? {
        // On a trusted network, this machine need not know the names by which others call it.
        url(
            of: listener,
            port: port,
            wildcardName: trustsNetwork ? ListenAddress(port: 0).host : allowedHosts.firstName
        )
    }

    /// Returns the URL of a listener that got `port`, for others, as far as the gateway knows a name of its own.
    func remoteURL(of listener: GatewayListener, port: Int) -> String? {
        allowedHosts.firstName.map { url(of: listener, port: port, wildcardName: $0) } ?? url(of: listener, port: port)
    }

    private func url(of listener: GatewayListener, port: Int, wildcardName: String?) -> String? {
        guard var address = listeners[listener] else { return nil }
        if address.isWildcard, let wildcardName { address.host = wildcardName }
        return address.url(port: port, isSecure: isSecure(listener))
    }

    /// Returns whether a URL with TLS should have a host: the gateway's own certificate has it, or none that is better.
    func isSuitable(_ host: String) -> Bool {
        let names = allowedHosts.names
        return names.isEmpty || ListenAddress(host, port: 0).isLoopback || names.contains(host.lowercased())
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
