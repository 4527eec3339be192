internal import LocalService

/// The sender at the other end of a provider's connection: its authentication state, and its part of the report.
struct ProviderSender: Sendable {
    /// The authentication state.
    var authentication: ProviderAuthentication

    /// The number of the connection.
    let connectionNumber: Int

    /// The last `authorization` header, and its token.
    private var cachedHeader: (authorization: String, token: SentProviderToken?)?

    init(_ authentication: ProviderAuthentication, connectionNumber: Int) {
        self.authentication = authentication
        self.connectionNumber = connectionNumber
    }

    /// Returns a request for a device as the report needs it, or `nil` if the request is not for a device.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - keepsContent: whether its headers and its body are kept.
    /// - Returns: the request for the report.
    mutating func makeSentRequest(from request: ProviderRequest, keepsContent: Bool = false) -> SentRequest? {
        guard request.tokenString != nil else { return nil }
        return SentRequest(
            connectionNumber: connectionNumber,
            providerToken: providerToken(in: request["authorization"]),
            responseCountAtArrival: request.responseCountAtArrival,
            openStreams: request.openStreams,
            streamLimit: request.streamLimit,
            content: keepsContent ? SentRequest.Content(of: request) : nil
        )
    }

    /// Returns the provider token in a header, or `nil` if there is none.
    ///
    /// Clients repeat their token in every request of a connection, so it is read only if the header has changed.
    mutating func providerToken(in authorization: String?) -> SentProviderToken? {
        guard let authorization else { return nil }
        if let cachedHeader, cachedHeader.authorization == authorization { return cachedHeader.token }
        let token = bearerToken(in: authorization).map { SentProviderToken($0) }
        cachedHeader = (authorization, token)
        return token
    }
}
