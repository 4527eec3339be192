package import AsyncHTTPClient
internal import Foundation
internal import NIOCore
internal import NIOSSL

extension HTTPClient.Configuration {
    /// The configuration of clients of gateways and agents.
    ///
    /// The environment variable `SSL_CERT_FILE` names the authorities (PEM) to trust instead of the system's.
    ///
    /// An unreachable server is reported at once, because the caller knows better whether and when to retry. A stream
    /// that is silent for three heartbeats of the gateway is dead.
    package static var waypost: Self {
        var configuration = Self(timeout: Timeout(connect: .seconds(10), read: .seconds(45)))
        configuration.connectionPool.retryConnectionEstablishment = false
        // The variable that curl and OpenSSL use, too.
        if let authority = ProcessInfo.processInfo.environment["SSL_CERT_FILE"], !authority.isEmpty {
            var tls = TLSConfiguration.makeClientConfiguration()
            tls.trustRoots = .file(authority)
            configuration.tlsConfiguration = tls
        }
        return configuration
    }

    /// The configuration of clients that open the event streams of many devices: each has a connection of its own.
    package static var streams: Self {
        var configuration = waypost
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 20_000
        return configuration
    }

    /// The configuration of clients in app processes.
    ///
    /// They have no read time-out: an agent on the same machine is silent while nothing happens, and its connection
    /// ends with it.
    package static var apps: Self {
        var configuration = waypost
        configuration.timeout.read = nil
        return configuration
    }

    /// The configuration of an agent's client of its own control API, for requests that come through the gateway.
    package static var relay: Self {
        var configuration = apps
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 1_000
        return configuration
    }
}
