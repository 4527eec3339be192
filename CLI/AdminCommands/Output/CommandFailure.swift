internal import ArgumentParser
internal import GatewayClient
internal import LoadTesting
internal import LocalAuthority
internal import LocalProcesses
internal import Scenarios
internal import SchemaFiles
internal import WaypostSchema

/// The exit status of a failed command, and its message on standard error.
struct CommandFailure: Error, Equatable {
    /// An exit status other than 0.
    enum Status: Int32 {
        /// The answer is no, an expectation failed, or a server did not answer.
        case no = 1

        /// The input cannot be used.
        case unusableInput = 2

        /// The reader closed standard output: 128 plus the number of SIGPIPE, as in shells.
        case readerLeft = 141

        /// The user interrupted the command: 128 plus the number of SIGINT, as in shells.
        case interrupted = 130
    }

    let status: Status
    let message: String?

    /// Whether the message names files and places in a form that programs read, so that nothing is put before it.
    var isComplete = false

    /// Returns a failure because of unusable input.
    static func unusable(_ message: String, isComplete: Bool = false) -> Self {
        Self(status: .unusableInput, message: message, isComplete: isComplete)
    }

    /// Returns a failure because the answer is no.
    static func no(_ message: String? = nil) -> Self {
        Self(status: .no, message: message)
    }

    /// Writes the message to standard error, and returns the exit code.
    func reported() -> ExitCode {
        if let message { StandardError.write(isComplete ? message : "waypost: \(message)") }
        return ExitCode(status.rawValue)
    }
}

extension CommandFailure {
    /// Creates the failure for an error that any command can throw, or `nil` if the error is unexpected.
    init?(_ error: any Error) {
        switch error {
        case let failure as CommandFailure: self = failure
        case let error as CallError: self = .no("\(error)")
        case let error as ProcessFailure:
            self = error.isUnusableInput ? .unusable(error.description) : .no(error.description)
        case let error as LoadOptions.Problem: self = .unusable("--\(error.option.rawValue) \(error.message)")
        case let error as LoadError: self = .no("\(error)")
        case let error as FileFindings: self = .unusable(error.description, isComplete: true)
        case let error as AuthorityFolder.FolderError: self = .unusable(error.description)
        case is CancellationError: self.init(status: .interrupted, message: "interrupted")
        default: return nil
        }
    }
}

extension CommandFailure {
    /// Calls a server, and says what to try if it cannot be reached, or is not the `listener` that is meant.
    static func suggesting<Value>(
        _ hint: String,
        _ listener: String,
        call: () async throws -> Value
    ) async throws -> Value {
        do {
            return try await call()
        } catch let error as CallError {
            switch error {
            case .unreachable: throw no("\(error); \(hint)")
            case .unexpectedAnswer: throw no("\(error); is it \(listener)?")
            case .refused(_, let answer) where answer.code == "notFound": throw no("\(error); is it \(listener)?")
            case .refused, .canceled: throw error
            }
        }
    }

    /// Calls a server.
    ///
    /// - Throws: `CommandFailure` for unusable input if the server refuses it; `CallError` for status 404, a server's error
    ///   or an unreachable server, which mean that the answer is no.
    static func refusedInput<Value>(_ call: () async throws -> Value) async throws -> Value {
        do {
            return try await call()
        } catch let error as CallError {
            switch error {
            case .refused(let status, _) where status != 404 && status < 500: throw unusable("\(error)")
            case .canceled: throw CancellationError()
            case .refused, .unreachable, .unexpectedAnswer: throw error
            }
        }
    }
}

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
            throw CommandFailure(error)?.reported() ?? error
        }
    }
}
