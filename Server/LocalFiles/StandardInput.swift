internal import Foundation

/// The standard input of the process.
package enum StandardInput {
    /// Reads the lines of standard input, without their ends, until it ends.
    ///
    /// Call it once.
    ///
    /// - Parameters:
    ///   - receive: takes a line, on a thread of its own.
    ///   - finish: is called at the end.
    package static func readLines(
        _ receive: @escaping @Sendable (String) -> Void,
        finish: @escaping @Sendable () -> Void
    ) {
        // Reading blocks a thread, which a task must not do. The thread ends with the process.
        let thread = Thread {
            while let line = readLine() { receive(line) }
            finish()
        }
        thread.start()
    }

    /// Returns the lines of standard input, without their ends, until it ends.
    ///
    /// Call it once.
    package static func lines() -> AsyncStream<String> {
        AsyncStream { continuation in
            readLines {
                continuation.yield($0)
            } finish: {
                continuation.finish()
            }
        }
    }
}
