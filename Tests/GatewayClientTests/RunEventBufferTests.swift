import Foundation
import Testing
import WaypostSchema

@testable import GatewayClient

/// The events of a run that wait for their report.
@Suite struct RunEventBufferTests {
    private static let start = Timestamp(milliseconds: 1_790_000_000_000)
    private static let longText = String(repeating: "W", count: 5_000)

    /// A text whose characters are six bytes of JSON each.
    private static let controlCharacters = String(repeating: "\u{1}", count: 5_000)

    private static let tokens = (10_001...11_000).map { number in
        ProviderTokenUse(
            number: number,
            team: TeamID(rawValue: controlCharacters),
            key: ProviderKeyID(rawValue: controlCharacters),
            issuedAt: start,
            firstUsedAt: start,
            lastUsedAt: start,
            requests: 10_000
        )
    }

    private static let events = (0..<100).map { _ in
        ProviderConnectionEvent(
            .streamLimit,
            at: start,
            streams: 2_147_483_647,
            reason: .tooManyProviderTokenUpdates
        )
    }

    private static func connection(_ number: Int) -> ProviderConnectionRecord {
        ProviderConnectionRecord(
            number: number,
            openedAt: start,
            closedAt: start,
            version: .http2,
            requests: 10_000,
            highestStreams: 1_000,
            tokens: tokens,
            events: events
        )
    }

    /// Returns a request with all members.
    private static func request(_ number: Int) -> ProviderRequestRecord {
        ProviderRequestRecord(
            number: number,
            at: start,
            token: DeviceToken(rawValue: String(repeating: "0a", count: 100)),
            id: NotificationID(rawValue: UUID().uuidString),
            status: 429,
            reason: .tooManyProviderTokenUpdates,
            message: longText,
            fault: .throttle,
            connection: 10_000,
            openStreams: 1_000,
            streamLimit: 2_147_483_647,
            providerToken: 10_000,
            answeredAt: start,
            headers: ["a": longText],
            body: longText
        )
    }

    /// Returns the result of a failed trial with a number of requests; each connection has 1,000 provider tokens.
    private static func result(requests: Int, connections: Int = 1) -> ProviderTrialResult {
        ProviderTrialResult(
            trial: "token-reuse",
            outcome: .failed,
            summary: "a provider token for each request",
            rule: "Use a provider token for 20 minutes.",
            source: "Establishing a token-based connection to APNs",
            advice: "Keep the token.",
            request: ProviderRequestRecord(number: 2, at: start, headers: ["apns-topic": "a.b"], body: "{}"),
            timeline: ProviderTrialTimeline(
                phases: Array(repeating: ProviderTrialPhase(text: longText, at: start), count: requests),
                connections: (1...connections).map { connection($0) },
                requests: (1...requests).map { request($0) }
            )
        )
    }

    /// Returns the results in the reports that a buffer makes of events.
    private static func reported(_ results: [ProviderTrialResult]) -> [[ProviderTrialResult]] {
        var buffer = RunEventBuffer()
        for result in results { buffer.append(.trial(result)) }
        var reports: [[ProviderTrialResult]] = []
        while true {
            let events = buffer.removeReport()
            if events.isEmpty { return reports }
            reports.append(
                events.compactMap { event in
                    guard case .trial(let result) = event else { return nil }
                    return result
                }
            )
        }
    }

    @Test func timelineHasItsFirstPartsWithoutContent() throws {
        let report = try #require(Self.reported([Self.result(requests: 1_200, connections: 300)]).first)
        let result = try #require(report.first)
        let timeline = try #require(result.timeline)
        #expect(timeline.requests.map(\.number) == Array(1...1_000))
        #expect(timeline.requests.allSatisfy { $0.headers == nil && $0.body == nil && $0.message == nil })
        #expect(timeline.connections.map(\.number) == Array(1...200))
        #expect(timeline.connections.map(\.tokens.count).reduce(0, +) == 500)
        #expect(result.request?.headers == ["apns-topic": "a.b"] && result.request?.body == "{}")
    }

    /// A gateway refuses bodies of more than 1 MiB.
    @Test func largestReportIsAcceptedByAGateway() throws {
        let large = Self.result(requests: 1_000, connections: 200)
        for results in Self.reported(Array(repeating: large, count: 9)) {
            let body = try RunEventList(events: results.map { .trial($0) }).encodedSize()
            #expect(body < 1 << 20)
            #expect(body < results.map(\.reportSize).reduce(100, +))
        }
    }

    @Test func figuresThatJSONCannotHaveAreLeftOut() {
        var result = Self.result(requests: 1)
        result.figures = ["connections": 2, "median": .nan, "maximum": .infinity]
        #expect(Self.reported([result]).first?.first?.figures == ["connections": 2])
    }

    @Test func timelinesBeyondTheRoomOfARunAreLeftOutAndTheirResultsAreNot() {
        let results = Self.reported(Array(repeating: Self.result(requests: 1_000), count: 33)).flatMap { $0 }
        let timelines = results.compactMap(\.timeline)
        #expect(results.count == 33)
        #expect((3..<33).contains(timelines.count))
        #expect(results.last?.timeline == nil && results.last?.request != nil)
    }
}

extension RunEventList {
    /// The number of bytes as JSON.
    fileprivate func encodedSize() throws -> Int {
        try JSONEncoder().encode(self).count
    }
}
