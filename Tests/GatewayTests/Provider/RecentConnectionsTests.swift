import Foundation
import Testing
import WaypostSchema

@testable import Gateway

/// Tests of the list of connections, as a value.
@Suite struct RecentConnectionsTests {
    private static func time(_ seconds: Int) -> Timestamp {
        Timestamp(milliseconds: seconds * 1_000)
    }

    /// Returns a request on a connection with a provider token.
    private static func request(_ connection: Int, token: Substring? = nil, openStreams: Int? = nil) -> SentRequest {
        SentRequest(
            connectionNumber: connection,
            providerToken: token.map { SentProviderToken($0) },
            responseCountAtArrival: 0,
            openStreams: openStreams
        )
    }

    @Test func connectionHasItsTokensInTheOrderOfTheirFirstUse() {
        var connections = RecentConnections()
        connections.open(7, .http2, at: Self.time(0))
        var numbers: [Int?] = []
        for (second, token) in (["b", "b", "a", nil, "b"] as [Substring?]).enumerated() {
            let request = Self.request(7, token: token, openStreams: 5 - second)
            numbers.append(connections.add(request, at: Self.time(second)))
        }
        connections.close(7, at: Self.time(9))
        #expect(numbers == [1, 1, 2, nil, 1])
        let tokens = [
            ProviderTokenUse(number: 1, firstUsedAt: Self.time(0), lastUsedAt: Self.time(4), requests: 3),
            ProviderTokenUse(number: 2, firstUsedAt: Self.time(2), lastUsedAt: Self.time(2), requests: 1),
        ]
        let expected = ProviderConnectionRecord(
            number: 7,
            openedAt: Self.time(0),
            closedAt: Self.time(9),
            version: .http2,
            requests: 5,
            highestStreams: 5,
            tokens: tokens
        )
        #expect(connections.records == [expected])
    }

    @Test func equalTokensHaveTheSameNumberOnEveryConnection() {
        var connections = RecentConnections()
        for number in 1...2 { connections.open(number, .http1, at: Self.time(0)) }
        var numbers: [Int?] = []
        for (connection, token) in [(1, "a"), (2, "b"), (2, "a"), (3, "a")] as [(Int, Substring)] {
            numbers.append(connections.add(Self.request(connection, token: token), at: Self.time(0)))
        }
        #expect(numbers == [1, 2, 1, 1])
        #expect(connections.records.map { $0.tokens.map(\.number) } == [[1], [2, 1]])
    }

    @Test func onlyTheLastConnectionsAndEventsAreListed() {
        var connections = RecentConnections()
        for number in 1...RecentConnections.capacity + 1 { connections.open(number, .http2, at: Self.time(0)) }
        #expect(connections.records.map(\.number) == Array(2...RecentConnections.capacity + 1))
        for second in 0...RecentConnections.eventCapacity {
            connections.add(ProviderConnectionEvent(.goAway, at: Self.time(second)), to: 2)
        }
        let times = connections.records.first?.events.map(\.at)
        #expect(times == (1...RecentConnections.eventCapacity).map(Self.time))
    }

    @Test func pingsAreForgottenBeforeOtherEvents() {
        var connections = RecentConnections()
        connections.open(1, .http2, at: Self.time(0))
        connections.add(ProviderConnectionEvent(.streamLimit, at: Self.time(0), streams: 1), to: 1)
        for second in 1...RecentConnections.eventCapacity {
            connections.add(ProviderConnectionEvent(.ping, at: Self.time(second)), to: 1)
        }
        let events = connections.records.first?.events ?? []
        #expect(events.count == RecentConnections.eventCapacity)
        #expect(events.prefix(2).map(\.kind) == [.streamLimit, .ping])
        #expect(events.prefix(2).map(\.at) == [Self.time(0), Self.time(2)])
    }

