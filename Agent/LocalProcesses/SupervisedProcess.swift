internal import Foundation
internal import Subprocess
internal import Synchronization
internal import SystemPackage

/// A process of a supervisor.
package final class SupervisedProcess: Sendable {
    /// A way to end a process.
    package enum Ending: Sendable {
        /// The process may shut down in order (SIGTERM).
        case terminate

        /// The process ends at once (SIGKILL).
        case kill
    }

    private struct State {
        var identifier: Int32?
        var isEnding = false
        var hasEnded = false
    }

    private let name: String
    private let program: String
    private let arguments: [String]
    private let logPath: String
    private let variables: [String: String]
    private let state = Mutex(State())

    init(name: String, program: String, arguments: [String], log: String, variables: [String: String]) {
        self.name = name
        self.program = program
        self.arguments = arguments
        self.variables = variables
        logPath = log
    }

    /// The process identifier, or 0 before the process runs.
    package var identifier: Int32 {
        state.withLock { $0.identifier ?? 0 }
    }

    /// Waits for the ready file of the process, and returns its contents.
    ///
    /// - Throws: `ProcessFailure` if the file is not there in time, or cannot be read.
    package func waitUntilReady<Ready: Decodable>(_ type: Ready.Type, at path: String) async throws -> Ready {
        try await ProcessWait.untilTrue(
            orFailWith: "\(name) was not ready within \(ProcessWait.defaultTimeLimit)\(logTail)"
        ) {
            FileManager.default.fileExists(atPath: path)
        }
        return try ReadyFiles.read(type, from: path)
    }

    /// Ends the process, and waits until it has ended.
    ///
    /// The supervisor does not report this end as a failure.
    ///
    /// - Throws: `ProcessFailure` if it does not end in time.
    package func end(_ ending: Ending) async throws {
        let identifier = state.withLock { state in
            state.isEnding = true
            return state.hasEnded ? nil : state.identifier
        }
        if let identifier { kill(identifier, ending == .kill ? SIGKILL : SIGTERM) }
        try await ProcessWait.untilTrue(
            orFailWith: "\(name) did not end within \(ProcessWait.defaultTimeLimit)\(logTail)"
        ) {
            state.withLock(\.hasEnded)
        }
    }

    /// Runs the process until the task is canceled, then stops it: with SIGTERM, and with SIGKILL after five seconds.
    ///
    /// - Throws: `ProcessFailure` if the process ends before that, unless `end` ended it.
    func run() async throws {
        defer { state.withLock { $0.hasEnded = true } }
        var options = PlatformOptions()
        // In its own process group, the process gets no interrupts from the terminal: this process stops the others in
        // order.
        options.processGroupID = 0
        options.teardownSequence = [.gracefulShutDown(allowedDurationToNextStep: .seconds(5))]
        let status = try await terminationStatus(options)
        try Task.checkCancellation()
        if state.withLock(\.isEnding) { return }
        throw failure(of: status)
    }

    private func terminationStatus(_ options: PlatformOptions) async throws -> TerminationStatus {
        try await Self.withExecutable(of: program, arguments + ["--exit-on-eof"]) {
            executable,
            arguments,
            environment in
            // This process holds the other end of the pipe and writes nothing. If it is killed, the program reads the
            // end of its input, and exits.
            let input = try FileDescriptor.pipe(options: .closeOnExec)
            defer { try? input.writeEnd.close() }
            let result = try await Subprocess.run(
                executable,
                arguments: arguments,
                environment: environment.updating(Self.updates(variables)),
                platformOptions: options,
                input: .fileDescriptor(input.readEnd, closeAfterSpawningProcess: true),
                output: .fileDescriptor(try openLog(), closeAfterSpawningProcess: true),
                error: .combinedWithOutput
            ) { execution in
                self.state.withLock { $0.identifier = execution.processIdentifier.value }
            }
            return result.terminationStatus
        }
    }

    /// Calls `run` with a program, its arguments and the environment for it.
    ///
    /// - Throws: `ProcessFailure` if there is no such program, or what `run` throws.
    static func withExecutable<Value>(
        of program: String,
        _ arguments: [String],
        _ run: (Executable, Arguments, Environment) async throws -> Value
    ) async throws -> Value {
        let arguments = Arguments(executablePathOverride: program, remainingValues: arguments)
        do {
            return try await run(executable(program), arguments, environment)
        } catch let error as SubprocessError where error.code == .executableNotFound {
            throw ProcessFailure.unusable("\(program) is neither next to this program nor on the PATH")
        }
    }

    /// The environment of this process, without settings for a gateway that the user runs.
    private static var environment: Environment {
        let settings = ProcessInfo.processInfo.environment.keys.filter { $0.hasPrefix("WAYPOST_GATEWAY_") }
        let removedVariables = settings.compactMap { Environment.Key(rawValue: $0) }.map { ($0, String?.none) }
        return .inherit.updating(Dictionary(removedVariables, uniquingKeysWith: { first, _ in first }))
    }

    /// Returns variables as changes of an environment.
    static func updates(_ variables: [String: String]) -> [Environment.Key: String?] {
        var updates: [Environment.Key: String?] = [:]
        for (name, value) in variables {
            if let key = Environment.Key(rawValue: name) { updates[key] = value }
        }
        return updates
    }

    private func openLog() throws -> FileDescriptor {
        try FileDescriptor.open(
            FilePath(logPath),
            .writeOnly,
            options: [.create, .append],
            permissions: .ownerReadWrite
        )
    }

    private func failure(of status: TerminationStatus) -> ProcessFailure {
        switch status {
        // The programs exit with 2 if their input cannot be used.
        case .exited(2): .unusable("\(name) could not start\(logTail)")
        case .exited(let code): .failed("\(name) ended early, with status \(code)\(logTail)")
        case .signaled(let signal): .failed("\(name) was terminated by signal \(signal)\(logTail)")
        }
    }

    /// The last lines of the process's output, for a message.
    private var logTail: String {
        let lines = LogTail.lines(of: logPath)
        return lines.isEmpty ? "" : ":\n" + lines.map { "  \($0)" }.joined(separator: "\n")
    }

    /// Returns the file of a program, next to this one or else on the search path.
    ///
    /// All programs of Waypost are one file, which chooses by the name by which it is started.
    private static func executable(_ program: String) -> Executable {
        let file = program.hasPrefix("waypost-") ? "waypost" : program
        let folder = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        let path = folder.appending(path: file).path
        return FileManager.default.isExecutableFile(atPath: path) ? .path(FilePath(path)) : .name(file)
    }
}
