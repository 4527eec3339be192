internal import AsyncHTTPClient
internal import Foundation
internal import GatewayClient
internal import LocalProcesses
internal import ProviderTrials
internal import WaypostSchema

/// Runs trials, each with a gateway of its own.
struct TrialRunner: Sendable {
    /// The kinds of providers.
    enum Subject: Sendable {
        /// A command, which is started for each trial.
        case command([String])

        /// A running service, which calls the gateways at the same addresses in every trial.
        case service(TrialService, TrialGateway.Ports)
    }

    /// The result of a trial, and the failure of the provider's process if one explains the result.
    struct Outcome: Sendable {
        let result: ProviderTrialResult
        let failure: ProviderFailure?
    }

    /// The time between two looks at the requests.
    private static let interval = Duration.milliseconds(50)

    let subject: Subject
    let seed: Int

    /// The folder for the files of the trials.
    let folder: URL

    /// The path of the folder of the certificate authority.
    let authority: String

    /// The variables with which clients trust the authority.
    let trustVariables: [String: String]

    let keys: [TrialKey]
    let http: HTTPClient

    /// The path of libfaketime; `nil` if it is not installed.
    let clockLibrary: String?

    /// Runs a trial.
    ///
    /// - Throws: `ProcessFailure` or `CallError` if the gateway or the provider cannot be used.
    func run(_ trial: ProviderTrial) async throws -> Outcome {
        let start = ContinuousClock.now
        if let reason = obstacle(to: trial) {
            return Outcome(result: ProviderTrialResult(trial, .notShown(reason)), failure: nil)
        }
        let folder = folder.appending(path: trial.name)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let (observation, failure) = try await ProcessSupervisor.run { supervisor in
            try await observe(trial, supervisor, in: folder)
        }
        let result = ProviderTrialResult(
            trial,
            trial.judge(observation),
            observation: observation,
            failure: failure?.sentence,
            milliseconds: Int((ContinuousClock.now - start).seconds * 1_000)
        )
        let needsLog = failure?.sentence != nil || observation.requests.isEmpty
        return Outcome(result: result, failure: needsLog ? failure : nil)
    }

    /// Returns why a trial cannot be run; `nil` if it can.
    private func obstacle(to trial: ProviderTrial) -> String? {
        guard trial.movesClock else { return nil }
        switch subject {
        case .service: return "the clock of a service cannot be moved; give the provider as a command"
        case .command: return clockLibrary == nil ? "install faketime, with which the provider's clock moves" : nil
        }
    }

    /// Runs the steps of a trial, and returns what the gateway saw.
    private func observe(
        _ trial: ProviderTrial,
        _ supervisor: ProcessSupervisor,
        in folder: URL
    ) async throws -> (TrialObservation, ProviderFailure?) {
        let gateway = try await TrialGateway(supervisor, http, in: folder, authority: authority, ports: ports)
        let setup = TrialSetup(
            tokens: TrialSetup.tokens(for: trial, seed: seed),
            keys: keys,
            registeredAt: try await gateway.client.clock().now
        )
        try await gateway.register(setup)
        var variables = ProviderVariables.values(trial: trial.name, setup, gateway.ready)
        variables.merge(trustVariables) { value, _ in value }
        var clock: ProviderClock?
        if trial.movesClock, let clockLibrary {
            let movingClock = try ProviderClock(clockLibrary, in: folder)
            variables.merge(movingClock.variables) { _, value in value }
            clock = movingClock
        }
        let run = TrialRun(trial, setup, seed: seed)
        switch subject {
        case .command(let words):
            let provider = try ProviderProcesses(
                words,
                count: trial.processes,
                variables: variables,
                logsIn: folder
            )
            return try await perform(run, on: gateway, with: provider, clock: clock)
        case .service(let service, _):
            let provider = ProviderService(service: service, variables: variables)
            return try await perform(run, on: gateway, with: provider, clock: clock)
        }
    }

    private var ports: TrialGateway.Ports? {
        if case .service(_, let ports) = subject { ports } else { nil }
    }

    private func perform(
        _ run: TrialRun,
        on gateway: TrialGateway,
        with provider: some TrialProvider,
        clock: ProviderClock?
    ) async throws -> (TrialObservation, ProviderFailure?) {
        try await provider.whileRunning {
            var run = run
            var activity = TrialActivity()
            for step in run.trial.steps {
                for effect in try run.begin(step, at: .now) {
                    switch effect {
                    case .give(let messages): try provider.give(messages)
                    case .setProviderClock(let seconds): try clock?.set(to: seconds)
                    case .wait(let wait): try await self.wait(wait, on: gateway, with: provider, updating: &activity)
                    case .addFault, .removeFaults, .affectConnections, .advanceGateway:
                        try await gateway.perform(effect)
                    }
                }
            }
            let connections = try await gateway.client.senderConnections()
            return run.observation(try await gateway.client.senderRequests(), connections, endedAt: .now)
        }
    }

    private func wait(
        _ wait: TrialWait,
        on gateway: TrialGateway,
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
            if wait.needsRequests { activity.update(try await gateway.client.senderRequests()) }
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
