internal import Foundation
internal import Synchronization

/// The lines of a log that wait for their reader, as a value.
struct LogBacklog {
    /// The maximum number of bytes that wait.
    let capacity: Int

    /// Returns the line that says how many lines are missing.
    let gapLine: @Sendable (_ count: Int) -> [UInt8]

    private var lines: [UInt8] = []
    private var droppedCount = 0

    init(capacity: Int, gapLine: @escaping @Sendable (_ count: Int) -> [UInt8]) {
        self.capacity = capacity
        self.gapLine = gapLine
    }

    /// Whether nothing waits.
    var isEmpty: Bool {
        lines.isEmpty && droppedCount == 0
    }

    /// Adds a line, or drops it if too much waits.
    mutating func add(_ line: [UInt8]) {
        // After a dropped line, the next lines are dropped too, so that there is one gap.
        guard droppedCount == 0, lines.count + line.count <= capacity else {
            droppedCount += 1
            return
        }
        lines += line
    }

    /// Removes and returns everything that waits; a line about missing ones is the last.
    mutating func removeAll() -> [UInt8] {
        defer {
            lines = []
            droppedCount = 0
        }
        return droppedCount > 0 ? lines + gapLine(droppedCount) : lines
    }
}

/// A queue for the lines of a log, which never blocks its writers: a thread of its own writes to the file.
///
/// If the reader of the file is too slow, lines are dropped, and a line in the log says how many.
package final class LogQueue: Sendable {
    private struct State {
        var backlog: LogBacklog

        /// Whether `flush` waits.
        var isFlushing = false
    }

    private let state: Mutex<State>
    private let workSemaphore = DispatchSemaphore(value: 0)
    private let flushSemaphore = DispatchSemaphore(value: 0)
    private let descriptor: CInt

    /// Creates a queue and its thread, which lasts as long as the process.
    ///
    /// - Parameters:
    ///   - descriptor: the open file.
    ///   - capacity: the maximum number of bytes that wait.
    ///   - gapLine: returns the line that says how many lines are missing.
    package init(
        to descriptor: CInt = STDERR_FILENO,
        capacity: Int = 1 << 20,
        gapLine: @escaping @Sendable (_ count: Int) -> [UInt8]
    ) {
        self.descriptor = descriptor
        state = Mutex(State(backlog: LogBacklog(capacity: capacity, gapLine: gapLine)))
        // A reader that has left must not end the process.
        signal(SIGPIPE, SIG_IGN)
        Thread.detachNewThread { [self] in writeForever() }
    }

    /// Adds a line, which includes its line feed.
    package func add(_ line: [UInt8]) {
        state.withLock { $0.backlog.add(line) }
        workSemaphore.signal()
    }

    /// Waits until everything is written, but at most a second: call it before the process ends.
    package func flush() {
        state.withLock { $0.isFlushing = true }
        workSemaphore.signal()
        _ = flushSemaphore.wait(timeout: .now() + 1)
    }

    private func writeForever() {
        while true {
            workSemaphore.wait()
            write(state.withLock { $0.backlog.removeAll() })
            if state.withLock({ $0.isFlushing && $0.backlog.isEmpty }) { flushSemaphore.signal() }
        }
    }

    private func write(_ lines: [UInt8]) {
        var rest = lines[...]
        while !rest.isEmpty {
            let writtenCount = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            if writtenCount > 0 {
                rest = rest.dropFirst(writtenCount)
            } else if errno == EAGAIN {
                var file = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                poll(&file, 1, -1)
            } else if errno != EINTR {
                // Nobody can read the log.
                return
            }
        }
    }
}
