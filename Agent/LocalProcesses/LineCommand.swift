internal import Foundation
internal import Subprocess
internal import Synchronization
internal import SystemPackage

/// A command of the user that reads lines from its standard input while it runs.
///
/// It leads a process group of its own, which ends with it.
package final class LineCommand: Sendable {
    /// The time that the command has to end after the end of its input, and after SIGTERM.
    private static let (inputTimeLimit, termTimeLimit) = (Duration.seconds(5), Duration.seconds(2))

    private struct State {
        var identifier: Int32?
        var status: TerminationStatus?
        var wasStopped = false
        var hasEnded = false
    }

    private let words: [String]
    private let variables: [String: String]
    private let logPath: String
    private let state = Mutex(State())
    private let lines: AsyncStream<String>
    private let continuation: AsyncStream<String>.Continuation
    private let endOfInput: AsyncStream<Never>
    private let endOfInputContinuation: AsyncStream<Never>.Continuation

    /// Prepares a command.
    ///
    /// - Parameters:
    ///   - words: the program, a path or a name on the search path, and its arguments.
    ///   - variables: the variables of its environment, besides those of this process.
    ///   - log: the path of the file for its output, which is replaced.
    /// - Throws: `ProcessFailure` if the path is not that of a program.
    package init(_ words: [String], variables: [String: String], log: String) throws(ProcessFailure) {
        let program = words.first ?? ""
        guard !program.isEmpty else { throw .unusable("the command is empty") }
        guard !program.contains("/") || FileManager.default.isExecutableFile(atPath: program) else {
            throw .unusable("\(program): not an executable file")
        }
        self.words = words
        self.variables = variables
        logPath = log
        (lines, continuation) = AsyncStream.makeStream(of: String.self)
        (endOfInput, endOfInputContinuation) = AsyncStream.makeStream(of: Never.self)
    }

    /// Adds a line to the input of the command.
    package func write(_ line: String) {
        continuation.yield(line)
    }

    /// Ends the input of the command after the lines that were added.
    package func endInput() {
        continuation.finish()
        endOfInputContinuation.finish()
    }

    /// Whether the command has ended, or could not be started.
    package var hasEnded: Bool {
        state.withLock { state in
            guard !state.hasEnded else { return true }
            guard let identifier = state.identifier else { return false }
            var information = siginfo_t()
            // The process stays for the code that waits for its status.
            let result = waitid(P_PID, id_t(identifier), &information, WEXITED | WNOHANG | WNOWAIT)
            return result != 0 || information.si_signo != 0
        }
    }

    /// The failure of the command in a sentence; `nil` if the command succeeded, was stopped or runs.
    package var failure: String? {
        let (status, wasStopped) = state.withLock { ($0.status, $0.wasStopped) }
        guard !wasStopped else { return nil }
        return switch status {
        case nil, .exited(0)?: nil
        case .exited(let code)?: "the command exited with status \(code)"
        case .signaled(let signal)?: "the command was terminated by signal \(signal)"
        }
    }

    /// The last lines of the output.
    package var lastLines: [String] {
        LogTail.lines(of: logPath)
    }

    /// Runs the command until it ends.
    ///
    /// After the end of its input, it has five seconds. Then, or if the task is canceled, its process group gets SIGTERM,
    /// and SIGKILL two seconds later.
    ///
    /// - Throws: `ProcessFailure` if it cannot be started.
    package func run() async throws {
        defer {
            endGroup()
            state.withLock { $0.hasEnded = true }
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                let status = try await self.terminationStatus()
                self.state.withLock { $0.status = status }
            }
            group.addTask {
                for await _ in self.endOfInput {}
                try await Task.sleep(for: Self.inputTimeLimit)
                self.state.withLock { $0.wasStopped = $0.status == nil }
            }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    private func terminationStatus() async throws -> TerminationStatus {
        var options = PlatformOptions()
        options.processGroupID = 0
        options.teardownSequence = [
            .gracefulShutDown(toProcessGroup: true, allowedDurationToNextStep: Self.termTimeLimit)
        ]
        let log = try FileDescriptor.open(
            FilePath(logPath),
            .writeOnly,
            options: [.create, .truncate],
            permissions: .ownerReadWrite
        )
        do {
            return try await Subprocess.run(
                words[0].contains("/") ? .path(FilePath(words[0])) : .name(words[0]),
                arguments: Arguments(Array(words.dropFirst())),
                environment: .inherit.updating(SupervisedProcess.updates(variables)),
                platformOptions: options,
                input: .inputWriter,
                output: .fileDescriptor(log, closeAfterSpawningProcess: true),
                error: .combinedWithOutput
            ) { execution in
                self.state.withLock { $0.identifier = execution.processIdentifier.value }
                await self.writeLines(to: execution.standardInputWriter)
            }.terminationStatus
        } catch let error as SubprocessError {
            try Task.checkCancellation()
            throw ProcessFailure.unusable("\(words[0]) cannot be started: \(error)")
        }
    }

    /// Writes the lines as they are added; a command that has closed its input gets no more of them.
    private func writeLines(to writer: StandardInputWriter) async {
        for await line in lines {
            guard (try? await writer.write(line + "\n")) != nil else { return }
        }
        try? await writer.finish()
    }

    /// Kills the processes that the command has left behind.
    private func endGroup() {
        if let leader = state.withLock(\.identifier) { kill(-leader, SIGKILL) }
    }
}
