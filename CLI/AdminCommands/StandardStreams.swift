internal import Attribution
internal import Foundation

/// The stream for answers.
enum StandardOutput {
    /// Writes `text` as it is.
    ///
    /// - Throws: `CommandFailure` where nobody takes it: a reader that has left, a full disk.
    static func write(_ text: String) throws(CommandFailure) {
        do {
            try FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
        } catch {
            // A reader such as `head` that has had enough is nothing to talk about.
            let underlying = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError
            let code = underlying.map { Int32(truncatingIfNeeded: $0.code) } ?? 0
            let hasReaderLeft = code == EPIPE
            throw CommandFailure(
                status: hasReaderLeft ? .readerLeft : .unusableInput,
                message: hasReaderLeft ? nil : "cannot write to standard output: \(String(cString: strerror(code)))"
            )
        }
    }
}

/// The stream for what is not the answer: progress and reasons.
enum StandardError {
    /// Writes a line, or several; what came from a file cannot act on a terminal.
    static func write(_ line: String) {
        let line = TerminalText.safe(lines: line)
        // Where nobody listens there is nobody to tell.
        try? FileHandle.standardError.write(contentsOf: Data((line + "\n").utf8))
    }
}

extension TerminalText {
    /// Returns lines without anything that a terminal would act on.
    static func safe(lines: String) -> String {
        lines.split(separator: "\n", omittingEmptySubsequences: false).map { safe(String($0)) }.joined(separator: "\n")
    }
}
