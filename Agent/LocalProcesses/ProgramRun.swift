internal import Subprocess

/// A run of a program of Waypost to its end.
package enum ProgramRun {
    /// The maximum number of bytes of the output.
    private static let maximumOutputSize = 1 << 20

    /// Runs a program, and returns its standard output.
    ///
    /// - Parameters:
    ///   - program: the name of the program, which is next to this one or on the search path.
    ///   - arguments: its arguments.
    ///   - onWarning: called with the lines on its standard error, if it succeeds.
    /// - Returns: its standard output.
    /// - Throws: `ProcessFailure` if it cannot be started or does not succeed, with what it says on standard error.
    package static func output(
        of program: String,
        _ arguments: [String],
        onWarning: (String) -> Void = { _ in }
    ) async throws -> String {
        let result = try await SupervisedProcess.withExecutable(of: program, arguments) {
            executable,
            arguments,
            environment in
            try await Subprocess.run(
                executable,
                arguments: arguments,
                environment: environment,
                output: .string(limit: maximumOutputSize),
                error: .string(limit: maximumOutputSize)
            )
        }
        let message = result.standardError.split(separator: "\n").map { line in
            line.hasPrefix("\(program): ") ? line.dropFirst(program.count + 2) : line
        }
        switch result.terminationStatus {
        case .exited(0):
            for line in message { onWarning(String(line)) }
            return result.standardOutput
        case .exited(let code) where code == 2 || code == 64:
            throw ProcessFailure.unusable(message.joined(separator: "\n"))
        default: throw ProcessFailure.failed(message.joined(separator: "\n"))
        }
    }
}
