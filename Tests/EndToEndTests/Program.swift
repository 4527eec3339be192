import Foundation
import Subprocess
import SystemPackage

/// The programs, as they were built beside these tests.
enum Program {
    /// What a program that has ended left behind.
    struct Ended: Sendable {
        /// The exit status; 128 and the number of the signal that ended it, as shells have it.
        let status: Int32
        let output: String
        let errors: String
    }

    private static let limit = 1 << 20

    /// The folder that the programs and the tests were built into.
    static let folder = URL(filePath: CommandLine.arguments[0]).resolvingSymlinksInPath().deletingLastPathComponent()

    static func path(_ name: String) -> String {
        folder.appending(path: name).path
    }

    /// One of ours, or a program of the system.
    private static func executable(_ name: String) -> Executable {
        name.hasPrefix("waypost") ? .path(FilePath(path(name))) : .name(name)
    }

    /// Runs a program to its end.
    static func run(_ name: String, _ arguments: [String], input: String = "") async throws -> Ended {
        let result = try await Subprocess.run(
            executable(name),
            arguments: Arguments(arguments),
            input: .string(input),
            output: .string(limit: limit),
            error: .string(limit: limit)
        )
        return Ended(
            status: result.terminationStatus.shellStatus,
            output: result.standardOutput,
            errors: result.standardError
        )
    }

    /// Runs `body` beside a program, which is then sent SIGTERM.
    ///
    /// - Returns: the program's exit status, what `body` returned, and every line that the program printed.
    static func whileRunning<Value: Sendable>(
        _ name: String,
        _ arguments: [String],
        _ body: (Running) async throws -> Value
    ) async throws -> (status: Int32, value: Value, lines: [String]) {
        var options = PlatformOptions()
        options.teardownSequence = [.gracefulShutDown(allowedDurationToNextStep: .seconds(20))]
        let result = try await Subprocess.run(
            executable(name),
            arguments: Arguments(arguments),
            platformOptions: options,
            input: .inputWriter,
            output: .sequence,
            error: .combinedWithOutput
        ) { execution in
            let running = Running(
                identifier: execution.processIdentifier.value,
                lines: execution.standardOutput.strings().makeAsyncIterator(),
                input: execution.standardInputWriter
            )
            let value = try await body(running)
            running.send(SIGTERM)
            while try await running.nextLine() != nil {}
            return (value, running.seen)
        }
        return (result.terminationStatus.shellStatus, result.closureResult.0, result.closureResult.1)
    }
}

/// A program that runs.
final class Running {
    let identifier: Int32

    /// The lines that were read so far.
    private(set) var seen: [String] = []

    private var lines: SubprocessOutputSequence.StringSequence<UTF8>.AsyncIterator
    private let input: StandardInputWriter

    init(
        identifier: Int32,
        lines: SubprocessOutputSequence.StringSequence<UTF8>.AsyncIterator,
        input: StandardInputWriter
    ) {
        self.identifier = identifier
        self.lines = lines
        self.input = input
    }

    /// Returns the next line that the program prints; `nil` once it prints no more.
    func nextLine() async throws -> String? {
        let line = try await lines.next()
        if let line { seen.append(line.trimmingCharacters(in: .newlines)) }
        return seen.last.flatMap { line == nil ? nil : $0 }
    }

    /// Returns what follows `prefix` on the next line that has it, white space aside.
    func value(after prefix: String) async throws -> String {
        while let line = try await nextLine() {
            let text = line.trimmingCharacters(in: .whitespaces)
            if text.hasPrefix(prefix) { return text.dropFirst(prefix.count).trimmingCharacters(in: .whitespaces) }
        }
        throw NeverPrinted(text: prefix, seen: seen)
    }

    /// Sends a line to the program's standard input, which ends with it.
    func enter(_ line: String) async throws {
        _ = try await input.write(line + "\n")
        try await input.finish()
    }

    /// Sends the program a signal.
    func send(_ signal: Int32) {
        kill(identifier, signal)
    }

    struct NeverPrinted: Error {
        let text: String
        let seen: [String]
    }
}

extension TerminationStatus {
    /// The status as shells have it.
    fileprivate var shellStatus: Int32 {
        switch self {
        case .exited(let status): status
        case .signaled(let signal): 128 + signal
        }
    }
}
