internal import LocalService

extension GatewayConfiguration {
    /// Returns the first protection that each listener lacks, if other machines can reach it.
    ///
    /// Beyond loopback, a listener needs TLS and the gateway needs authentication. Clients must know a name of a listener
    /// that has no address of its own.
    package var unprotectedListeners: [GatewayListener: GatewayStartError] {
        listeners.reduce(into: [:]) { errors, listener in
            let (kind, address) = listener
            guard !address.isLoopback, let missing = missingProtection(of: kind, at: address) else { return }
            errors[kind] = .unprotected(address, missing)
        }
    }

    private func missingProtection(
        of listener: GatewayListener,
        at address: ListenAddress
    ) -> GatewayStartError.Protection? {
        switch listener {
        case .providerPlaintext, .proxy: return .loopbackOnly
        case .service where serviceTLS == nil: return .tls(options: "--service-certificate and --service-key")
        case .courier where courierTLS == nil: return .tls(options: "--courier-certificate and --courier-key")
        case .service, .courier, .provider: break
        }
        guard authentication != .none else { return .authentication }
        return address.isWildcard && allowedHosts.first == nil ? .name : nil
    }

    /// The hosts by which clients may call the listeners, with the addresses of listeners that others can reach.
    var hosts: AllowedHosts {
        allowedHosts.allowing(listeners.values.filter { !$0.isLoopback && !$0.isWildcard }.map(\.host))
    }
}
