internal import WaypostSchema

/// The requests and connections that the gateways of a trial saw.
struct TrialRecords: Sendable, Equatable {
    /// The requests.
    private(set) var requests: [ProviderRequestRecord] = []

    /// The connections.
    private(set) var connections: [ProviderConnectionRecord] = []

    /// Closes the connections that are still open.
    mutating func close(at time: Timestamp) {
        for index in connections.indices where connections[index].closedAt == nil { connections[index].closedAt = time }
    }

    /// Returns these records followed by those of the next gateway, whose numbers begin with 1 again.
    ///
    /// The provider tokens of the next gateway count as other ones.
    func followed(by next: Self) -> Self {
        let lastRequest = requests.map(\.number).max() ?? 0
        let lastConnection = (connections.map(\.number) + requests.compactMap(\.connection)).max() ?? 0
        let tokens = connections.flatMap(\.tokens).map(\.number) + requests.compactMap(\.providerToken)
        let lastToken = tokens.max() ?? 0
        var result = self
        result.requests += next.requests.map { request in
            var request = request
            request.number += lastRequest
            request.connection = request.connection.map { $0 + lastConnection }
            request.providerToken = request.providerToken.map { $0 + lastToken }
            return request
        }
        result.connections += next.connections.map { connection in
            var connection = connection
            connection.number += lastConnection
            for index in connection.tokens.indices { connection.tokens[index].number += lastToken }
            return connection
        }
        return result
    }
}
