internal import Foundation
internal import Subprocess
internal import Synchronization
internal import SystemPackage

/// A shell command of a scenario.
struct ShellCommand: Sendable {
    /// The outcome of a command.
    struct Outcome: Sendable, Encodable, Equatable {
        /// The exit status, or 128 plus the number of the signal that ended the command, as in shells.
        var exit: Int

        /// The text that the command wrote to its standard output and standard error.
        var output: String
    }

    let script: String

    /// The folder in which the command runs.
    let folder: String

    /// The variables of its environment, besides those of this process.
    let environment: [String: String]

    /// The path of the file for its output.
    let outputPath: String

    /// The maximum time that it may take.
    let timeLimit: Duration

    private static let maximumOutputSize = 1 << 20

    /// Runs the command until it ends; `groups` takes its process group.
    ///
    /// Processes that it leaves in the background continue.
    ///
    /// - Throws: `StepFailure` if there is no shell, or its time is over.
    func run(in groups: ProcessGroups) async throws -> Outcome {
        let status = try await withThrowingTaskGroup(of: TerminationStatus?.self) { tasks in
            tasks.addTask { try await runShell(in: groups) }
            tasks.addTask {
                try await Task.sleep(for: timeLimit)
                return nil
            }
            defer { tasks.cancelAll() }
            return try await tasks.next() ?? nil
        }
        switch status {
        case .exited(let code)?: return Outcome(exit: Int(code), output: output)
        case .signaled(let signal)?: return Outcome(exit: 128 + Int(signal), output: output)
        case nil:
            throw StepFailure(
                "the command did not end within \(timeLimit); 'expect' with 'within' allows more",
                explanation: "It printed:\n\(output)"
            )
        }
    }

    private func runShell(in groups: ProcessGroups) async throws -> TerminationStatus {
        var variables: [Environment.Key: String?] = [:]
        for (name, value) in environment {
            if let key = Environment.Key(rawValue: name) { variables[key] = value }
        }
        var options = PlatformOptions()
        options.processGroupID = 0
        options.teardownSequence = [.gracefulShutDown(toProcessGroup: true, allowedDurationToNextStep: .seconds(2))]
        do {
            // Into a file: a pipe would stay open as long as any process that the command leaves behind.
            let file = try FileDescriptor.open(
                FilePath(outputPath),
                .writeOnly,
                options: [.create, .truncate],
                permissions: .ownerReadWrite
            )
            return try await Subprocess.run(
                .path("/bin/sh"),
                arguments: ["-c", script],
                environment: .inherit.updating(variables),
                workingDirectory: FilePath(folder),
                platformOptions: options,
                input: .none,
                output: .fileDescriptor(file, closeAfterSpawningProcess: true),
                error: .combinedWithOutput
            ) { execution in
                groups.add(execution.processIdentifier.value)
            }.terminationStatus
        } catch let error as SubprocessError {
            throw StepFailure("'\(script)' cannot be run: \(error)")
        }
    }

    /// The text that the command has printed, or the beginning of a long one.
    private var output: String {
        guard let file = FileHandle(forReadingAtPath: outputPath),
            let data = try? file.read(upToCount: Self.maximumOutputSize)
        else { return "" }
        return String(decoding: data, as: UTF8.self)
    }
}

/// The process groups of the commands of a run, which end with it.
final class ProcessGroups: Sendable {
    private let leaders = Mutex<[Int32]>([])

    /// Adds the group of a process that leads one.
    func add(_ leader: Int32) {
        leaders.withLock { leaders in
            // The system may give the number of a group that has ended to another one.
            leaders.removeAll { kill(-$0, 0) != 0 }
            leaders.append(leader)
        }
    }

    /// Kills all remaining processes.
    func end() {
        for leader in leaders.withLock({ $0 }) { kill(-leader, SIGKILL) }
    }
}
