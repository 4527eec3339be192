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
        /// The answer is no, or an expectation failed.
        case failed = 1

        /// The input cannot be used.
        case unusableInput = 2

        /// An option has a value that it does not accept, as EX_USAGE of sysexits.h.
        case wrongUsage = 64

        /// A gateway or an agent cannot be reached, as EX_UNAVAILABLE of sysexits.h.
        case unavailable = 69

        /// The reader closed standard output: 128 plus the number of SIGPIPE, as in shells.
        case brokenPipe = 141

        /// The user interrupted the command: 128 plus the number of SIGINT, as in shells.
        case interrupted = 130
    }

    let status: Status
    let message: String?

    /// Whether the message is printed without a prefix, because editors parse its file names and line numbers.
    var hasNoPrefix = false

    /// Returns a failure because of unusable input.
    static func unusable(_ message: String, hasNoPrefix: Bool = false) -> Self {
        Self(status: .unusableInput, message: message, hasNoPrefix: hasNoPrefix)
    }

    /// Returns a failure with exit status 1: the answer is no, or an expectation failed.
    static func failed(_ message: String? = nil) -> Self {
        Self(status: .failed, message: message)
    }

    /// Returns a failure because a gateway or an agent cannot be reached.
    static func unavailable(_ message: String) -> Self {
        Self(status: .unavailable, message: message)
    }

    /// Whether nobody gave the answer that was asked for: it was no, or no server answered.
    var hasNoAnswer: Bool {
        status == .failed || status == .unavailable
    }

    /// Writes the message to standard error, and returns the exit code.
    func report() -> ExitCode {
        if let message { StandardError.write(hasNoPrefix ? message : "waypost: \(message)") }
        return ExitCode(status.rawValue)
    }
}

extension CommandFailure {
    /// Creates the failure for an error that any command can throw, or `nil` if the error is unexpected.
    init?(_ error: any Error) {
        switch error {
        case let failure as CommandFailure: self = failure
        case CallError.refused(status: 401, _):
            self = .unusable(
                "the server needs a token, or has another one; use --ready-file, --admin-token-file or WAYPOST_ADMIN_TOKEN"
            )
        case let error as CallError: self = error.isUnreachable ? .unavailable("\(error)") : .failed("\(error)")
        case let error as ProcessFailure:
            self = error.isUnusableInput ? .unusable(error.description) : .failed(error.description)
        case let error as LoadOptions.Problem:
            self.init(
                status: error.isInFile ? .unusableInput : .wrongUsage,
                message: "--\(error.option.rawValue) \(error.message)"
            )
        case let error as DecodingError: self = .unusable(error.sentence)
        case let error as LoadError: self = error.isUnreachable ? .unavailable("\(error)") : .failed("\(error)")
        case let error as FileFindings: self = .unusable(error.description, hasNoPrefix: true)
        case let error as AuthorityFolder.FolderError: self = .unusable(error.description)
        case is CancellationError: self.init(status: .interrupted, message: "interrupted")
        default: return nil
        }
    }
}

extension CommandFailure {
    /// Calls a server, and suggests what to try if it cannot be reached, or is not the expected `listener`.
    static func withConnectionHint<Value>(
        _ hint: String,
        listener: String,
        call: () async throws -> Value
    ) async throws -> Value {
        do {
            return try await call()
        } catch let error as CallError {
            switch error {
            case .unreachable: throw unavailable("\(error); \(hint)")
            case .unexpectedResponse: throw unavailable("\(error); is it \(listener)?")
            case .refused(_, let answer) where answer.code == "notFound":
                throw unavailable("\(error); is it \(listener)?")
            case .refused, .canceled: throw error
            }
        }
    }

    /// Calls a server, and reports a refused request as unusable input.
    ///
    /// - Throws: `CommandFailure` with exit status 2 if the server refuses the input; `CallError` for status 404, for
    ///   what a device does not do, for server errors and an unreachable server.
    static func reportingRefusalAsUnusableInput<Value>(_ call: () async throws -> Value) async throws -> Value {
        do {
            return try await call()
        } catch let error as CallError {
            switch error {
            case .refused(let status, let answer)
            where status != 404 && status < 500 && IgnoredEvent.Reason(rawValue: answer.code.rawValue) == nil:
                throw unusable("\(error)")
            case .canceled: throw CancellationError()
            case .refused, .unreachable, .unexpectedResponse: throw error
            }
        }
    }
}
