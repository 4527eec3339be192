import Foundation
import ProviderTrials
import Testing
import WaypostSchema

@testable import AdminCommands

/// The state of a trial while it runs.
@Suite struct TrialRunTests {
    private static func effects(
        _ steps: [TrialStep],
        movesClock: Bool = false,
        seed: Int = 0
    ) throws -> [TrialRun.Effect] {
        var run = TrialRun(try SampleTrial.make(steps, movesClock: movesClock), SampleTrial.setup, seed: seed)
        return try steps.flatMap { try run.begin($0, at: SampleTrial.time) }
    }

    @Test func loadGivesMessagesAndWaitsForThem() throws {
        let effects = try Self.effects([.begin(TrialLoad(1)), .load(TrialLoad(2))])
        guard effects.count == 3, case .give(let first) = effects[0], case .give(let second) = effects[1],
            case .wait(let wait) = effects[2]
        else {
            Issue.record("\(effects)")
            return
        }
        #expect(first.map(\.marker) == ["sample-0-0000"])
        #expect(second.map(\.marker) == ["sample-1-0000", "sample-1-0001"])
        #expect(wait.condition == .load && wait.markers == Set(second.map(\.marker)))
    }

    @Test func timestampsGrowFromLoadToLoad() throws {
        let load = TrialLoad(3, kind: .liveActivity)
        let messages = try Self.effects([.begin(load), .begin(load)]).flatMap { effect in
            if case .give(let messages) = effect { messages } else { [TrialMessage]() }
        }
        let times = messages.compactMap { $0.payload["aps"]?["timestamp"] }
        #expect(times == (0..<6).map { JSONValue.integer(1_800_000_005 + $0) })
    }

    @Test func restartIsAnEffect() throws {
        #expect(try Self.effects([.restart(.second)]) == [.restart(.second)])
    }

    @Test func settlingWaitsForAllMessagesSoFar() throws {
        let effects = try Self.effects([.begin(TrialLoad(1)), .begin(TrialLoad(1)), .settle(seconds: 9)])
        #expect(
            effects.last
                == .wait(TrialWait(.answers(maximumSeconds: 9), for: ["sample-0-0000", "sample-1-0000"]))
        )
    }

    /// A wrong fault would let a trial wait for nothing, or end before the provider has repeated a message.
    @Test(arguments: [
        (SendFault(kind: .respond, reason: .badDeviceToken), true), (SendFault(kind: .respond, status: 410), true),
        (SendFault(kind: .respond, reason: .tooManyRequests), false),
        (SendFault(kind: .respond, reason: .invalidProviderToken), false),
        (SendFault(kind: .respond, reason: .serviceUnavailable), false),
        (SendFault(kind: .respond, times: 1, reason: .badDeviceToken), false), (SendFault(kind: .hang), false),
    ])
    func settlingDoesNotWaitForMessagesThatAreRefusedForGood(_ fault: SendFault, _ isFinal: Bool) throws {
        let load = TrialStep.begin(TrialLoad(2, to: 0..<2))
        let effects = try Self.effects([
            load, .inject(fault, devices: 1..<2, since: nil), load, .removeFaults, load, .settle(seconds: 9),
        ])
        guard case .wait(let wait)? = effects.last else {
            Issue.record("\(effects)")
            return
        }
        let all = [
            "sample-0-0000", "sample-0-0001", "sample-1-0000", "sample-1-0001", "sample-2-0000", "sample-2-0001",
        ]
        #expect(wait.markers == Set(all).subtracting(isFinal ? ["sample-1-0001"] : []))
    }

    @Test func refusalOfAllDevicesIsForEachMessage() throws {
        let fault = SendFault(kind: .respond, reason: .badDeviceToken)
        let load = TrialStep.begin(TrialLoad(1))
        let effects = try Self.effects([
            .inject(fault, devices: nil, since: nil), load, .removeFaults, load, .settle(seconds: 9),
        ])
        #expect(effects.last == .wait(TrialWait(.answers(maximumSeconds: 9), for: ["sample-1-0000"])))
    }

    @Test func awaitedRequestsAreThoseOfTheLastLoad() throws {
        let effects = try Self.effects([.begin(TrialLoad(2)), .begin(TrialLoad(1)), .awaitRequests(1)])
        #expect(effects.last == .wait(TrialWait(.requests(1), for: ["sample-1-0000"])))
    }

    @Test func trialEndsAfterAWaitWithoutARequest() throws {
        var run = TrialRun(try SampleTrial.make(), SampleTrial.setup, seed: 0)
        var activity = TrialActivity()
        // Nothing was to be sent yet.
        #expect(run.goesOn(after: activity))
        _ = try run.begin(.begin(TrialLoad(1)), at: SampleTrial.time)
        #expect(!run.goesOn(after: activity))
        activity.update([SampleTrial.request(1, marker: "other")])
        #expect(run.goesOn(after: activity))
    }

    @Test func faultIsForEachDeviceAndSinceARegistration() throws {
        let fault = SendFault(token: nil, kind: .respond, times: 1, reason: .unregistered)
        let steps = [
            TrialStep.inject(fault, devices: 3..<5, since: -60), .inject(fault, devices: nil, since: nil),
        ]
        let effects = try Self.effects(steps)
        let expected = ["token-3", "token-4"].map { token in
            SendFault(
                token: DeviceToken(rawValue: token),
                kind: .respond,
                times: 1,
                reason: .unregistered,
                timestamp: Timestamp(milliseconds: 1_799_999_940_000)
            )
        }
        #expect(effects == (expected + [fault]).map { TrialRun.Effect.addFault($0) })
    }

    @Test func faultThatChoosesAtRandomGetsTheSeed() throws {
        var fault = SendFault(token: nil, kind: .reset)
        fault.probability = 0.5
        var expected = fault
        expected.seed = 42
        #expect(try Self.effects([.inject(fault, devices: nil, since: nil)], seed: 42) == [.addFault(expected)])
    }

    @Test func onlyATrialThatMovesTheClockMovesThatOfTheProvider() throws {
        let steps = [TrialStep.advance(600), .skew(-60)]
        #expect(
            try Self.effects(steps, movesClock: true) == [
                .advanceGateway(milliseconds: 600_000), .setProviderClock(seconds: 1_200),
                .setProviderClock(seconds: 1_140),
            ]
        )
        #expect(try Self.effects(steps) == [.advanceGateway(milliseconds: 600_000)])
    }

    @Test func observationHasTheStepsTheMessagesAndTheRequestsInOrder() throws {
        let steps = [TrialStep.advance(60), .begin(TrialLoad(2, to: 4..<5, kind: .expirations)), .removeFaults]
        var run = TrialRun(try SampleTrial.make(steps, movesClock: true), SampleTrial.setup, seed: 0)
        for step in steps { _ = try run.begin(step, at: SampleTrial.time) }
        let requests = [2, 1].map { SampleTrial.request($0, marker: "m") }
        let observation = run.observation(requests, [], endedAt: SampleTrial.time)
        #expect(observation.steps.map(\.step) == steps)
        #expect(observation.steps.map(\.providerClock) == [600, 660, 660])
        #expect(observation.messages.map(\.device) == [4, 4] && observation.messages.map(\.load) == [0, 0])
        #expect(observation.messages.map(\.token) == ["token-4", "token-4"])
        #expect(observation.messages.map(\.expiration) == ["now", "hour"])
        #expect(observation.requests.map(\.number) == [1, 2])
    }
}

