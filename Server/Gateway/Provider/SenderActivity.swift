internal import Cryptography
internal import WaypostSchema

/// The behavior of providers in one namespace, as a value: a report, and the memory that the report needs.
///
/// It remembers a limited number of connections, of provider tokens and of device tokens. Further ones are missing from
/// the numbers that depend on them; requests and answers are always counted.
struct SenderActivity: Sendable {
    /// The default limit for each kind of remembered values.
    static let standardCapacity = 65_536

    /// A device token that was answered 429 or 410.
    private struct RefusedDevice {
        /// The moment of the first 429.
        var throttled: Int?

        /// Whether it got a request after that.
        var isRetried = false

        /// The moment of the first 410.
        var unregistered: Int?
    }

    /// The report.
    private(set) var report = SenderReport()

    private let capacity: Int
    private var connections: Set<Int> = []
    private var providerTokens: Set<ProviderTokenDigest> = []
    private var refused: [DeviceToken: RefusedDevice] = [:]

    /// Creates the state in which nothing was sent.
    init(capacity: Int = SenderActivity.standardCapacity) {
        self.capacity = capacity
    }

    /// Counts a request.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - token: the device token, or `nil` if the request has none that is valid.
    mutating func recordRequest(_ request: SentRequest, for token: DeviceToken?) {
        report.requests += 1
        if connections.count < capacity, connections.insert(request.connection).inserted { report.connections += 1 }
        if let digest = request.providerToken, providerTokens.count < capacity,
            providerTokens.insert(digest).inserted
        {
            report.providerTokens += 1
        }
        guard !refused.isEmpty, let token, let device = refused[token] else { return }
        if let moment = device.throttled, !device.isRetried, moment <= request.arrival {
            refused[token]?.isRetried = true
            report.retriedAfterThrottling += 1
        }
        if let moment = device.unregistered, moment <= request.arrival { report.sentAfterUnregistered += 1 }
    }

    /// Counts an answer to a request that was counted.
    ///
    /// - Parameters:
    ///   - status: the HTTP status.
    ///   - token: the device token of the request, or `nil` if it has none that is valid.
    ///   - moment: the number of answers of the gateway so far, this one included.
    mutating func recordAnswer(_ status: Int, for token: DeviceToken?, at moment: Int) {
        report.answers[String(status), default: 0] += 1
        guard status == 429 || status == 410, let token else { return }
        let earlier = refused[token]
        guard earlier != nil || refused.count < capacity else { return }
        var device = earlier ?? RefusedDevice()
        if status == 429, device.throttled == nil {
            device.throttled = moment
            report.throttled += 1
        }
        if status == 410, device.unregistered == nil {
            device.unregistered = moment
            report.unregistered += 1
        }
        refused[token] = device
    }
}

/// A single request of a provider, as far as the report about providers needs it.
struct SentRequest: Sendable, Equatable {
    /// The number of the connection.
    var connection: Int

    /// The digest of the provider token, if there is one.
    var providerToken: ProviderTokenDigest?

    /// The number of answers that the gateway had given when the request arrived.
    var arrival: Int
}

/// The device of a request, and the namespace that the request belongs to.
struct SendTarget: Sendable, Equatable {
    /// The device token, or `nil` if the request has none that is valid.
    var token: DeviceToken?

    /// The namespace in which the device was found; the standard one if it was not found or not looked up.
    var namespace = Namespace.standard
}

/// The SHA-256 digest of a provider token, which replaces the token in memory.
struct ProviderTokenDigest: Hashable, Sendable {
    private let digest: [UInt8]

    /// Creates the digest of a token.
    init(of token: Substring) {
        digest = SHA256.hash(of: Array(token.utf8))
    }
}
