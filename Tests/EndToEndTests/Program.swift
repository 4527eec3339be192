import Foundation
import Subprocess
import SystemPackage
import WaypostTestSupport

/// The programs that are built beside these tests.
enum Program {
    /// The result of a program that has ended.
    struct Result: Sendable {
        /// The exit status, or 128 plus the number of the signal that ended the program, as in shells.
        let status: Int32
        let output: String
        let errors: String
    }

    private static let maximumOutputSize = 1 << 20

    /// Returns one of the project's programs, or a program of the system.
    private static func executable(_ name: String) -> Executable {
        name.hasPrefix("waypost") ? .path(FilePath(BuiltPrograms.path(of: name))) : .name(name)
    }

    /// Runs a program until it ends.
    static func run(
        _ name: String,
        _ arguments: [String],
        input: String = "",
        environment: [Environment.Key: String?] = [:]
    ) async throws -> Result {
        let result = try await Subprocess.run(
            executable(name),
            arguments: Arguments(arguments),
            environment: .inherit.updating(environment),
            input: .string(input),
            output: .string(limit: maximumOutputSize),
            error: .string(limit: maximumOutputSize)
        )
        return Result(
            status: result.terminationStatus.shellStatus,
            output: result.standardOutput,
            errors: result.standardError
        )
    }

    /// Runs `body` while a program runs, and then sends the program SIGTERM.
    ///
    /// - Returns: The program's exit status, the value that `body` returned, and every line that the program printed.
    static func whileRunning<Value: Sendable>(
        _ name: String,
        _ arguments: [String],
        _ body: (RunningProgram) async throws -> Value
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
            let running = RunningProgram(
                identifier: execution.processIdentifier.value,
                lines: execution.standardOutput.strings().makeAsyncIterator(),
                input: execution.standardInputWriter
            )
            let value = try await body(running)
            running.send(SIGTERM)
            while try await running.nextLine() != nil {}
            return (value, running.printedLines)
        }
        return (result.terminationStatus.shellStatus, result.closureResult.0, result.closureResult.1)
    }
}

/// A running program.
final class RunningProgram {
    let identifier: Int32

    /// The lines that the program has printed, as far as they were read.
    private(set) var printedLines: [String] = []

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

    /// Returns the next line that the program prints, or `nil` if its output has ended.
    func nextLine() async throws -> String? {
        let line = try await lines.next()
        if let line { printedLines.append(line.trimmingCharacters(in: .newlines)) }
        return printedLines.last.flatMap { line == nil ? nil : $0 }
    }

    /// Returns the text after `prefix` on the next line that begins with it, without surrounding white space.
    func value(after prefix: String) async throws -> String {
        while let line = try await nextLine() {
            let text = line.trimmingCharacters(in: .whitespaces)
            if text.hasPrefix(prefix) { return text.dropFirst(prefix.count).trimmingCharacters(in: .whitespaces) }
        }
        throw NeverPrinted(string: prefix, printedLines: printedLines)
    }

    /// Sends a line to the program's standard input and closes the input.
    func enter(_ line: String) async throws {
        _ = try await input.write(line + "\n")
        try await input.finish()
    }

    /// Sends the program a signal.
    func send(_ signal: Int32) {
        kill(identifier, signal)
    }

    struct NeverPrinted: Error {
        let string: String
        let printedLines: [String]
    }
}

extension TerminationStatus {
    /// The status as shells report it.
    fileprivate var shellStatus: Int32 {
        switch self {
        case .exited(let status): status
        case .signaled(let signal): 128 + signal
        }
    }
}
