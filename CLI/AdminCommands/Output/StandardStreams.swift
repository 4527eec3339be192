internal import Attribution
internal import Foundation
internal import TextBasics
internal import TextReports

/// The stream for results.
enum StandardOutput {
    /// Writes `text` unchanged.
    ///
    /// - Throws: `CommandFailure` if the text cannot be written: the reader closed the stream, or the disk is full.
    static func write(_ text: String) throws(CommandFailure) {
        do {
            try FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
        } catch {
            // A reader such as `head` may close the stream early, which needs no message.
            let underlying = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError
            let code = underlying.map { Int32(truncatingIfNeeded: $0.code) } ?? 0
            let isBrokenPipe = code == EPIPE
            throw CommandFailure(
                status: isBrokenPipe ? .brokenPipe : .unusableInput,
                message: isBrokenPipe ? nil : "cannot write to standard output: \(String(cString: strerror(code)))"
            )
        }
    }
}

/// The stream for everything else: progress, warnings and errors.
enum StandardError {
    /// Writes one or more lines, without characters that would control the terminal.
    static func write(_ line: String) {
        let line = line.safe(for: .terminalLines)
        // If standard error is closed, there is nowhere to report that.
        try? FileHandle.standardError.write(contentsOf: Data((line + "\n").utf8))
    }
}
