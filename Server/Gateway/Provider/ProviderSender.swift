internal import LocalService

/// The sender at the other end of a provider's connection: its authentication state, and its part of the report.
struct ProviderSender: Sendable {
    /// The authentication state.
    var authentication: ProviderAuthentication

    /// The number of the connection.
    private let connectionNumber: Int

    /// The last `authorization` header, and the digest of its token.
    private var cachedHeader: (authorization: String, digest: ProviderTokenDigest?)?

    init(_ authentication: ProviderAuthentication, connectionNumber: Int) {
        self.authentication = authentication
        self.connectionNumber = connectionNumber
    }

    /// Returns a request for a device as the report needs it, or `nil` if the request is not for a device.
    mutating func makeSentRequest(from request: ProviderRequest) -> SentRequest? {
        guard request.tokenString != nil else { return nil }
        let providerTokenDigest = digest(of: request["authorization"])
        return SentRequest(
            connectionNumber: connectionNumber,
            providerTokenDigest: providerTokenDigest,
            responseCountAtArrival: request.responseCountAtArrival
        )
    }

    /// Returns the digest of the provider token in a header, or `nil` if there is none.
    ///
    /// Clients repeat their token in every request of a connection, so it is hashed only if the header has changed.
    mutating func digest(of authorization: String?) -> ProviderTokenDigest? {
        guard let authorization else { return nil }
        if let cachedHeader, cachedHeader.authorization == authorization { return cachedHeader.digest }
        let digest = bearerToken(in: authorization).map { ProviderTokenDigest(of: $0) }
        cachedHeader = (authorization, digest)
        return digest
    }
}