    @Test func openConnectionsAndTheirTokensAreNotForgotten() {
        var connections = RecentConnections()
        for (number, token) in [(1, "a"), (2, "b")] as [(Int, Substring)] {
            connections.open(number, .http2, at: Self.time(0))
            _ = connections.add(Self.request(number, token: token), at: Self.time(0))
        }
        connections.close(1, at: Self.time(1))
        connections.forgetClosed()
        #expect(connections.records.map(\.number) == [2])
        connections.open(3, .http2, at: Self.time(2))
        var numbers: [Int?] = []
        for token in ["b", "a"] as [Substring] {
            numbers.append(connections.add(Self.request(3, token: token), at: Self.time(2)))
        }
        #expect(numbers == [2, 1])
    }

    @Test func unusedTokensAreForgottenWhenThereAreTooMany() {
        var connections = RecentConnections(tokenCapacity: 2)
        for (number, token) in [(1, "a"), (2, "b")] as [(Int, Substring)] {
            connections.open(number, .http2, at: Self.time(0))
            _ = connections.add(Self.request(number, token: token), at: Self.time(0))
        }
        connections.close(1, at: Self.time(1))
        connections.forgetClosed()
        var numbers: [Int?] = []
        for token in ["b", "c", "a"] as [Substring] {
            numbers.append(connections.add(Self.request(2, token: token), at: Self.time(2)))
        }
        #expect(numbers == [2, 3, nil])
    }

    @Test func memoryOfTokensIsBounded() {
        var connections = RecentConnections(tokenCapacity: 2)
        connections.open(1, .http2, at: Self.time(0))
        var numbers: [Int?] = []
        for token in ["a", "b", "c", "a"] as [Substring] {
            numbers.append(connections.add(Self.request(1, token: token), at: Self.time(0)))
        }
        #expect(numbers == [1, 2, nil, 1])
        connections.open(2, .http2, at: Self.time(0))
        let number = connections.add(Self.request(2, token: "a"), at: Self.time(0))
        #expect(number == 1)
        #expect(connections.records.map(\.tokens.count) == [2, 0])
        #expect(connections.records.map(\.requests) == [4, 1])
    }

    // MARK: Claims

    /// A provider token, and what can be read of it.
    struct ClaimsCase: Sendable, CustomTestStringConvertible {
        var header: String
        var claims: String
        var team: TeamID?
        var key: ProviderKeyID?
        var issuedAt: Timestamp?

        var testDescription: String { "\(header) \(claims)" }

        var token: Substring {
            let parts = [header, claims].map { Data($0.utf8).base64EncodedString() }
            return Substring(parts.joined(separator: ".") + ".signature")
        }
    }

    @Test(arguments: [
        ClaimsCase(
            header: #"{"alg":"ES256","kid":"KEY"}"#,
            claims: #"{"iss":"TEAM","iat":5}"#,
            team: "TEAM",
            key: "KEY",
            issuedAt: Timestamp(milliseconds: 5_000)
        ),
        ClaimsCase(
            header: #"{"alg":"none","kid":"KEY"}"#,
            claims: #"{"iat":"5"}"#,
            key: "KEY",
            issuedAt: Timestamp(milliseconds: 5_000)
        ),
        ClaimsCase(header: "clown", claims: #"{"iss":"TEAM","iat":-1}"#, team: "TEAM"),
        ClaimsCase(header: #"{"kid":""}"#, claims: #"{"iss":7}"#),
        ClaimsCase(header: #"{"kid":"\#(String(repeating: "K", count: 65))"}"#, claims: #"{"iat":253402300800}"#),
    ])
    func claimsAreReadAsFarAsPossible(_ example: ClaimsCase) {
        let claims = ProviderTokenClaims(of: example.token)
        #expect(claims.team == example.team)
        #expect(claims.key == example.key)
        #expect(claims.issuedAt == example.issuedAt)
    }

    @Test(arguments: ["", ".", "x.y", "one"] as [Substring]) func otherTextHasNoClaims(_ text: Substring) {
        let claims = ProviderTokenClaims(of: text)
        #expect(claims.team == nil)
        #expect(claims.key == nil)
        #expect(claims.issuedAt == nil)
    }
}
