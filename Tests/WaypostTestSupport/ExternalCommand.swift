package import Foundation

/// A program of the system that a test holds our own answer against.
package enum ExternalCommand {
    /// Runs `arguments` with `input` on standard input and returns what came out on standard output.
    ///
    /// A thread of its own waits for the program: tests have as few as two, and none of them may stand still.
    ///
    /// - Throws: `Failure` where the program cannot be started or its exit status is not 0.
    package static func run(_ arguments: [String], input: Data = Data()) async throws -> Data {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Result { try runAndWait(arguments, input) }) }
        }
    }

    /// Whether a program that takes a moment ends as it should, for the conditions of tests.
    package static func succeeds(_ arguments: [String]) -> Bool {
        (try? runAndWait(arguments, Data())) != nil
    }

    private static func runAndWait(_ arguments: [String], _ input: Data) throws -> Data {
        Self.ignoreBrokenPipes
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = arguments
        let (standardInput, standardOutput, standardError) = (Pipe(), Pipe(), Pipe())
        process.standardInput = standardInput
        process.standardOutput = standardOutput
        process.standardError = standardError
        try process.run()
        // Writing from another thread, so that neither side waits on a full pipe.
        let writer = Thread {
            try? standardInput.fileHandleForWriting.write(contentsOf: input)
            try? standardInput.fileHandleForWriting.close()
        }
        writer.start()
        let output = try standardOutput.fileHandleForReading.readToEnd() ?? Data()
        let errors = try standardError.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw Failure(arguments: arguments, status: process.terminationStatus, errors: errors)
        }
        return output
    }

    /// A program may end before it has read all its input; that is for its exit status to say.
    private static let ignoreBrokenPipes: Void = { signal(SIGPIPE, SIG_IGN) }()

    /// A program that did not do what it was asked.
    package struct Failure: Error, CustomStringConvertible {
        let arguments: [String]
        let status: Int32
        let errors: Data

        /// What was run, its exit status and what it said.
        package var description: String {
            "\(arguments.joined(separator: " ")) ended with \(status): \(String(decoding: errors, as: UTF8.self))"
        }
    }
}
