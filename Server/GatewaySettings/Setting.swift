internal import Gateway
internal import HTTP2Sessions
internal import LocalService
internal import Logging
internal import PostgresStore
internal import WaypostSchema

/// A setting of the gateway, which is an option, an environment variable and a key of a settings file.
///
/// The raw value is its key in the file.
package enum Setting: String, CaseIterable, Sendable {
    case service
    case courier
    case provider
    case providerPlaintext = "provider-plaintext"
    case providerCertificate = "provider-certificate"
    case providerKey = "provider-key"
    case proxy
    case ca
    case clientCA = "client-ca"
    case maxConcurrentStreams = "max-concurrent-streams"
    case maxHeaderListSize = "max-header-list-size"
    case deviceRate = "device-rate"
    case answerDelay = "answer-delay"
    case recordRequests = "record-requests"
    case testTokens = "test-tokens"
    case allowedHost = "allowed-host"
    case trustNetwork = "trust-network"
    case console
    case strict
    case readyFile = "ready-file"
    case memory
    case store
    case databaseWait = "database-wait"
    case data
    case clock
    case authentication
    case tokenChurn = "token-churn"
    case providerEnvironment = "provider-environment"
    case missingExpiration = "missing-expiration"
    case logRetention = "log-retention"
    case redelivery
    case serviceCertificate = "service-certificate"
    case serviceKey = "service-key"
    case courierCertificate = "courier-certificate"
    case courierKey = "courier-key"
    case logLevel = "log-level"
    case logFormat = "log-format"

    /// The setting's option, such as `--ready-file`.
    package var flag: String {
        "--\(rawValue)"
    }

    /// The setting's environment variable, such as `WAYPOST_GATEWAY_READY_FILE`.
    package var variable: String {
        Self.prefix + rawValue.uppercased().replacing("-", with: "_")
    }

    /// The prefix of the environment variables, by which unknown settings are distinguished from other variables.
    package static let prefix = "WAYPOST_GATEWAY_"

    /// The name of the value in the help; `nil` if the option takes no value.
    package var valueName: String? {
        switch self {
        case .service, .courier, .providerPlaintext, .proxy: "addr:port"
        case .provider: "addr:port,..."
        case .providerCertificate, .providerKey, .clientCA, .readyFile, .serviceCertificate, .serviceKey,
            .courierCertificate,
            .courierKey:
            "file"
        case .maxConcurrentStreams, .deviceRate, .recordRequests: "count"
        case .maxHeaderListSize: "bytes"
        case .memory: "size"
        case .data, .ca: "folder"
        case .logRetention, .redelivery, .answerDelay, .databaseWait: "time"
        case .store, .clock, .authentication, .logLevel, .logFormat: rawValue
        case .console: "on|off"
        case .tokenChurn: "scope"
        case .providerEnvironment: "environment"
        case .missingExpiration: "store|drop"
        case .allowedHost: "name,..."
        case .strict, .testTokens, .trustNetwork: nil
        }
    }

    /// The values that are accepted; `nil` if they are true and false, or too many for a list.
    package var acceptedValues: [String]? {
        switch self {
        case .clock: ClockReading.Source.allCases.map(\.rawValue)
        case .authentication: Authentication.allCases.map(\.rawValue)
        case .tokenChurn: TokenChurnScope.allCases.map(\.rawValue)
        case .providerEnvironment: PushEnvironment.allCases.map(\.rawValue) + ["development"]
        case .missingExpiration: MissingExpiration.allCases.map(\.rawValue)
        case .console: GatewaySettings.ConsoleChoice.allCases.map(\.rawValue)
        case .logLevel: LogLevel.allCases.map(\.rawValue)
        case .logFormat: LogFormat.allCases.map(\.rawValue)
        default: nil
        }
    }

    /// The help text.
    package var summary: String {
        let sentence =
            switch self {
            case .service: "The address for batches, devices and the log; port 0 selects a free port."
            case .courier: "The address for devices (events, acknowledgements); port 0 selects a free port."
            case .provider:
                """
                The addresses for APNs clients with TLS (HTTP/2, HTTP/1.1), off by default; port 0 selects a free port. \
                The first is the one that the ready file names.
                """
            case .providerPlaintext: "The address for APNs clients without TLS; port 0 selects a free port."
            case .providerCertificate:
                "The certificate of the provider listener, in PEM, instead of one from the local authority."
            case .providerKey: "The private key of the provider listener's certificate, in PEM."
            case .proxy:
                "The address of a proxy that redirects Apple's push hosts to the provider listener, off by default."
            case .ca:
                "The local certificate authority's folder; missing files are created (default: ca in the data folder)."
            case .clientCA:
                "The authorities that sign the certificates of APNs clients, in PEM, instead of the local authority."
            case .maxConcurrentStreams: "The most requests that a provider's HTTP/2 connection may have open at once."
            case .maxHeaderListSize: "The most bytes that the headers of a provider's request may have."
            case .deviceRate:
                "The most notifications per second that providers may send to one device; no limit by default."
            case .answerDelay:
                """
                The time that each answer to an APNs client takes, such as 40ms, or p50=40ms,p99=200ms for a \
                distribution; no time by default.
                """
            case .recordRequests:
                """
                The number of requests of APNs clients to remember for each namespace, with their headers and bodies, \
                100 to 100000; by default, the last 100 without them.
                """
            case .testTokens:
                """
                Answer every APNs client's request for a token that begins with 7e57 and two digits, such as 7e5710, \
                with the reason that belongs to the digits.
                """
            case .allowedHost:
                "Names by which clients may call the listeners, besides localhost and loopback addresses."
            case .trustNetwork:
                """
                Listen on all IPv4 addresses, without TLS, and let everyone who can reach them call without a token: for \
                the network of a container.
                """
            case .console:
                "Whether the service listener has a page for browsers at /: on or off (default: on for a loopback address and with --trust-network)."
            case .strict: "Refuse provider requests with a finding that is an error, although APNs accepts them."
            case .readyFile: "Write the listeners' URLs to this file once all listeners accept connections."
            case .memory:
                """
                The memory that the gateway may use, such as 512MiB or 2GiB (default: the limit of the container or \
                the process, or else the memory of the machine).
                """
            case .store:
                "The store: sqlite, memory (nothing survives a restart), or the URI of a database, postgres://...."
            case .databaseWait:
                """
                The time to wait at the start for a database that is not ready, for example because its server \
                recovers; 0 ends the gateway at once.
                """
            case .data: "The folder of the sqlite store; created if it does not exist."
            case .clock: "The source of time: system, or manual (changed only by POST /v1/clock/advance)."
            case .authentication:
                "Sender authentication: none (anyone on this machine), token (signed tokens), or apns (APNs' rules)."
            case .tokenChurn:
                "What gets one new provider token in 20 minutes, with --authentication apns: each connection, or each key."
            case .providerEnvironment:
                """
                The environment of the provider listeners, sandbox or production, by which tokens of the other one are \
                refused; by default, none. The proxy decides by the host name.
                """
            case .missingExpiration:
                """
                What happens to a notification without an expiration if its device is unreachable: store, as Apple documents \
                it, or drop, as some developers observed.
                """
            case .logRetention:
                "The time to keep ended notifications in the delivery log, such as 24h, 30m or 90s; 0 keeps no log."
            case .redelivery: "The time to wait for an acknowledgement before sending again, such as 30s."
            case .serviceCertificate: "Use TLS on the service listener, with this certificate, in PEM."
            case .serviceKey: "The private key of the service listener's certificate, in PEM."
            case .courierCertificate: "Use TLS on the courier listener, with this certificate, in PEM."
            case .courierKey: "The private key of the courier listener's certificate, in PEM."
            case .logLevel: "The lowest level to log on standard error: debug, info, notice, warning or error."
            case .logFormat: "The format of the log: text, or json (one object per line)."
            }
        return defaultValue.map { "\(sentence) (default: \($0))" } ?? sentence
    }

    /// The default value; `nil` if there is none.
    package var defaultValue: String? {
        let configuration = GatewaySettings().configuration
        switch self {
        case .service: return configuration.service.description
        case .courier: return configuration.courier.description
        case .providerPlaintext: return configuration.providerPlaintext?.description
        case .maxConcurrentStreams: return "\(configuration.http2.concurrentStreamCount)"
        case .maxHeaderListSize: return "\(configuration.http2.headerListSize)"
        case .store: return configuration.store.name
        case .databaseWait: return Seconds(configuration.databaseWait.limit).description
        case .data: return GatewaySettings.defaultDataFolder
        case .clock: return configuration.clock.rawValue
        case .authentication: return configuration.authentication.rawValue
        case .tokenChurn: return configuration.tokenChurn.rawValue
        case .missingExpiration: return configuration.missingExpiration.rawValue
        case .logRetention: return Seconds(count: configuration.logRetention).description
        case .redelivery: return Seconds(count: configuration.redelivery.initialDelay).description
        case .logLevel: return GatewaySettings().logLevel.rawValue
        case .logFormat: return GatewaySettings().logFormat.rawValue
        case .provider, .providerCertificate, .providerEnvironment, .providerKey, .proxy, .ca, .clientCA, .deviceRate,
            .answerDelay, .recordRequests, .testTokens,
            .allowedHost, .console, .memory, .strict, .trustNetwork, .readyFile, .serviceCertificate, .serviceKey,
            .courierCertificate, .courierKey:
            return nil
        }
    }
}
