import Foundation
import Synchronization
import WaypostTestSupport

/// A process that runs beside the tests and is killed when its last reference is released.
package final class ChildProcess: Sendable {
    /// The result of a process that has ended.
    package struct Ended: Sendable, Equatable {
        /// The exit status, or 128 plus the number of the signal that ended the process, as in shells.
        package var status: Int32

        /// The text that it wrote to standard error.
        package var errors: String
    }

    /// The identifier of the process.
    ///
    /// A wrapper program must run the real one with `exec`.
    package let identifier: Int32

    /// The lines that it writes to standard output.
    ///
    /// The stream ends with the process.
    package let lines: AsyncStream<String>

    private let errors: AsyncStream<String>
    private let end: Promise<Int32>

    /// Starts a program, given by its path or by a name to find in `PATH`.
    ///
    /// Separate threads read its output and wait for it.
    package init(_ command: [String]) throws {
        let (output, errors) = (try OutputPipe(), try OutputPipe())
        let program = try SpawnedProgram(
            command,
            output: FileHandle(fileDescriptor: output.write),
            errors: FileHandle(fileDescriptor: errors.write)
        )
        let end = Promise<Int32>()
        (identifier, self.end) = (program.identifier, end)
        lines = output.lines()
        self.errors = errors.lines()
        Thread.detachNewThread { end.fulfill(program.wait()) }
    }

    deinit {
        if !end.isFulfilled { kill(identifier, SIGKILL) }
    }

    /// Sends a signal.
    package func send(_ signal: Int32) {
        kill(identifier, signal)
    }

    /// Whether the process has ended.
    package var hasEnded: Bool {
        end.isFulfilled
    }

    /// Waits until the process has ended, for whatever reason.
    package func ended() async -> Ended {
        let status = await end.value
        var text = ""
        for await line in errors { text += line + "\n" }
        return Ended(status: status, errors: text)
    }
}

/// A pipe for the output of a process.
private struct OutputPipe {
    let read: Int32
    let write: Int32

    init() throws {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw POSIXError(.EMFILE) }
        // A child process must not inherit unrelated descriptors.
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        (read, write) = (ends[0], ends[1])
    }

    /// Returns the lines that are written, until all write ends are closed.
    func lines() -> AsyncStream<String> {
        let (lines, line) = AsyncStream.makeStream(of: String.self)
        Thread.detachNewThread { [read] in
            defer { line.finish() }
            guard let input = fdopen(read, "r") else { return }
            var (text, size): (UnsafeMutablePointer<CChar>?, Int) = (nil, 0)
            while getline(&text, &size, input) >= 0 {
                guard let text else { break }
                line.yield(String(cString: text).trimmingCharacters(in: .newlines))
            }
            free(text)
            fclose(input)
        }
        return lines
    }
}

/// A value that is set once, and the tasks that wait for it.
package final class Promise<Value: Sendable>: Sendable {
    private enum State {
        case open([CheckedContinuation<Value, Never>])
        case fulfilled(Value)
    }

    private let state = Mutex(State.open([]))

    /// Creates a value that is not set.
    package init() {}

    /// Sets the value.
    ///
    /// Later calls have no effect.
    package func fulfill(_ value: Value) {
        let waiting: [CheckedContinuation<Value, Never>] = state.withLock { state in
            guard case .open(let waiting) = state else { return [] }
            state = .fulfilled(value)
            return waiting
        }
        for continuation in waiting { continuation.resume(returning: value) }
    }

    /// Whether the value is set.
    package var isFulfilled: Bool {
        state.withLock { state in
            if case .fulfilled = state { true } else { false }
        }
    }

    /// The value.
    ///
    /// Waits until it is set.
    package var value: Value {
        get async {
            await withCheckedContinuation { continuation in
                let value: Value? = state.withLock { state in
                    switch state {
                    case .fulfilled(let value): return value
                    case .open(let waiting):
                        state = .open(waiting + [continuation])
                        return nil
                    }
                }
                if let value { continuation.resume(returning: value) }
            }
        }
    }
}