/// The records of gateways that follow one another.
@Suite struct TrialRecordsTests {
    private static func records(_ requests: [Int], openedAt time: Int) -> TrialRecords {
        let time = Timestamp(milliseconds: time)
        let token = ProviderTokenUse(number: 1, firstUsedAt: time, lastUsedAt: time)
        return TrialRecords(
            requests: requests.map { ProviderRequestRecord(number: $0, at: time, connection: 1, providerToken: 1) },
            connections: [ProviderConnectionRecord(number: 1, openedAt: time, version: .http2, tokens: [token])]
        )
    }

    @Test func numbersContinueWithTheNextGateway() {
        var first = Self.records([1, 2], openedAt: 10)
        first.close(at: Timestamp(milliseconds: 15))
        let both = first.followed(by: Self.records([1], openedAt: 20))
        #expect(both.requests.map(\.number) == [1, 2, 3])
        #expect(both.requests.map(\.connection) == [1, 1, 2] && both.requests.map(\.providerToken) == [1, 1, 2])
        #expect(both.connections.map(\.number) == [1, 2])
        #expect(both.connections.map(\.closedAt) == [Timestamp(milliseconds: 15), nil])
        #expect(both.connections.flatMap(\.tokens).map(\.number) == [1, 2])
    }

    @Test func firstGatewayKeepsItsNumbers() {
        let records = Self.records([4, 5], openedAt: 10)
        #expect(TrialRecords().followed(by: records) == records)
    }
}

/// The requests of a provider, and the waits for them.
@Suite struct TrialWaitTests {
    private static func activity(_ requests: [ProviderRequestRecord]) -> TrialActivity {
        var activity = TrialActivity()
        activity.update(requests)
        return activity
    }

    @Test func delayedMessageIsAccepted() {
        let activity = Self.activity([
            SampleTrial.request(1, marker: "a"), SampleTrial.request(2, marker: "b", status: nil, fault: .delay),
            SampleTrial.request(3, marker: "c", status: nil, fault: .hang),
            SampleTrial.request(4, marker: "d", status: 503),
        ])
        #expect(activity.requestCount == 4)
        #expect(activity.requestedMarkers == ["a", "b", "c", "d"])
        #expect(activity.acceptedMarkers == ["a", "b"])
    }

