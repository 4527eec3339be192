internal import Cryptography
internal import WaypostSchema

/// The behavior of providers in one namespace, as a value: a report, and the memory that the report needs.
///
/// It remembers a limited number of connections, of provider tokens and of device tokens. Further ones are missing from
/// the numbers that depend on them; requests and responses are always counted.
struct SenderActivity: Sendable {
    /// The default limit for each kind of remembered values.
    static let standardCapacity = 65_536

    /// A device token that got status 429 or 410.
    private struct RefusedDevice {
        /// The number of responses at the first 429.
        var responseCountWhenThrottled: Int?

        /// Whether it got a request after that.
        var isRetried = false

        /// The number of responses at the first 410.
        var responseCountWhenUnregistered: Int?
    }

    /// The report.
    private(set) var report = SenderReport()

    /// The last requests.
    private(set) var recentRequests: RecentRequests

    private let capacity: Int

    /// The number of the first request.
    private var firstNumber: Int?

    private var connectionNumbers: Set<Int> = []
    private var providerTokenDigests: Set<ProviderTokenDigest> = []
    private var refusedDevices: [DeviceToken: RefusedDevice] = [:]

    /// Creates the state in which nothing was sent.
    ///
    /// - Parameters:
    ///   - capacity: the limit for each kind of remembered values.
    ///   - requestCapacity: the number of requests that are listed.
    init(capacity: Int = SenderActivity.standardCapacity, requestCapacity: Int = RecentRequests.standardCapacity) {
        self.capacity = capacity
        recentRequests = RecentRequests(capacity: requestCapacity)
    }

    /// Counts and lists a request.
    ///
    /// - Parameters:
    ///   - record: the request as it is listed, with its response unless that is sent later or never.
    ///   - request: the request as the report needs it.
    ///   - responseCount: the number of responses of the gateway so far, this one included; `nil` without a response.
    mutating func add(_ record: ProviderRequestRecord, of request: SentRequest, responseCount: Int?) {
        firstNumber = firstNumber ?? record.number
        recentRequests.append(record)
        recordRequest(request, for: record.token)
        guard let status = record.status, let responseCount else { return }
        recordResponse(status, for: record.token, at: responseCount)
    }

    /// Counts the response to a request that was added without it, and lists it with the request.
    ///
    /// A response to a request from before the report was reset does not count.
    ///
    /// - Parameters:
    ///   - response: the response.
    ///   - number: the number of the request.
    ///   - time: the time of the response.
    ///   - responseCount: the number of responses of the gateway so far, this one included.
    mutating func addDelayed(_ response: ProviderResponse, to number: Int, at time: Timestamp, responseCount: Int) {
        guard let firstNumber, number >= firstNumber else { return }
        recentRequests.add(response, to: number, at: time)
        recordResponse(response.status, for: response.target.token, at: responseCount)
    }

    /// Counts a request.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - token: the device token, or `nil` if the request has none that is valid.
    mutating func recordRequest(_ request: SentRequest, for token: DeviceToken?) {
        report.requests += 1
        if connectionNumbers.count < capacity, connectionNumbers.insert(request.connectionNumber).inserted {
            report.connections += 1
        }
        if let digest = request.providerToken?.digest, providerTokenDigests.count < capacity,
            providerTokenDigests.insert(digest).inserted
        {
            report.providerTokens += 1
        }
        guard !refusedDevices.isEmpty, let token, let device = refusedDevices[token] else { return }
        if let count = device.responseCountWhenThrottled, !device.isRetried, count <= request.responseCountAtArrival {
            refusedDevices[token]?.isRetried = true
            report.retriedAfterThrottling += 1
        }
        if let count = device.responseCountWhenUnregistered, count <= request.responseCountAtArrival {
            report.sentAfterUnregistered += 1
        }
    }

    /// Counts a response to a request that was counted.
    ///
    /// - Parameters:
    ///   - status: the HTTP status.
    ///   - token: the device token of the request, or `nil` if it has none that is valid.
    ///   - responseCount: the number of responses of the gateway so far, this one included.
    mutating func recordResponse(_ status: Int, for token: DeviceToken?, at responseCount: Int) {
        report.answers[String(status), default: 0] += 1
        guard status == 429 || status == 410, let token else { return }
        let recordedDevice = refusedDevices[token]
        guard recordedDevice != nil || refusedDevices.count < capacity else { return }
        var device = recordedDevice ?? RefusedDevice()
        if status == 429, device.responseCountWhenThrottled == nil {
            device.responseCountWhenThrottled = responseCount
            report.throttled += 1
        }
        if status == 410, device.responseCountWhenUnregistered == nil {
            device.responseCountWhenUnregistered = responseCount
            report.unregistered += 1
        }
        refusedDevices[token] = device
    }
}

/// A single request of a provider, as far as the report about providers needs it.
struct SentRequest: Sendable, Equatable {
    /// The number of the connection.
    var connectionNumber: Int

    /// The provider token, if there is one.
    var providerToken: SentProviderToken?

    /// The number of responses that the gateway had sent when the request arrived.
    var responseCountAtArrival: Int

    /// The number of open streams when the request arrived, its own included; `nil` for HTTP/1.1.
    var openStreams: Int?

    /// The limit of streams that the client had acknowledged then; `nil` if none, and for HTTP/1.1.
    var streamLimit: Int?

    /// The headers and the body, if they are kept.
    var content: Content?

    /// The parts of a request that are only kept on demand.
    struct Content: Sendable, Equatable {
        /// The headers that begin with `apns-`, and the host.
        var headers: [String: String]

        /// The body as text; `nil` if it exceeds the limit of the listener.
        var body: String?
    }
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
