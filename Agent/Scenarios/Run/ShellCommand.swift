internal import Foundation
internal import LocalProcesses
internal import Subprocess
internal import SystemPackage

/// A shell command of a scenario.
struct ShellCommand: Sendable {
    /// The end of a command.
    struct Ended: Sendable, Encodable, Equatable {
        /// The exit status, or 128 plus the number of the signal that ended the command, as in shells.
        var exit: Int

        /// The text that the command wrote to its standard output and standard error.
        var output: String
    }

    let text: String

    /// The folder in which the command runs.
    let folder: String

    /// The variables of its environment, besides those of this process.
    let environment: [String: String]

    private static let longestOutput = 1 << 20

    /// Runs the command until it ends.
    ///
    /// - Throws: `ProcessFailure` if there is no shell, or its output is too long.
    func run() async throws -> Ended {
        var variables: [Environment.Key: String?] = [:]
        for (name, value) in environment { variables[Environment.Key(rawValue: name) ?? "WAYPOST"] = value }
        var options = PlatformOptions()
        options.processGroupID = 0
        options.teardownSequence = [.gracefulShutDown(allowedDurationToNextStep: .seconds(2))]
        do {
            let result = try await Subprocess.run(
                .path("/bin/sh"),
                arguments: ["-c", text],
                environment: .inherit.updating(variables),
                workingDirectory: FilePath(folder),
                platformOptions: options,
                output: .string(limit: Self.longestOutput),
                error: .combinedWithOutput
            )
            let exit =
                switch result.terminationStatus {
                case .exited(let code): Int(code)
                case .signaled(let signal): 128 + Int(signal)
                }
            return Ended(exit: exit, output: result.standardOutput)
        } catch let error as SubprocessError {
            throw ProcessFailure.failed("'\(text)' cannot be run: \(error)")
        }
    }
}