    /// The state of a provider after seconds, and whether a wait for the messages `a` and `b` is over.
    struct Case: CustomTestStringConvertible {
        var condition: TrialWait.Condition
        var seconds: Int
        var accepted: [String]
        var refused: [String] = []
        var hasEnded = false
        var isOver: Bool

        var testDescription: String { "\(condition) after \(seconds) s: \(accepted), \(refused), \(hasEnded)" }
    }

    @Test(arguments: [
        Case(condition: .load, seconds: 1, accepted: ["a"], isOver: false),
        Case(condition: .load, seconds: 1, accepted: ["a", "b"], isOver: true),
        Case(condition: .load, seconds: 1, accepted: ["a"], refused: ["b"], isOver: false),
        Case(condition: .load, seconds: 14, accepted: [], isOver: false),
        Case(condition: .load, seconds: 15, accepted: [], isOver: true),
        Case(condition: .load, seconds: 0, accepted: [], hasEnded: true, isOver: true),
        Case(condition: .answers(maximumSeconds: 5), seconds: 4, accepted: ["a"], isOver: false),
        Case(condition: .answers(maximumSeconds: 5), seconds: 4, accepted: ["b", "a"], isOver: true),
        Case(condition: .requests(2), seconds: 1, accepted: ["a"], isOver: false),
        Case(condition: .requests(2), seconds: 1, accepted: ["a"], refused: ["a", "c"], isOver: false),
        Case(condition: .requests(2), seconds: 1, accepted: ["a"], refused: ["b"], isOver: true),
        Case(condition: .pause(seconds: 3), seconds: 2, accepted: ["a", "b"], isOver: false),
    ])
    func waitEndsWithItsCondition(_ example: Case) {
        var wait = TrialWait(example.condition, for: ["a", "b"])
        let wasOver = wait.isOver(TrialActivity(), after: .zero, providerHasEnded: false)
        let statuses = example.accepted.map { ($0, 200) } + example.refused.map { ($0, 400) }
        let requests = statuses.enumerated().map { number, request in
            SampleTrial.request(number, marker: request.0, status: request.1)
        }
        let isOver = wait.isOver(
            Self.activity(requests),
            after: .seconds(example.seconds),
            providerHasEnded: example.hasEnded
        )
        #expect(!wasOver)
        #expect(isOver == example.isOver)
    }

    @Test func requestsBeforeTheFirstLookCount() {
        var wait = TrialWait(.requests(3), for: ["a", "b", "c", "d"])
        let activity = Self.activity(
            ["z", "a", "b", "c"].enumerated().map { SampleTrial.request($0, marker: $1, status: 429) }
        )
        let isOver = wait.isOver(activity, after: .zero, providerHasEnded: false)
        #expect(isOver)
    }

    @Test func requestsAreAwaitedForHalfAMinute() {
        var wait = TrialWait(.requests(2), for: ["a", "b"])
        let activity = Self.activity([SampleTrial.request(1, marker: "a")])
        let results = [0, 29, 30].map { wait.isOver(activity, after: .seconds($0), providerHasEnded: false) }
        #expect(results == [false, false, true])
    }

    @Test func loadEndsTwoSecondsAfterTheLastRequest() {
        var wait = TrialWait(.load, for: ["a", "b"])
        _ = wait.isOver(TrialActivity(), after: .zero, providerHasEnded: false)
        let activity = Self.activity([SampleTrial.request(1, marker: "a", status: 400)])
        let results = [3_000, 4_900, 5_000].map { milliseconds in
            wait.isOver(activity, after: .milliseconds(milliseconds), providerHasEnded: false)
        }
        #expect(results == [false, false, true])
    }

    @Test func endlessRepetitionsEndALoad() {
        var wait = TrialWait(.load, for: ["a", "b"])
        var requests: [ProviderRequestRecord] = []
        var end: Int?
        for second in 0..<60 where end == nil {
            requests.append(SampleTrial.request(second, marker: "a", status: 403))
            if wait.isOver(Self.activity(requests), after: .seconds(second), providerHasEnded: false) { end = second }
        }
        #expect(end == 10)
    }

    @Test func pauseBeginsWithTheFirstRequest() {
        var wait = TrialWait(.pause(seconds: 3), for: ["a"])
        #expect(wait.needsRequests)
        let activity = Self.activity([SampleTrial.request(1, marker: "a")])
        let before = wait.isOver(TrialActivity(), after: .seconds(8), providerHasEnded: false)
        let results = [9, 11, 12].map { wait.isOver(activity, after: .seconds($0), providerHasEnded: false) }
        #expect(!before && results == [false, false, true])
        #expect(!wait.needsRequests)
    }
}
