internal import LocalService

extension GatewayConfiguration {
    /// The listeners that other machines can reach without a required protection, each with an error for the first
    /// missing one.
    ///
    /// Unless the network is trusted, such a listener needs TLS, and the gateway needs authentication. If the listener
    /// has a wildcard address, the gateway also needs the name of a host by which clients call it.
    package var unprotectedListeners: [GatewayListener: GatewayStartError] {
        guard !trustsNetwork else { return [:] }
        return addresses.reduce(into: [:]) { errors, listener in
            let (kind, address) = listener
            guard !address.isLoopback, let missing = missingProtection(of: kind, at: address) else { return }
            errors[kind] = .unprotected(address, missing: missing)
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
        return address.isWildcard && allowedHosts.firstName == nil ? .allowedHost : nil
    }

    /// The allowed hosts, and the addresses of the listeners that other machines can reach.
    ///
    /// On a trusted network these are all addresses, because a container does not know its own before it runs.
    var effectiveAllowedHosts: AllowedHosts {
        let hosts = allowedHosts.allowing(
            addresses.map(\.address).filter { !$0.isLoopback && !$0.isWildcard }.map(\.host)
        )
        return trustsNetwork ? hosts.allowingAllAddresses() : hosts
    }

    /// The meaning of a trusted network, for people; `nil` if the network is not trusted.
    package var trustDescription: String? {
        guard trustsNetwork else { return nil }
        return "everyone who can reach the gateway may call it without TLS"
            + (authentication == .none ? " and without a token" : "")
    }
}
