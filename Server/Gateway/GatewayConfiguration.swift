package import Deflate
internal import GatewayStore
package import HTTP2Sessions
package import LocalService
package import PostgresStore
package import WaypostSchema

/// The configuration of a gateway.
package struct GatewayConfiguration: Sendable {
    /// The address of the service listener, for batches, devices and the log.
    package var service = ListenAddress(port: 7330)

    /// The address of the courier listener, for devices.
    package var courier = ListenAddress(port: 7331)

    /// The address of the provider listener, for APNs clients, if any; it requires `providerTLS` or `authorityFolder`.
    package var provider: ListenAddress?

    /// Further addresses of the provider listener with TLS, which the ready file does not name.
    package var furtherProviders: [ListenAddress] = []

    /// The address of the provider listener without TLS, if any.
    package var providerPlaintext: ListenAddress?

    /// The address of the proxy that redirects connections for Apple's push hosts to the gateway, if any.
    ///
    /// It requires `providerTLS` or `authorityFolder`.
    package var proxy: ListenAddress?

    /// The hosts by which clients may call the listeners.
    package var allowedHosts = AllowedHosts()

    /// Whether the listeners need neither TLS nor authentication on any address, as on the network of a container.
    ///
    /// Pages of other web sites are still refused.
    package var trustsNetwork = false

    /// Whether providers' unusual requests are refused, even if APNs does not call them an error.
    package var isStrict = false

    /// The path of the ready file, if any.
    package var readyFile: String?

    /// The store for notifications.
    package var store = StoreChoice.memory

    /// The wait for a database that is not ready when the gateway starts.
    package var databaseWait = DatabaseWait(limit: .seconds(30))

    /// The clock.
    package var clock = ClockReading.Source.system

    /// The memory in bytes that the gateway may use; `nil` for what the system allows.
    package var memory: Int?

    /// The limits for a batch.
    package var batchLimits = BatchLimits()

    /// The limits for all batches that are in progress at the same time.
    package var intakeLimits = IntakeLimits()

    /// The time between two sweeps of expired notifications, if the clock is the system's.
    package var sweepInterval = Duration.seconds(1)

    /// The seconds between two comments on an idle event stream, which show both ends that the connection is alive.
    package var heartbeatInterval = 15

    /// The seconds for which a client may read nothing of a stream or response before its connection is closed.
    package var stallTimeout = 45

    /// The time-out in seconds for the start of a request to the courier or a provider listener.
    ///
    /// The rest of the request may take twice as long, and the next request several times as long.
    package var requestTimeout = 15

    /// The limits of a provider's HTTP/2 connection.
    package var http2 = HTTP2Limits()

    /// The number of notifications per second that providers may send to one device, or `nil` for no limit.
    package var deviceRate: Int?

    /// The time that an answer to a provider takes; `nil` for answers at once.
    package var answerDelay: AnswerDelay?

    /// The number of providers' requests to remember for each namespace, with their headers and bodies.
    ///
    /// `nil` remembers the last 100 without them.
    package var recordedRequests: Int?

    /// Whether requests to the provider listeners for a test token always get its answer (`TestToken`).
    package var hasTestTokens = false

    /// The limits for the notifications of a device that are kept in memory.
    package var sessionLimits = SessionLimits()

    /// The delays before an unacknowledged notification is sent again.
    package var redelivery = RedeliveryPolicy()

    /// The certificate and key of the service listener; without them it uses plain HTTP.
    package var serviceTLS: TLSFiles?

    /// The certificate and key of the courier listener; without them it uses plain HTTP.
    package var courierTLS: TLSFiles?

    /// The certificate and key of the provider listener.
    package var providerTLS: TLSFiles?

    /// The path of the authorities that sign providers' certificates, in PEM, if not the one in `authorityFolder`.
    package var providerAuthorities: String?

    /// The folder of the authority that creates the provider listener's certificate if `providerTLS` is `nil`.
    package var authorityFolder: String?

    /// The seconds for which the delivery log keeps ended notifications; 0 disables the log.
    package var logRetention = Retention.logLifetime

    /// The authentication of providers and administrators.
    package var authentication = Authentication.none

    /// The meaning of a missing expiration.
    package var missingExpiration = MissingExpiration.store

    /// The environment of requests to the provider listeners by other names than Apple's; `nil` for none.
    package var providerEnvironment: PushEnvironment?

    /// The scope of the time between two provider tokens, with `Authentication.apns`.
    package var tokenChurn = TokenChurnScope.connection

    /// Whether the service listener has the console; `nil` if it has it on loopback and on a trusted network only.
    package var console: Bool?

    /// Creates the default configuration.
    package init() {}
}

/// The authentication that a gateway requires from providers and administrators.
package enum Authentication: String, Sendable, CaseIterable {
    /// None: everyone who can reach the gateway, which by default is every process on this machine.
    case none

    /// Providers need a token that a key has signed and that has not expired; all others need the administrative token.
    case token

    /// Providers must follow all of APNs' rules for the tokens of a connection; all others need the administrative
    /// token.
    case apns
}

/// The scope in which a new provider token must not follow another one within 20 minutes.
package enum TokenChurnScope: String, Sendable, CaseIterable {
    /// A connection.
    case connection

    /// A key, on all connections.
    case key
}

/// The files for a listener's TLS, in PEM.
package struct TLSFiles: Sendable, Equatable {
    /// The path of the certificate, followed in the file by the intermediate certificates that it needs.
    package var certificate: String

    /// The path of its private key.
    package var key: String

    /// Creates the value from its parts.
    package init(certificate: String, key: String) {
        self.certificate = certificate
        self.key = key
    }
}

/// The choice of a gateway's store.
package enum StoreChoice: Sendable, Equatable {
    /// In memory: nothing survives the process.
    case memory

    /// In a PostgreSQL database, which other gateways may use, too.
    case postgres(PostgresAddress)

    /// In an SQLite database in `folder`, which is created if it does not exist.
    case sqlite(folder: String)

    /// The choice's name on the command line.
    package var name: String {
        switch self {
        case .memory: "memory"
        case .postgres: "postgres"
        case .sqlite: "sqlite"
        }
    }

    /// The choice and its place, for people.
    package var summary: String {
        switch self {
        case .memory: "memory; nothing survives a restart"
        case .postgres(let address): "\(address)"
        case .sqlite(let folder): "sqlite, in \(folder)"
        }
    }

    /// The folder of the database, if any.
    package var folder: String? {
        if case .sqlite(let folder) = self { folder } else { nil }
    }
}

/// The limits for a batch.
package struct BatchLimits: Sendable, Equatable {
    /// The maximum size of a body in bytes, as it is sent.
    package var bodySize = 64 << 20

    /// The limits for inflating the body.
    package var inflation = InflationLimits()

    /// The maximum number of items.
    package var items = 100_000

    /// The maximum size in bytes of an item, or of its line: several times the largest payload.
    package var itemSize = 256 << 10

    /// Creates the default limits.
    package init() {}
}

/// The meaning of a missing expiration, about which sources differ (docs/gateway.md).
package enum MissingExpiration: String, CaseIterable, Sendable {
    /// The notification is stored, as Apple's documents say.
    case store

    /// The notification is delivered now or dropped, as if the expiration were 0.
    case drop
}
