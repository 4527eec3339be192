internal import Foundation

/// The standard input of the process.
package enum StandardInput {
    /// Reads the lines of standard input, without their ends, until it ends.
    ///
    /// A line of more than `LineSplitter.maximumLineSize` bytes ends the input, too, and a message says so on standard
    /// error. Call it once.
    ///
    /// - Parameters:
    ///   - receive: takes a line, on a thread of its own.
    ///   - finish: is called at the end.
    package static func readLines(
        _ receive: @escaping @Sendable (String) -> Void,
        finish: @escaping @Sendable () -> Void
    ) {
        startThread {
            let maximumSize = LineSplitter.maximumLineSize
            var lines = LineSplitter()
            var isTooLong = false
            while !isTooLong, let chunk = nextChunk() {
                let completeLines = lines.append(chunk)
                let acceptedLines = completeLines.prefix { $0.count <= maximumSize }
                for line in acceptedLines { receive(text(of: line)) }
                isTooLong = acceptedLines.count < completeLines.count || lines.incompleteSize > maximumSize
            }
            if isTooLong {
                let message = "standard input: a line has more than \(maximumSize >> 20) MiB; it ends the input\n"
                try? FileHandle.standardError.write(contentsOf: Data(message.utf8))
            } else if let last = lines.finish() {
                receive(text(of: last))
            }
            finish()
        }
    }

    /// Returns a stream without elements, which ends when standard input does.
    ///
    /// It reads and drops everything. Call it once.
    package static func end() -> AsyncStream<Never> {
        AsyncStream { continuation in
            startThread {
                while nextChunk() != nil {}
                continuation.finish()
            }
        }
    }

    /// Runs `body` on a thread, because reading blocks it, which a task must not do; the thread ends with the process.
    private static func startThread(_ body: @escaping @Sendable () -> Void) {
        Thread(block: body).start()
    }

    /// Returns the next bytes of standard input; `nil` at its end.
    private static func nextChunk() -> Data? {
        var bytes = [UInt8](repeating: 0, count: 64 << 10)
        var count: Int
        repeat {
            count = read(STDIN_FILENO, &bytes, bytes.count)
        } while count < 0 && errno == EINTR
        return count > 0 ? Data(bytes[..<count]) : nil
    }

    private static func text(of line: Data) -> String {
        String(decoding: line.last == UInt8(ascii: "\r") ? line.dropLast() : line, as: UTF8.self)
    }
}
