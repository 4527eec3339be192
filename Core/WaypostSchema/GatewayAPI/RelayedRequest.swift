/// A request to an agent's control API that came through the gateway.
public struct RelayedRequest: Codable, Sendable, Equatable {
    /// The number of the request, with which the agent answers.
    public var number: Int

    /// The method.
    public var method: String

    /// The path and the query, percent-encoded.
    public var path: String

    /// The `Authorization` header for the control API, if the caller gave one.
    public var authorization: String?

    /// The `Accept` header, if the caller gave one.
    public var accept: String?

    /// The body; absent if it is empty.
    public var body: String?

    /// The maximum size of the body, in bytes: that of a device or an event with photographs.
    public static let maximumBodySize = 8 << 20

    /// Creates the value from its parts.
    public init(
        number: Int,
        method: String,
        path: String,
        authorization: String? = nil,
        accept: String? = nil,
        body: String? = nil
    ) {
        self.number = number
        self.method = method
        self.path = path
        self.authorization = authorization
        self.accept = accept
        self.body = body
    }
}
