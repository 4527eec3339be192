/// A report about how providers behaved, which counts their requests to the devices of a namespace.
public struct SenderReport: Codable, Sendable, Equatable {
    /// The number of provider connections that sent a request.
    public var connections: Int

    /// The number of requests.
    public var requests: Int

    /// The number of different provider tokens in the `authorization` of the requests.
    public var providerTokens: Int

    /// The number of answers, by HTTP status; a status without answers is absent.
    public var answers: [String: Int]

    /// The number of device tokens that were answered 429.
    public var throttled: Int

    /// The number of these device tokens that got another request after the answer.
    public var retriedAfterThrottling: Int

    /// The number of device tokens that were answered 410.
    public var unregistered: Int

    /// The number of requests for these device tokens after the answer.
    public var sentAfterUnregistered: Int

    /// Creates the value from its parts.
    public init(
        connections: Int = 0,
        requests: Int = 0,
        providerTokens: Int = 0,
        answers: [String: Int] = [:],
        throttled: Int = 0,
        retriedAfterThrottling: Int = 0,
        unregistered: Int = 0,
        sentAfterUnregistered: Int = 0
    ) {
        self.connections = connections
        self.requests = requests
        self.providerTokens = providerTokens
        self.answers = answers
        self.throttled = throttled
        self.retriedAfterThrottling = retriedAfterThrottling
        self.unregistered = unregistered
        self.sentAfterUnregistered = sentAfterUnregistered
    }
}
