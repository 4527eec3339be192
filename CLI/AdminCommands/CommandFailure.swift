internal import ArgumentParser

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

/// Runs a command's work; a failure ends the process with its status and message, never with a stack trace.
func reportingFailures(_ work: () async throws -> Void) async throws {
    do {
        try await work()
    } catch let failure as CommandFailure {
        throw failure.reported()
    } catch is CancellationError {
        throw CommandFailure(status: .interrupted, message: "interrupted").reported()
    }
}
