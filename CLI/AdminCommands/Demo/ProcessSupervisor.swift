internal import Foundation
internal import Subprocess
internal import Synchronization
internal import SystemPackage

/// The child processes of an operation: they run alongside it, and are stopped when it ends for any reason.
struct ProcessSupervisor: Sendable {
    private let orders: AsyncStream<SupervisedProcess>.Continuation

    /// Runs `work` with a supervisor.
    ///
    /// - Returns: the result of `work`, after every process has stopped.
    /// - Throws: the error of `work`, or `CommandFailure` if a process ends before `work` does.
    static func run<Value: Sendable>(
        _ work: @escaping @Sendable (ProcessSupervisor) async throws -> Value
    ) async throws -> Value {
        let (processes, orders) = AsyncStream.makeStream(of: SupervisedProcess.self)
        return try await withThrowingTaskGroup(of: Value?.self) { group in
            group.addTask {
                try await work(ProcessSupervisor(orders: orders))
            }
            group.addTask {
                try await withThrowingDiscardingTaskGroup { running in
                    for await process in processes {
                        running.addTask {
                            // If one process ends, the supervisor ends, and starts no more processes.
                            defer { orders.finish() }
                            try await process.run()
                        }
                    }
                }
                return nil
            }
            defer { group.cancelAll() }
            while let outcome = try await group.next() {
                if let value = outcome { return value }
            }
            throw CancellationError()
        }
    }

    /// Starts one of Waypost's programs; its output goes to the file `log`.
    func start(_ program: String, _ arguments: [String], name: String, log: String) -> SupervisedProcess {
        let process = SupervisedProcess(name: name, program: program, arguments: arguments, log: log)
        orders.yield(process)
        return process
    }
}

/// A process of a supervisor.
final class SupervisedProcess: Sendable {
    private let name: String
    private let program: String
    private let arguments: [String]
    private let log: String
    private let processIdentifier = Mutex<Int32?>(nil)

    init(name: String, program: String, arguments: [String], log: String) {
        self.name = name
        self.program = program
        self.arguments = arguments
        self.log = log
    }

    /// The process identifier, or 0 before the process runs.
    var identifier: Int32 {
        processIdentifier.withLock { $0 ?? 0 }
    }

    /// Waits for the ready file of the process, and returns its contents.
    func ready<Ready: Decodable>(_ type: Ready.Type, at path: String) async throws -> Ready {
        try await ProcessWait.orFail(with: "\(name) was not ready within \(ProcessWait.timeLimit)\(logTail)") {
            FileManager.default.fileExists(atPath: path)
        }
        return try ReadyFiles.read(type, from: path)
    }

    /// Runs the process until the task is canceled, then stops it: with SIGTERM, and with SIGKILL after five seconds.
    ///
    /// - Throws: `CommandFailure` if the process ends before that.
    func run() async throws {
        var options = PlatformOptions()
        // In its own process group, the process gets no interrupts from the terminal: this process stops the others in
        // order.
        options.processGroupID = 0
        options.teardownSequence = [.gracefulShutDown(allowedDurationToNextStep: .seconds(5))]
        let status = try await terminationStatus(options)
        try Task.checkCancellation()
        throw failure(of: status)
    }

    private func terminationStatus(_ options: PlatformOptions) async throws -> TerminationStatus {
        do {
            let result = try await Subprocess.run(
                Self.executable(program),
                arguments: Arguments(arguments),
                platformOptions: options,
                input: .none,
                output: .fileDescriptor(try openLog(), closeAfterSpawningProcess: true),
                error: .combinedWithOutput
            ) { execution in
                self.processIdentifier.withLock { $0 = execution.processIdentifier.value }
            }
            return result.terminationStatus
        } catch let error as SubprocessError where error.code == .executableNotFound {
            throw CommandFailure.unusable("\(program) is neither next to this program nor on the PATH")
        }
    }

    private func openLog() throws -> FileDescriptor {
        try FileDescriptor.open(
            FilePath(log),
            .writeOnly,
            options: [.create, .append],
            permissions: .ownerReadWrite
        )
    }

    private func failure(of status: TerminationStatus) -> CommandFailure {
        switch status {
        case .exited(CommandFailure.Status.unusableInput.rawValue): .unusable("\(name) could not start\(logTail)")
        case .exited(let code): .no("\(name) ended early, with status \(code)\(logTail)")
        case .signaled(let signal): .no("\(name) was terminated by signal \(signal)\(logTail)")
        }
    }

    /// The last lines of the process's output, for a message.
    private var logTail: String {
        guard let text = try? String(contentsOfFile: log, encoding: .utf8) else { return "" }
        let lines = text.split(separator: "\n").suffix(5)
        return lines.isEmpty ? "" : ":\n" + lines.map { "  \($0)" }.joined(separator: "\n")
    }

    /// Returns the program next to this one, or otherwise the one on the search path.
    private static func executable(_ program: String) -> Executable {
        let this = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        let sibling = this.deletingLastPathComponent().appending(path: program).path
        guard FileManager.default.isExecutableFile(atPath: sibling) else { return .name(program) }
        return .path(FilePath(sibling))
    }
}

/// A wait for something that another process does.
enum ProcessWait {
    /// The longest wait.
    static let timeLimit = Duration.seconds(30)

    /// Waits until a condition is true.
    ///
    /// - Throws: the error of `isSo`, or `CommandFailure` with the message `failure` after the time limit.
    static func orFail(with failure: @autoclosure () -> String, until isSo: () async throws -> Bool) async throws {
        let clock = ContinuousClock()
        let deadline = clock.now + timeLimit
        while try await !isSo() {
            guard clock.now < deadline else { throw CommandFailure.no(failure()) }
            // A new file and the state of an app's process cannot be waited for otherwise, so they are polled.
            try await clock.sleep(for: .milliseconds(20))
        }
    }
}
