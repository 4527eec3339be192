import Foundation
import GatewayClient
import GatewayTestSupport
import Synchronization
import Testing
import WaypostSchema

@testable import Gateway

/// The runs that report to a gateway, as a value whose clock the tests set.
@Suite struct ReportedRunsTests {
    /// Calls `body` with runs and their clock.
    private func withClock(_ body: (ReportedRuns, Clock) throws -> Void) rethrows {
        let clock = Clock()
        var sources = GatewaySources.forTests()
        sources.now = clock.now
        try body(ReportedRuns(sources: sources), clock)
    }

    /// A clock that only moves when it is told to.
    private final class Clock: Sendable {
        private let milliseconds = Mutex(1_000)

        func advance(by difference: Int) {
            milliseconds.withLock { $0 += difference }
        }

        func now() -> Timestamp {
            Timestamp(milliseconds: milliseconds.withLock(\.self))
        }
    }

    @Test func silentRunCountsAsInterruptedUntilItReportsAgain() throws {
        try withClock { runs, clock in
            let run = runs.add(RunAnnouncement(kind: .load, name: "peak"), to: .standard)
            clock.advance(by: ReportedRuns.maximumSilence)
            #expect(runs.list(in: .standard) == [run])
            clock.advance(by: 1)
            #expect(runs.list(in: .standard).map(\.outcome) == [.interrupted])
            #expect(runs.list(in: .standard).map(\.endedAt) == [run.startedAt])
            _ = try runs.append([], size: 0, to: run.id, in: .standard)
            #expect(runs.list(in: .standard) == [run])
        }
    }

    @Test func runThatEndedHasNoMoreEvents() throws {
        try withClock { runs, clock in
            let run = runs.add(RunAnnouncement(kind: .scenarios, name: "a.yaml"), to: .standard)
            clock.advance(by: 5)
            let ended = try runs.append([.note("a"), .ended(.failed)], size: 9, to: run.id, in: .standard)
            #expect(ended.outcome == .failed && ended.events == 2)
            #expect(ended.endedAt == Timestamp(milliseconds: 1_005))
            #expect(throws: GatewayError.endedRun(run.id)) {
                try runs.append([], size: 0, to: run.id, in: .standard)
            }
        }
    }

    @Test func oldestRunIsRemovedForANewOne() {
        withClock { runs, _ in
            let all = (0...ReportedRuns.capacity).map { number in
                runs.add(RunAnnouncement(kind: .scenarios, name: "\(number)"), to: .standard)
            }
            #expect(runs.list(in: .standard) == all.dropFirst().reversed())
        }
    }

    @Test func stepsWithoutRoomAreCountedAndTheReportHasItsOwn() throws {
        try withClock { runs, _ in
            let run = runs.add(RunAnnouncement(kind: .load, name: "peak"), to: .standard)
            let events = Array(repeating: RunEvent.scenario("a"), count: ReportedRuns.maximumRunSteps + 3)
            let report = Array(repeating: RunEvent.note("b"), count: ReportedRuns.maximumReportEvents + 4)
            let reported = try runs.append(events + report + [.ended(.passed)], size: 1, to: run.id, in: .standard)
            #expect(reported.omitted == 7)
            #expect(reported.events == ReportedRuns.maximumRunSteps + ReportedRuns.maximumReportEvents + 1)
            let last = try runs.events(of: run.id, in: .standard, after: reported.events - 2, limit: 10)
            #expect(last == [.note("b"), .ended(.passed)])
        }
    }

    @Test func eventsThatAreLeftOutRemoveNoOtherRun() throws {
        try withClock { runs, _ in
            let other = runs.add(RunAnnouncement(kind: .load, name: "other"), to: "elsewhere")
            let run = runs.add(RunAnnouncement(kind: .load, name: "peak"), to: .standard)
            for _ in 0..<50 { _ = try runs.append([.note("a")], size: 1 << 20, to: run.id, in: .standard) }
            #expect(runs.list(in: "elsewhere") == [other])
            #expect(runs.list(in: .standard).map(\.events) == [4])
        }
    }

    /// The JSON of a request can be much shorter than its record.
    @Test func recordsOfTrialsCountWithTheirSizeInMemory() throws {
        try withClock { runs, _ in
            let run = runs.add(RunAnnouncement(kind: .provider, name: "send.py"), to: .standard)
            let events = Array(repeating: ProviderTrialResult.failed(requests: 1_000), count: 100)
            let reported = try runs.append(events, size: 100, to: run.id, in: .standard)
            let size = 1_000 * MemoryLayout<ProviderRequestRecord>.stride
            #expect(reported.events == ReportedRuns.maximumRunSize / size)
            #expect(reported.omitted == 100 - reported.events)
        }
    }

    @Test func largeRunsRemoveOlderOnes() throws {
        try withClock { runs, _ in
            // Each run has no more than its own limit.
            let all = (0..<6).map { runs.add(RunAnnouncement(kind: .load, name: "\($0)"), to: .standard) }
            for run in all {
                _ = try runs.append([.note("a")], size: ReportedRuns.maximumRunSize, to: run.id, in: .standard)
            }
            #expect(
                runs.list(in: .standard)
                    == all.suffix(4).reversed().map { run in
                        var run = run
                        run.events = 1
                        return run
                    }
            )
        }
    }
}

