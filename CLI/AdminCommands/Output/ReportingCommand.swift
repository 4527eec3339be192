internal import ArgumentParser

/// A command that reports its failures.
protocol ReportingCommand: AsyncParsableCommand {
    /// Performs the command.
    func perform() async throws
}

extension ReportingCommand {
    /// Performs the command.
    ///
    /// A failure ends the process with its status and message, never with a stack trace.
    func run() async throws {
        do {
            try await perform()
        } catch {
            throw CommandFailure(error)?.report() ?? error
        }
    }
}
