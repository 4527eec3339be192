package import AsyncHTTPClient
internal import NIOCore

extension HTTPClient.Configuration {
    /// The configuration of clients of gateways and agents.
    ///
    /// Who cannot be reached is reported at once, as the caller knows better whether and when to try again. A stream on
    /// which nothing came for three heartbeats of the gateway is dead.
    package static var waypost: Self {
        var configuration = Self(timeout: Timeout(connect: .seconds(10), read: .seconds(45)))
        configuration.connectionPool.retryConnectionEstablishment = false
        return configuration
    }

    /// The configuration of processes of apps: an agent on the same machine says nothing while nothing happens, and its
    /// connection ends with it.
    package static var apps: Self {
        var configuration = waypost
        configuration.timeout.read = nil
        return configuration
    }
}
