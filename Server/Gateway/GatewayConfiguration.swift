package import Deflate
internal import GatewayStore
package import HTTP2Sessions
package import LocalService
internal import Logging
package import WaypostSchema

/// How a gateway is run.
package struct GatewayConfiguration: Sendable {
    /// Where the service listener is, for batches, devices and the log.
    package var service = ListenAddress(port: 7330)

    /// Where the courier listener is, for devices.
    package var courier = ListenAddress(port: 7331)

    /// Where the provider listener is, for APNs clients, if anywhere; it needs `providerTLS` or `authorityFolder`.
    package var provider: ListenAddress?

    /// Where the provider listener without TLS is, if anywhere.
    package var providerPlaintext: ListenAddress?

    /// Where the proxy is that ends connections to Apple's push hosts here, if anywhere; it needs what the provider listener needs.
    package var proxy: ListenAddress?

    /// Whether providers are refused what APNs does not call an error, but unusual.
    package var isStrict = false

    /// Where to write the ready file, if anywhere.
    package var readyFile: String?

    /// Where notifications are kept.
    package var store = StoreChoice.memory

    /// Where the time comes from.
    package var clock = ClockReading.Source.system

    /// What a batch may measure.
    package var batchLimits = BatchLimits()

    /// What all batches that are being taken in may have at once.
    package var intakeLimits = IntakeLimits()

    /// The time between two looks for what has expired, where the clock is the system's.
    package var sweepInterval = Duration.seconds(1)

    /// The seconds between two comment lines on a quiet event stream, which tell both ends that the other is there.
    package var heartbeatInterval = 15

    /// The seconds that a reader may take nothing of a stream, or of any answer, before its connection is closed.
    package var stallTimeout = 45

    /// The seconds that a client of the courier or of a provider listener may take to begin; the rest of a request may take
    /// twice as long, and the next one some times that.
    package var requestTimeout = 15

    /// What a provider's HTTP/2 connection may have going at once.
    package var http2 = HTTP2Limits()

    /// How many notifications a second providers may send to one device; `nil` for any number.
    package var deviceRate: Int?

    /// How much of a device's notifications is in mind at once.
    package var sessionLimits = SessionLimits()

    /// When what was not acknowledged is sent again.
    package var redelivery = RedeliveryPolicy()

    /// The certificate and key of the courier listener, which speaks plain HTTP without.
    package var courierTLS: TLSFiles?

    /// The certificate and key of the provider listener.
    package var providerTLS: TLSFiles?

    /// The authorities that sign providers' certificates, in PEM, if not the one in `authorityFolder`.
    package var providerAuthorities: String?

    /// The folder of the authority that makes the provider listener's certificate where there is none.
    package var authorityFolder: String?

    /// The seconds for which the delivery log keeps what has ended; 0 keeps no log.
    package var logRetention = 24 * 60 * 60

    /// Who may send, and who may administer.
    package var authentication = Authentication.none

    /// Creates the default configuration.
    package init() {}
}

/// Who may send to a gateway, and who may administer it.
package enum Authentication: String, Sendable, CaseIterable {
    /// Everybody who reaches it, which is this machine.
    case none

    /// Providers show a token that is signed by a key, and not too old; everybody else the administrative token.
    case token

    /// Providers keep to all that APNs asks of a connection's tokens; everybody else shows the administrative token.
    case apns
}

/// The files that a listener's TLS needs, in PEM.
package struct TLSFiles: Sendable, Equatable {
    /// The path of the certificate, with those that it needs behind it.
    package var certificate: String

    /// The path of its private key.
    package var key: String

    /// Creates the value from its parts.
    package init(certificate: String, key: String) {
        self.certificate = certificate
        self.key = key
    }
}

/// Where a gateway keeps notifications.
package enum StoreChoice: Sendable, Equatable {
    /// In memory: nothing survives the process.
    case memory

    /// In an SQLite database in `folder`, which is made where it is not there.
    case sqlite(folder: String)

    /// The choice's name on the command line.
    package var name: String {
        switch self {
        case .memory: "memory"
        case .sqlite: "sqlite"
        }
    }

    /// The folder that notifications are kept in, if any.
    package var folder: String? {
        if case .sqlite(let folder) = self { folder } else { nil }
    }
}

/// What a batch may measure.
package struct BatchLimits: Sendable, Equatable {
    /// The most bytes of a body as it is sent, compressed or not.
    package var bodySize = 64 << 20

    /// What the body may inflate to.
    package var inflation = InflationLimits()

    /// The most items.
    package var items = 100_000

    /// The most bytes of an item, or of its line: some times the largest payload.
    package var itemSize = 256 << 10

    /// Creates the default limits.
    package init() {}
}

extension StoreChoice {
    /// Opens the store that was chosen, and logs what a person should hear about it.
    ///
    /// - Throws: `GatewayStartError.cannotOpenStore`.
    func open(
        logRetention: Int,
        logger: Logger,
        onCommit: @escaping @Sendable (CommitReport) -> Void
    ) throws(GatewayStartError) -> SQLiteStore {
        var tuning = SQLiteTuning()
        tuning.logRetention = logRetention
        do throws(StoreOpeningError) {
            switch self {
            case .memory: return try SQLiteStore.inMemory(tuning: tuning, onCommit: onCommit)
            case .sqlite(let folder):
                let opened = try SQLiteStore.open(in: folder, tuning: tuning, onCommit: onCommit)
                if let lost = opened.report.lost { logger.error("\(lost)") }
                return opened.store
            }
        } catch {
            throw .cannotOpenStore("\(error)")
        }
    }
}
