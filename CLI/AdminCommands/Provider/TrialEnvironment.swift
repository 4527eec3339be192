internal import Foundation
internal import GatewayClient
internal import ProviderTrials
internal import WaypostSchema

/// A trial with everything that performs its steps.
struct TrialEnvironment: Sendable {
    /// The interval at which the requests are read.
    private static let interval = Duration.milliseconds(50)

    /// The state of the trial.
    let run: TrialRun

    /// The first gateway.
    let gateway: TrialGateway

    /// The clock of the provider, if the trial moves it.
    let clock: ProviderClock?

    /// Starts the next gateway, at the same addresses.
    let startNext: @Sendable (TrialAuthority) async throws -> TrialGateway

    /// Performs the steps with a provider.
    ///
    /// - Returns: what the gateways saw, and the end of the provider's process.
    func perform(with provider: some TrialProvider) async throws -> (TrialObservation, ProviderFailure?) {
        try await provider.whileRunning {
            var run = run
            var gateway = gateway
            var earlier = TrialRecords()
            var activity = TrialActivity()
            steps: for step in run.trial.steps {
                for effect in try run.begin(step, at: .now) {
                    switch effect {
                    case .give(let messages): try provider.give(messages)
                    case .setProviderClock(let seconds): try clock?.set(to: seconds)
                    case .wait(let wait):
                        try await finish(wait, on: gateway, after: earlier, with: provider, updating: &activity)
                        guard run.goesOn(after: activity) else { break steps }
                    case .restart(let authority):
                        earlier = earlier.followed(by: try await gateway.records())
                        try await gateway.end()
                        earlier.close(at: .now)
                        gateway = try await startNext(authority)
                        try await gateway.register(run.setup)
                    case .addFault, .removeFaults, .affectConnections, .advanceGateway:
                        try await gateway.perform(effect)
                    }
                }
            }
            let records = earlier.followed(by: try await gateway.records())
            return run.observation(records.requests, records.connections, endedAt: .now)
        }
    }

    /// Waits until a wait is over.
    private func finish(
        _ wait: TrialWait,
        on gateway: TrialGateway,
        after earlier: TrialRecords,
        with provider: some TrialProvider,
        updating activity: inout TrialActivity
    ) async throws {
        var wait = wait
        let clock = ContinuousClock()
        let start = clock.now
        while true {
            // Requests that arrived before the provider ended count.
            let hasEnded = provider.hasEnded
            let callStart = clock.now
            if wait.needsRequests {
                let requests = try await gateway.client.senderRequests()
                activity.update(earlier.followed(by: TrialRecords(requests: requests)).requests)
            }
            guard !wait.isOver(activity, after: clock.now - start, providerHasEnded: hasEnded) else { return }
            // Long lists take the processor from the provider.
            try await clock.sleep(for: max(Self.interval, (clock.now - callStart) * 3))
        }
    }
}

extension Timestamp {
    /// The time by the system's clock.
    fileprivate static var now: Self {
        Self(milliseconds: Int(Date.now.timeIntervalSince1970 * 1_000))
    }
}
