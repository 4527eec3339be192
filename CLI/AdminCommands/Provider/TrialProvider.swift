internal import Foundation
internal import LocalProcesses
internal import ProviderTrials

/// A provider during a trial: processes of a command, or a running service.
protocol TrialProvider: Sendable {
    /// Whether the provider has ended, so that no request will follow.
    var hasEnded: Bool { get }

    /// Gives messages to the provider.
    func give(_ messages: [TrialMessage]) throws

    /// Runs `body` with the provider, and ends what was started for it.
    ///
    /// - Returns: the result of `body`, and a sentence if a process failed.
    func whileRunning<Value: Sendable>(
        _ body: @Sendable () async throws -> Value
    ) async throws -> (value: Value, failure: ProviderFailure?)
}

/// The failure of a provider's process.
struct ProviderFailure: Sendable, Equatable {
    /// A sentence about its end; `nil` if it did not fail.
    var sentence: String?

    /// The last lines of its output.
    var lastLines: [String]
}

/// The processes of a command, which share the messages.
final class ProviderProcesses: TrialProvider {
    private let commands: [LineCommand]
    private let turn = TurnCounter()

    /// Prepares processes.
    ///
    /// - Parameters:
    ///   - words: the command.
    ///   - count: the number of processes.
    ///   - variables: the variables of their environment.
    ///   - folder: the folder for their logs.
    /// - Throws: `ProcessFailure` if the command cannot be used.
    init(_ words: [String], count: Int, variables: [String: String], logsIn folder: URL) throws(ProcessFailure) {
        var commands: [LineCommand] = []
        for number in 1...max(1, count) {
            let log = folder.appending(path: count > 1 ? "provider-\(number).log" : "provider.log").path
            commands.append(try LineCommand(words, variables: variables, log: log))
        }
        self.commands = commands
    }

    var hasEnded: Bool {
        commands.allSatisfy(\.hasEnded)
    }

    func give(_ messages: [TrialMessage]) throws {
        for message in messages {
            commands[turn.next(below: commands.count)].write(try JSONOutput.line(message))
        }
    }

    func whileRunning<Value: Sendable>(
        _ body: @Sendable () async throws -> Value
    ) async throws -> (value: Value, failure: ProviderFailure?) {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for command in commands { group.addTask { try await command.run() } }
            let value = try await body()
            for command in commands { command.endInput() }
            try await group.waitForAll()
            let failures = commands.map { ProviderFailure(sentence: $0.failure, lastLines: $0.lastLines) }
            return (value, failures.first { $0.sentence != nil } ?? failures.first)
        }
    }
}

/// A service, which fetches its messages.
struct ProviderService: TrialProvider {
    let service: TrialService
    let variables: [String: String]

    var hasEnded: Bool { false }

    func give(_ messages: [TrialMessage]) {
        service.give(messages)
    }

    func whileRunning<Value: Sendable>(
        _ body: @Sendable () async throws -> Value
    ) async throws -> (value: Value, failure: ProviderFailure?) {
        service.begin(variables)
        defer { service.endTrial() }
        return (try await body(), nil)
    }
}
