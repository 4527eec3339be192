/// The body of every response that refuses a whole request.
public struct APIErrorBody: Codable, Sendable, Equatable {
    /// The reason for the refusal.
    public var error: APIError

    /// The rejected items in input order, if the request is a batch that is accepted whole or not at all.
    public var results: [ItemResult]?

    /// Creates the value from its parts.
    public init(error: APIError, results: [ItemResult]? = nil) {
        self.error = error
        self.results = results
    }
}
