internal import AsyncHTTPClient
internal import Foundation
internal import GatewayClient
internal import LocalAuthority
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

    let subject: Subject
    let seed: Int

    /// The folder for the files of the trials.
    let folder: URL

    /// The certificate authorities.
    let authorities: TrialAuthorities

    /// The variables with which clients trust the authorities.
    let trustVariables: [String: String]

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
        let (observation, failure, url) = try await ProcessSupervisor.run { supervisor in
            try await observe(trial, supervisor, in: folder)
        }
        let result = ProviderTrialResult(
            trial,
            trial.verdict(on: observation),
            observation: observation,
            at: url,
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
        case .command:
            return clockLibrary == nil
                ? "faketime is not installed; install it, so that the provider's clock can move" : nil
        }
    }

    /// Runs the steps of a trial.
    ///
    /// - Returns: what the gateway saw, the end of the provider's process, and the URL that the provider got.
    private func observe(
        _ trial: ProviderTrial,
        _ supervisor: ProcessSupervisor,
        in folder: URL
    ) async throws -> (TrialObservation, ProviderFailure?, url: String?) {
        let ports = try ports(for: trial)
        let start: @Sendable (TrialAuthority) async throws -> TrialGateway = { authority in
            let path = authority == .first ? authorities.first : authorities.second
            return try await TrialGateway(supervisor, http, in: folder, authority: path, ports: ports)
        }
        let gateway = try await start(.first)
        let lead = TrialRun.clockLead(of: trial)
        if lead > 0 { try await gateway.perform(.advanceGateway(milliseconds: lead * 1_000)) }
        let setup = TrialSetup(
            tokens: TrialSetup.tokens(for: trial, seed: seed),
            keys: try TrialKey.pair(for: trial, in: folder),
            registeredAt: try await gateway.client.clock().now
        )
        try await gateway.register(setup)
        var variables = ProviderVariables.values(trial: trial.name, setup, gateway.ready)
        variables["WAYPOST_CA_FILE"] = authorities.bundle
        variables.merge(trustVariables) { value, _ in value }
        var clock: ProviderClock?
        if trial.movesClock, let clockLibrary {
            let movingClock = try ProviderClock(clockLibrary, in: folder, ahead: lead)
            variables.merge(movingClock.variables) { _, value in value }
            clock = movingClock
        }
        let environment = TrialEnvironment(
            run: TrialRun(trial, setup, seed: seed),
            gateway: gateway,
            clock: clock,
            startNext: start
        )
        let (observation, failure) = try await perform(environment, with: variables, in: folder)
        return (observation, failure, url: variables["WAYPOST_URL"])
    }

    /// Performs the steps of a trial with the provider.
    private func perform(
        _ environment: TrialEnvironment,
        with variables: [String: String],
        in folder: URL
    ) async throws -> (TrialObservation, ProviderFailure?) {
        switch subject {
        case .command(let words):
            let provider = try ProviderProcesses(
                words,
                count: environment.run.trial.processes,
                variables: variables,
                logsIn: folder
            )
            return try await environment.perform(with: provider)
        case .service(let service, _):
            return try await environment.perform(with: ProviderService(service: service, variables: variables))
        }
    }

    /// Returns the addresses of the gateway's listeners, if the next gateway has the same ones.
    private func ports(for trial: ProviderTrial) throws -> TrialGateway.Ports? {
        if case .service(_, let ports) = subject { return ports }
        return trial.restartsGateway ? try TrialGateway.Ports() : nil
    }
}

/// The certificate authorities of the gateways, all of which a provider trusts.
struct TrialAuthorities: Sendable {
    /// The path of the folder of the usual authority.
    let first: String

    /// The path of the folder of the second authority.
    let second: String

    /// The path of the file with the certificates of both.
    let bundle: String

    /// Creates the authorities in a folder, unless an earlier run has left them there.
    ///
    /// - Throws: `AuthorityFolder.FolderError`, and `CommandFailure` if the file cannot be written.
    init(in folder: URL) throws {
        let folders = ["ca", "ca-2"].map { AuthorityFolder(path: folder.appending(path: $0).path) }
        for authority in folders { try authority.prepare(.system) }
        (first, second) = (folders[0].path, folders[1].path)
        let file = folder.appending(path: "authorities.pem")
        let certificates = folders.compactMap(\.authorityCertificate).joined(separator: "\n")
        try OutputFile.write(Data((certificates + "\n").utf8), to: file)
        bundle = file.path
    }

    /// The path of the certificate of the second authority, for programs that read one certificate from a file.
    var secondCertificate: String {
        AuthorityFolder(path: second).authorityCertificatePath
    }
}
