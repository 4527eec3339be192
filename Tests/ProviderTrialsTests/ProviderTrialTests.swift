import Testing
import WaypostSchema

@testable import ProviderTrials

@Suite struct ProviderTrialTests {
    private static let names = ProviderTrial.all.map(\.name)

    private static func trial(_ name: String) throws -> ProviderTrial {
        try #require(ProviderTrial.all.first { $0.name == name })
    }

    private static func isNotShown(_ verdict: TrialVerdict) -> Bool {
        if case .notShown = verdict { true } else { false }
    }

    private static func isPassed(_ verdict: TrialVerdict) -> Bool {
        if case .passed = verdict { true } else { false }
    }

    @Test func thirtyTrialsAndThreeMoreAreInTheOrderOfTheList() {
        #expect(
            Self.names == [
                "token-reuse", "token-refresh", "first-use-late", "token-fleet", "expired-once", "update-throttle",
                "key-revoked", "two-teams", "clock-skew", "first-stream-alone", "stream-limit", "shrink-to-one",
                "goaway-idle", "goaway-busy", "goaway-twice", "blackhole", "silent-stream", "no-churn", "gone-410",
                "gone-but-back", "wrong-environment", "one-bad-token", "not-for-topic", "device-429",
                "unavailable-503", "idle-500", "unknown-reason", "expiration-three", "late-answer",
                "type-topic-payload", "payload-size", "trust-change", "live-activity-life",
            ]
        )
    }

    @Test func quickTrialsHaveNoLongPauses() {
        for trial in ProviderTrial.all where trial.isQuick {
            let pauses = trial.steps.map { step in if case .pause(let seconds) = step { seconds } else { 0 } }
            #expect(pauses.reduce(0, +) <= 20, "\(trial.name)")
        }
    }

    @Test func trialsWithTheProvidersClockSaySo() {
        for trial in ProviderTrial.all {
            let moves = trial.steps.contains { step in
                switch step {
                case .advance, .skew: true
                default: false
                }
            }
            #expect(trial.movesClock == moves, "\(trial.name)")
        }
    }

    @Test(arguments: [TrialAuthority.first, .second])
    func trialWithARestartHasOneAddress(_ authority: TrialAuthority) throws {
        var trial = try Self.trial("token-reuse")
        #expect(!trial.restartsGateway)
        trial.steps.append(.restart(authority))
        #expect(trial.restartsGateway)
    }

    @Test(arguments: names) func rightProviderPasses(_ name: String) throws {
        let trial = try Self.trial(name)
        let verdict = trial.verdict(on: ExampleRun.observation(of: trial))
        #expect(Self.isPassed(verdict), "\(verdict)")
    }

    @Test(arguments: names) func nothingIsShownWithoutRequests(_ name: String) throws {
        let trial = try Self.trial(name)
        let verdict = trial.verdict(on: ExampleRun.observation(of: trial, sends: false))
        #expect(Self.isNotShown(verdict), "\(verdict)")
    }

    @Test(arguments: names) func nothingIsShownIfTheTrialDidNotBegin(_ name: String) throws {
        let end = Timestamp(milliseconds: 1_800_000_000_000)
        let nothing = TrialObservation(steps: [], messages: [], requests: [], connections: [], endedAt: end)
        let verdict = try Self.trial(name).verdict(on: nothing)
        #expect(Self.isNotShown(verdict), "\(verdict)")
    }

    @Test func everyTrialHasAWrongProvider() {
        #expect(Set(WrongProvider.all.map(\.trial)) == Set(Self.names))
    }

    @Test(arguments: WrongProvider.all) func wrongProviderFailsWithItsFirstRequest(_ provider: WrongProvider) throws {
        let trial = try Self.trial(provider.trial)
        var observation = ExampleRun.observation(of: trial)
        let number = provider.change(&observation)
        let verdict = trial.verdict(on: observation)
        guard case .failed(let summary, _, let request) = verdict else {
            Issue.record("\(verdict)")
            return
        }
        #expect(request?.number == number, "\(summary)")
        #expect(!summary.isEmpty && !summary.hasSuffix("."))
    }
}
