package import Foundation
internal import Synchronization

/// A program of the system whose result a test compares with ours.
package enum ExternalCommand {
    /// Runs `arguments` with `input` on standard input and returns the standard output.
    ///
    /// A separate thread waits for the program: tests may have as few as two threads, and none of them may block.
    ///
    /// - Throws: `Failure` if the exit status is not 0, or an error if the program cannot be started.
    package static func run(_ arguments: [String], input: Data = Data()) async throws -> Data {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Result { try runAndWait(arguments, input) }) }
        }
    }

    /// Returns whether a short-running program succeeds, for the conditions of tests.
    package static func succeeds(_ arguments: [String]) -> Bool {
        (try? runAndWait(arguments, Data())) != nil
    }

    private static func runAndWait(_ arguments: [String], _ input: Data) throws -> Data {
        Self.ignoreBrokenPipes
        let (standardInput, standardOutput, standardError) = (try SpawnPipe(), try SpawnPipe(), try SpawnPipe())
        let program = try SpawnedProgram(
            arguments,
            input: standardInput.readEnd,
            output: standardOutput.writeEnd,
            errors: standardError.writeEnd
        )
        // Each end has a thread, so neither side waits for a full pipe.
        Thread.detachNewThread {
            try? standardInput.writeEnd.write(contentsOf: input)
            try? standardInput.writeEnd.close()
        }
        let errors = BackgroundResult { (try? standardError.readEnd.readToEnd()) ?? Data() }
        let output = (try? standardOutput.readEnd.readToEnd()) ?? Data()
        let status = program.wait()
        let errorOutput = errors.wait() ?? Data()
        guard status == 0 else { throw Failure(arguments: arguments, status: status, errors: errorOutput) }
        return output
    }

    /// A program may end before it has read all of its input.
    ///
    /// Then only its exit status counts.
    private static let ignoreBrokenPipes: Void = { signal(SIGPIPE, SIG_IGN) }()

    /// A program that failed.
    package struct Failure: Error, CustomStringConvertible {
        let arguments: [String]
        let status: Int32
        let errors: Data

        /// The command, its exit status and its standard error.
        package var description: String {
            "\(arguments.joined(separator: " ")) ended with \(status): \(String(decoding: errors, as: UTF8.self))"
        }
    }
}

/// A pipe to or from one program, which other programs do not inherit.
private struct SpawnPipe: Sendable {
    let readEnd: FileHandle
    let writeEnd: FileHandle

    init() throws {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw POSIXError(.EMFILE) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        readEnd = FileHandle(fileDescriptor: ends[0], closeOnDealloc: true)
        writeEnd = FileHandle(fileDescriptor: ends[1], closeOnDealloc: true)
    }
}

/// A value that a separate thread computes.
private final class BackgroundResult<Value: Sendable>: Sendable {
    private let isReady = DispatchSemaphore(value: 0)
    private let result = Mutex<Value?>(nil)

    init(_ work: @escaping @Sendable () -> Value) {
        Thread.detachNewThread { [self] in
            let value = work()
            result.withLock { $0 = value }
            isReady.signal()
        }
    }

    /// Waits for the value.
    ///
    /// Call it once.
    func wait() -> Value? {
        isReady.wait()
        return result.withLock { $0 }
    }
}
