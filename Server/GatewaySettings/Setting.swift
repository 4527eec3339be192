internal import Gateway
internal import HTTP2Sessions
internal import LocalService
internal import Logging
internal import WaypostSchema

/// A setting of the gateway, which is a flag, a variable of the environment and a key of a settings file alike.
///
/// The raw value is its name in a file.
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
    case strict
    case readyFile = "ready-file"
    case store
    case data
    case clock
    case authentication
    case logRetention = "log-retention"
    case redelivery
    case courierCertificate = "courier-certificate"
    case courierKey = "courier-key"
    case logLevel = "log-level"
    case logFormat = "log-format"

    /// The setting as a flag, such as `--ready-file`.
    package var flag: String {
        "--\(rawValue)"
    }

    /// The setting as a variable of the environment, such as `WAYPOST_GATEWAY_READY_FILE`.
    package var variable: String {
        Self.prefix + rawValue.uppercased().replacing("-", with: "_")
    }

    /// What the variables begin with, so that others can be told to be none.
    package static let prefix = "WAYPOST_GATEWAY_"

    /// What its value is called in the help; `nil` where the flag alone says it.
    package var valueName: String? {
        switch self {
        case .service, .courier, .provider, .providerPlaintext, .proxy: "addr:port"
        case .providerCertificate, .providerKey, .clientCA, .readyFile, .courierCertificate, .courierKey: "file"
        case .maxConcurrentStreams, .deviceRate: "count"
        case .maxHeaderListSize: "bytes"
        case .data, .ca: "folder"
        case .logRetention, .redelivery: "time"
        case .store, .clock, .authentication, .logLevel, .logFormat: rawValue
        case .strict: nil
        }
    }

    /// What it is for, for the help.
    package var summary: String {
        let sentence =
            switch self {
            case .service: "Where batches, devices and the log are; port 0: any free one."
            case .courier: "Where devices connect (events, acks); port 0: any free one."
            case .provider: "Where APNs clients connect with TLS (HTTP/2 and HTTP/1.1); port 0: any free one."
            case .providerPlaintext: "Where APNs clients connect without TLS; port 0: any free one."
            case .providerCertificate:
                "The certificate of the provider listener, in PEM, if not one of the local authority."
            case .providerKey: "The private key of the provider listener's certificate, in PEM."
            case .proxy: "Where a proxy is that ends connections to Apple's push hosts at the provider listener."
            case .ca:
                "The folder of the local certificate authority; what is not there is made (default: ca in the data folder)."
            case .clientCA:
                "The authorities that sign the certificates of APNs clients, in PEM, if not the local authority."
            case .maxConcurrentStreams: "How many requests a provider's HTTP/2 connection may have open at once."
            case .maxHeaderListSize: "How large the headers of a provider's request may be."
            case .deviceRate:
                "How many notifications a second providers may send to one device; any number where absent."
            case .strict: "Refuse what APNs does not call an error, but unusual."
            case .readyFile: "Write the listeners' URLs to this file once all accept."
            case .store: "Where to keep notifications: sqlite, or memory (nothing survives a restart)."
            case .data: "The folder of the sqlite store; it is made where it is not there."
            case .clock: "Where the time comes from: the system, or manual (POST /v1/clock/advance alone)."
            case .authentication:
                "Who may send: everybody on this machine (none), who shows a signed token (token), or as APNs has it (apns)."
            case .logRetention: "How long the delivery log keeps what has ended, like 24h, 30m or 90s; 0: no log."
            case .redelivery: "How long to wait for an acknowledgement before sending again, like 30s."
            case .courierCertificate: "Let the courier listener speak TLS with this certificate, in PEM."
            case .courierKey: "The private key of the courier's certificate, in PEM."
            case .logLevel: "How much to log on standard error: debug, info, notice, warning or error."
            case .logFormat: "How to log: text, or json (one object a line)."
            }
        return standard.map { "\(sentence) (default: \($0))" } ?? sentence
    }

    /// What it is where nothing is said; `nil` where there is nothing then.
    package var standard: String? {
        let configuration = GatewaySettings().configuration
        switch self {
        case .service: return configuration.service.description
        case .courier: return configuration.courier.description
        case .providerPlaintext: return configuration.providerPlaintext?.description
        case .maxConcurrentStreams: return "\(configuration.http2.concurrentStreams)"
        case .maxHeaderListSize: return "\(configuration.http2.headerList)"
        case .store: return configuration.store.name
        case .data: return GatewaySettings.folder
        case .clock: return configuration.clock.rawValue
        case .authentication: return configuration.authentication.rawValue
        case .logRetention: return Seconds(count: configuration.logRetention).description
        case .redelivery: return Seconds(count: configuration.redelivery.first).description
        case .logLevel: return GatewaySettings().logLevel.rawValue
        case .logFormat: return GatewaySettings().logFormat.rawValue
        case .provider, .providerCertificate, .providerKey, .proxy, .ca, .clientCA, .deviceRate, .strict, .readyFile,
            .courierCertificate,
            .courierKey:
            return nil
        }
    }
}
