/// An option of a load test: an option of the command line, and a key of a profile.
///
/// The raw value is its name in both. The cases are in the order of the help.
package enum LoadOption: String, CaseIterable, Sendable {
    case rate
    case rates
    case poisson
    case closed
    case duration
    case warmUp = "warm-up"
    case drain
    case api
    case connections
    case batch
    case coding
    case level
    case streams
    case tls
    case authentication
    case key
    case keyID = "key-id"
    case team
    case topic
    case payload
    case samePayload = "same-payload"
    case payloadFile = "payload-file"
    case pushType = "push-type"
    case targetContentID = "target-content-id"
    case collapseIDs = "collapse-ids"
    case expiration
    case zipf
    case inTurn = "in-turn"
    case badTokens = "bad-tokens"
    case broadcast
    case devices
    case devicesPerCredential = "devices-per-credential"
    case behavior
    case storm
    case offline
    case seed
    case slo
    case name

    /// The form of an option's values, as far as the form alone decides what is accepted.
    package enum Form: Sendable, Equatable {
        case flag
        case string
        /// One of some words.
        case choice([String])
        case integer(ClosedRange<Int>)
        case number
        /// A number, or an expression with several.
        case numbers
        case duration
        case share
        /// The path of a file.
        case path
        /// The path of a behavior file; in a profile, also its content.
        case behavior
        /// Strings, each of which counts.
        case list
    }

    /// The form, the description for people, and the name of the value in the help.
    package var declaration: (form: Form, summary: String, valueName: String) {
        switch self {
        case .rate:
            (
                .numbers,
                "The notifications per second: 2000, a ramp 100..2000, or steps 500:10s,1000:20s (default: 1000).",
                "rate"
            )
        case .rates: (.path, "A file with the rate of each second, one number per line, instead of 'rate'.", "file")
        case .poisson: (.flag, "Let the times vary as those of independent senders do.", "")
        case .closed: (.flag, "Send as soon as the connections can, instead of at a rate.", "")
        case .duration: (.duration, "The length of the measured part (default: 10s).", "time")
        case .warmUp: (.duration, "The part before it, which does not count (default: 0s).", "time")
        case .drain: (.duration, "The longest wait for arrivals at the end (default: 10s).", "time")
        case .api:
            (
                .choice(["batches", "provider"]),
                "The API: batches, or provider, which is the API of APNs over HTTP/2 (default: batches).", "api"
            )
        case .connections: (.integer(1...256), "The connections that send (default: 4).", "count")
        case .batch:
            (.integer(1...10_000), "The notifications of a batch (default: a tenth of a second's, 1 to 500).", "count")
        case .coding:
            (
                .choice(["gzip", "deflate", "none"]),
                "The content coding of batches: gzip, deflate or none (default: gzip).", "coding"
            )
        case .level: (.integer(0...9), "The level of the compression, 0 to 9 (default: 1).", "level")
        case .streams:
            (.integer(1...1_000), "The open requests of a connection to the provider API (default: 100).", "maximum")
        case .tls: (.flag, "Use TLS for the provider API.", "")
        case .authentication:
            (
                .choice(["none", "token", "certificate"]),
                "The authentication at the provider API: none, token or certificate (default: none).", "authentication"
            )
        case .key: (.path, "Your key (.p8) for provider tokens, instead of one that the test makes.", "file")
        case .keyID: (.string, "The identifier of that key (default: that in the name AuthKey_ID.p8).", "id")
        case .team: (.string, "The team of that key.", "team")
        case .topic: (.string, "The topic of all notifications (default: com.example.clowntown).", "topic")
        case .payload:
            (
                .numbers,
                "The size of a payload, or several with their shares, such as 200:90%,4000:10% (default: 200).",
                "bytes"
            )
        case .samePayload: (.flag, "Give all notifications the same payload.", "")
        case .payloadFile: (.path, "The file with the payload of all notifications, in JSON.", "file")
        case .pushType:
            (.string, "The push type, or both, such as alert:80%,background:20% (default: alert).", "type")
        case .targetContentID: (.list, "A target content identifier; several are used in turn.", "id")
        case .collapseIDs:
            (.integer(0...1_000_000), "The number of different collapse identifiers (default: 0, none).", "count")
        case .expiration:
            (
                .string,
                "The expiration: none, now or a time, or several with their shares, such as none:90%,1h:10% "
                    + "(default: none).",
                "time"
            )
        case .zipf:
            (
                .number, "The skew of the distribution over devices: the exponent of Zipf's law (default: 0, none).",
                "exponent"
            )
        case .inTurn: (.flag, "Give the devices notifications in turn, instead of by chance.", "")
        case .badTokens:
            (.share, "The share of notifications for tokens that do not exist (default: 0%).", "share")
        case .broadcast:
            (
                .share,
                "The share of notifications for a channel to which all devices are subscribed (default: 0%).", "share"
            )
        case .devices: (.integer(1...100_000), "The number of devices that receive (default: 100).", "count")
        case .devicesPerCredential:
            (.integer(1...1_000), "The number of devices that share a credential and a stream (default: 1).", "count")
        case .behavior: (.behavior, "The behavior of the devices, as for 'waypost fleet run'.", "file")
        case .storm:
            (
                .list,
                "A time at which devices connect again, a share and a spread, such as 30s:50%:1s; may be repeated.",
                "storm"
            )
        case .offline:
            (.flag, "Connect the devices only after the load: their inboxes fill, and then drain.", "")
        case .seed: (.integer(0...Int.max), "The seed of everything that varies (default: 1).", "seed")
        case .slo:
            (.list, "An objective, such as lost=0 or delivered.p99<50ms; may be given several times.", "objective")
        case .name: (.string, "The name of the test, for reports (default: the name of the profile).", "name")
        }
    }
}
