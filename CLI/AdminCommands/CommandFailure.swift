internal import ArgumentParser
internal import GatewayClient
internal import LocalAuthority

/// Why a command ends with another status than 0, and what it says on standard error.
struct CommandFailure: Error, Equatable {
    /// What the statuses mean to a script.
    enum Status: Int32 {
        /// The answer is no, an expectation failed, or something that should have answered did not.
        case no = 1

        /// The input cannot be used.
        case unusableInput = 2

        /// Who read the answer has left: 128 and the number of SIGPIPE, as shells have it.
        case readerLeft = 141

        /// The person interrupted the command: 128 and the number of SIGINT, as shells have it.
        case interrupted = 130
    }

    let status: Status
    let message: String?

    /// Input that cannot be used.
    static func unusable(_ message: String) -> Self {
        Self(status: .unusableInput, message: message)
    }

    /// An answer that is no.
    static func no(_ message: String? = nil) -> Self {
        Self(status: .no, message: message)
    }

    /// Says why on standard error, and returns what ends the process.
    func reported() -> ExitCode {
        if let message { StandardError.write("waypost: \(message)") }
        return ExitCode(status.rawValue)
    }
}

extension CommandFailure {
    /// What an error means for every command; `nil` where it is an error that no command expects.
    init?(_ error: any Error) {
        switch error {
        case let failure as CommandFailure: self = failure
        case let error as CallError: self = .no("\(error)")
        case let error as AuthorityFolder.FolderError: self = .unusable(error.description)
        case is CancellationError: self.init(status: .interrupted, message: "interrupted")
        default: return nil
        }
    }
}

/// A command that says why it fails.
protocol ReportingCommand: AsyncParsableCommand {
    /// Does the command's work.
    func perform() async throws
}

extension ReportingCommand {
    /// Does the command's work; a failure ends the process with its status and message, never with a stack trace.
    func run() async throws {
        do {
            try await perform()
        } catch {
            throw CommandFailure(error)?.reported() ?? error
        }
    }
}
