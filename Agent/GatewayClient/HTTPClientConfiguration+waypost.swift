package import AsyncHTTPClient
internal import NIOCore

extension HTTPClient.Configuration {
    /// The configuration of clients of gateways and agents.
    ///
    /// An unreachable server is reported at once, because the caller knows better whether and when to retry. A stream
    /// that is silent for three heartbeats of the gateway is dead.
    package static var waypost: Self {
        var configuration = Self(timeout: Timeout(connect: .seconds(10), read: .seconds(45)))
        configuration.connectionPool.retryConnectionEstablishment = false
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
}
