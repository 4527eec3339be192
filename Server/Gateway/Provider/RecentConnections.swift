internal import DequeModule
internal import WaypostSchema

/// The last connections of providers, as a value; older ones are forgotten.
///
/// It remembers a limited number of provider tokens and of their uses. Further ones are missing from the records.
struct RecentConnections: Sendable {
    /// The maximum number of connections.
    static let capacity = 1_000

    /// The maximum number of events of a connection; the first PING is forgotten before any other event.
    static let eventCapacity = 100

    private struct Connection {
        var record: ProviderConnectionRecord

        /// The token of the last request and the index of its use; most requests repeat it, so it needs no search.
        var lastToken: (digest: ProviderTokenDigest, index: Int)?
    }

    /// The maximum number of provider tokens, and of their uses on all connections.
    private let tokenCapacity: Int

    private var connections: [Int: Connection] = [:]

    /// The numbers of the connections, in the order in which they were opened.
    private var numbers: Deque<Int> = []

    private var tokenNumbers: [ProviderTokenDigest: Int] = [:]
    private var lastTokenNumber = 0
    private var useCount = 0

    /// Creates the state without connections.
    init(tokenCapacity: Int = SenderActivity.standardCapacity) {
        self.tokenCapacity = tokenCapacity
    }

    /// The connections in the order in which they were opened.
    var records: [ProviderConnectionRecord] {
        numbers.compactMap { connections[$0]?.record }
    }

    /// Adds an open connection.
    mutating func open(_ number: Int, _ version: ProviderProtocol, at time: Timestamp) {
        if numbers.count == Self.capacity, let oldest = numbers.popFirst() { forget(oldest) }
        numbers.append(number)
        let record = ProviderConnectionRecord(number: number, openedAt: time, version: version)
        connections[number] = Connection(record: record)
    }

    /// Records the end of a connection.
    mutating func close(_ number: Int, at time: Timestamp) {
        connections[number]?.record.closedAt = time
    }

    /// Records an event of a connection.
    mutating func add(_ event: ProviderConnectionEvent, to number: Int) {
        guard let index = connections.index(forKey: number) else { return }
        if connections.values[index].record.events.count == Self.eventCapacity {
            // A client may send many PING frames; the other events are few.
            let ping = connections.values[index].record.events.firstIndex { $0.kind == .ping }
            connections.values[index].record.events.remove(at: ping ?? 0)
        }
        connections.values[index].record.events.append(event)
    }

    /// Counts a request on its connection.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - time: the time of the request.
    /// - Returns: the number of its provider token, if it has one.
    mutating func add(_ request: SentRequest, at time: Timestamp) -> Int? {
        guard let index = connections.index(forKey: request.connectionNumber) else {
            guard let token = request.providerToken else { return nil }
            return number(of: token.digest)
        }
        connections.values[index].record.requests += 1
        let highest = max(connections.values[index].record.highestStreams, request.openStreams ?? 0)
        connections.values[index].record.highestStreams = highest
        guard let token = request.providerToken else { return nil }
        if let last = connections.values[index].lastToken, last.digest == token.digest {
            connections.values[index].record.tokens[last.index].countRequest(at: time)
            return connections.values[index].record.tokens[last.index].number
        }
        guard let number = number(of: token.digest) else { return nil }
        if let use = connections.values[index].record.tokens.lastIndex(where: { $0.number == number }) {
            connections.values[index].record.tokens[use].countRequest(at: time)
            connections.values[index].lastToken = (token.digest, use)
        } else if useCount < tokenCapacity {
            useCount += 1
            let use = ProviderTokenUse(number: number, token.claims, at: time)
            connections.values[index].record.tokens.append(use)
            connections.values[index].lastToken = (token.digest, connections.values[index].record.tokens.count - 1)
        }
        return number
    }

    /// Forgets the connections that are closed.
    ///
    /// Provider tokens keep their numbers, so that those of later requests and of earlier ones can be compared.
    mutating func forgetClosed() {
        for number in connections.filter({ $0.value.record.closedAt != nil }).keys { forget(number) }
        let openNumbers = Set(connections.keys)
        numbers.removeAll { !openNumbers.contains($0) }
    }

    private mutating func forget(_ number: Int) {
        guard let connection = connections.removeValue(forKey: number) else { return }
        useCount -= connection.record.tokens.count
    }

    /// Returns the number of a provider token, or `nil` if there are too many.
    private mutating func number(of digest: ProviderTokenDigest) -> Int? {
        if let number = tokenNumbers[digest] { return number }
        if tokenNumbers.count >= tokenCapacity { forgetUnusedTokens() }
        guard tokenNumbers.count < tokenCapacity else { return nil }
        lastTokenNumber += 1
        tokenNumbers[digest] = lastTokenNumber
        return lastTokenNumber
    }

    /// Forgets the provider tokens that no remembered connection has used.
    private mutating func forgetUnusedTokens() {
        // Without an unused one, the search would be repeated for each further token.
        guard useCount < tokenCapacity else { return }
        let usedNumbers = Set(connections.values.flatMap { $0.record.tokens.map(\.number) })
        tokenNumbers = tokenNumbers.filter { usedNumbers.contains($0.value) }
    }
}

extension ProviderTokenUse {
    /// Creates the first use of a token on a connection.
    fileprivate init(number: Int, _ claims: ProviderTokenClaims, at time: Timestamp) {
        self.init(
            number: number,
            team: claims.team,
            key: claims.key,
            issuedAt: claims.issuedAt,
            firstUsedAt: time,
            lastUsedAt: time
        )
    }

    fileprivate mutating func countRequest(at time: Timestamp) {
        requests += 1
        lastUsedAt = time
    }
}
