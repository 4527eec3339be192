import Foundation
import Synchronization
import WaypostTestSupport

/// A program that runs beside the tests, and no longer than somebody here knows of it.
final class ChildProcess: Sendable {
    /// How a program ended.
    struct Ended: Sendable, Equatable {
        /// The exit status; 128 and the number of the signal that ended it, as shells have it.
        var status: Int32

        /// What it wrote on standard error.
        var errors: String
    }

    /// The process; a program that only prepares the way for another one hands its number on with `exec`.
    let identifier: Int32

    /// What it writes on standard output, line by line; it ends with the program.
    let lines: AsyncStream<String>

    private let errors: AsyncStream<String>
    private let end: Promise<Int32>

    /// Starts a program: a path, or a name that is looked for as the shell does.
    ///
    /// It is read and waited for by threads of its own.
    init(_ command: [String]) throws {
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
    func send(_ signal: Int32) {
        kill(identifier, signal)
    }

    /// Waits until the program has ended, whoever ended it.
    func ended() async -> Ended {
        let status = await end.value
        var text = ""
        for await line in errors { text += line + "\n" }
        return Ended(status: status, errors: text)
    }
}

/// What a program writes.
private struct OutputPipe {
    let read: Int32
    let write: Int32

    init() throws {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw POSIXError(.EMFILE) }
        // What is not meant for a program is not handed on to it.
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        (read, write) = (ends[0], ends[1])
    }

    /// The lines that come, until nobody has the other end any more.
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

/// A value that comes once, and who waits for it.
final class Promise<Value: Sendable>: Sendable {
    private enum State {
        case open([CheckedContinuation<Value, Never>])
        case fulfilled(Value)
    }

    private let state = Mutex(State.open([]))

    /// Says the value; what is said later is passed over.
    func fulfill(_ value: Value) {
        let waiting: [CheckedContinuation<Value, Never>] = state.withLock { state in
            guard case .open(let waiting) = state else { return [] }
            state = .fulfilled(value)
            return waiting
        }
        for continuation in waiting { continuation.resume(returning: value) }
    }

    /// Whether the value is there.
    var isFulfilled: Bool {
        state.withLock { state in
            if case .fulfilled = state { true } else { false }
        }
    }

    /// The value, once it is there.
    var value: Value {
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
