internal import Foundation

/// The standard input of the process.
package enum StandardInput {
    /// Returns the lines of standard input, without their ends, until it ends.
    ///
    /// Call it once.
    package static func lines() -> AsyncStream<String> {
        AsyncStream { continuation in
            // Reading blocks a thread, which a task must not do. The thread ends with the process.
            let thread = Thread {
                while let line = readLine() { continuation.yield(line) }
                continuation.finish()
            }
            thread.start()
        }
    }
}