/// `/v1/runs` of a running gateway.
@Suite(.timeLimit(.minutes(5))) struct ReportedRunTests {
    private static func client(of gateway: RunningGateway, in namespace: Namespace? = nil) -> GatewayClient {
        GatewayClient(gateway.http, service: gateway.ready.service, courier: nil, namespace: namespace)
    }

    private static func runs(of gateway: RunningGateway, in namespace: Namespace? = nil) async throws -> [ReportedRun] {
        let list: ReportedRunList = try await gateway.get("/v1/runs", in: namespace)
        return list.runs
    }

    @Test func runReportsItsStoryAndItsEnd() async throws {
        try await RunningGateway.run { gateway in
            let value = try await RunReporter.run(
                RunAnnouncement(kind: .scenarios, name: "a.yaml"),
                to: Self.client(of: gateway, in: "other"),
                outcome: { $0 == 7 ? .passed : .failed },
                warn: { Issue.record("\($0)") }
            ) { reporter in
                reporter.report(.scenario("Two scenes"))
                reporter.report(.step(RunStep(text: "wait", state: .running)))
                reporter.report(.step(RunStep(text: "wait", state: .passed)))
                return 7
            }
            #expect(value == 7)
            let runs = try await Self.runs(of: gateway, in: "other")
            let run = try #require(runs.first)
            #expect(run.name == "a.yaml" && run.outcome == .passed)
            let list: RunEventList = try await gateway.get("/v1/runs/\(run.id)/events?after=1", in: "other")
            #expect(list.events == [.step(RunStep(text: "wait", state: .passed)), .ended(.passed)])
            let others = try await Self.runs(of: gateway)
            #expect(others.isEmpty)
        }
    }

    @Test(arguments: [
        (error: CancellationError() as any Error, outcome: RunOutcome.interrupted),
        (error: CallError.canceled as any Error, outcome: .interrupted),
        (error: CallError.unreachable("a", reason: "b") as any Error, outcome: .failed),
    ])
    func runThatThrowsSaysSo(error: any Error, outcome: RunOutcome) async throws {
        try await RunningGateway.run { gateway in
            await #expect(throws: (any Error).self) {
                try await RunReporter.run(
                    RunAnnouncement(kind: .load, name: "peak"),
                    to: Self.client(of: gateway),
                    outcome: { (_: Int) in .passed },
                    warn: { Issue.record("\($0)") },
                    { _ in throw error }
                )
            }
            let runs = try await Self.runs(of: gateway)
            #expect(runs.map(\.outcome) == [outcome])
        }
    }

    @Test func gatewayThatCannotBeReachedOnlyWarns() async throws {
        try await RunningGateway.run { gateway in
            let warnings = Mutex<[String]>([])
            let value = try await RunReporter.run(
                RunAnnouncement(kind: .load, name: "peak"),
                to: GatewayClient(gateway.http, service: "http://127.0.0.1:1", courier: nil),
                outcome: { _ in .passed },
                warn: { warning in warnings.withLock { $0.append(warning) } },
                { reporter in
                    for _ in 0..<3 { reporter.report(.note("a")) }
                    return "done"
                }
            )
            #expect(value == "done")
            #expect(warnings.withLock(\.count) == 1)
        }
    }

    @Test func activityHasTheRunsAtFirstAndWhenTheyChange() async throws {
        try await RunningGateway.run { gateway in
            let client = Self.client(of: gateway)
            let run = try await client.announce(RunAnnouncement(kind: .fleet, name: "9 devices"))
            var activity = try await gateway.followActivity()
            let first = try #require(try await activity.next("runs"))
            #expect(first.contains(#""events":0"#) && first.contains(run.id.rawValue))
            try await client.report([.note("a")], of: run.id)
            let second = try #require(try await activity.next("runs"))
            #expect(second.contains(#""events":1"#))
        }
    }

    @Test func timelineWithTooManyRequestsIsRefused() async throws {
        try await RunningGateway.run { gateway in
            let client = Self.client(of: gateway)
            let run = try await client.announce(RunAnnouncement(kind: .provider, name: "send.py"))
            let maximum = ProviderTrialTimeline.maximumRequests
            try await client.report([ProviderTrialResult.failed(requests: maximum)], of: run.id)
            await #expect {
                try await client.report([ProviderTrialResult.failed(requests: maximum + 1)], of: run.id)
            } throws: { error in
                "\(error)".contains("the timeline of 'token-reuse' has 1001 requests; report the first 1000")
            }
            let list: RunEventList = try await gateway.get("/v1/runs/\(run.id)/events")
            #expect(list.events == [ProviderTrialResult.failed(requests: maximum)])
        }
    }

    @Test func unknownRunIsRefused() async throws {
        try await RunningGateway.run { gateway in
            let client = Self.client(of: gateway)
            await #expect {
                try await client.report([], of: "none")
            } throws: { error in
                "\(error)".contains("no run 'none'")
            }
        }
    }
}

extension ProviderTrialResult {
    /// Returns the event of a failed trial with a number of requests in its timeline.
    fileprivate static func failed(requests: Int) -> RunEvent {
        .trial(
            ProviderTrialResult(
                trial: "token-reuse",
                outcome: .failed,
                summary: "2 provider tokens",
                rule: "one",
                source: "Apple",
                advice: "keep it",
                timeline: ProviderTrialTimeline(
                    phases: [],
                    connections: [],
                    requests: (1...requests).map { ProviderRequestRecord(number: $0, at: Timestamp(milliseconds: 1)) }
                )
            )
        )
    }
}
