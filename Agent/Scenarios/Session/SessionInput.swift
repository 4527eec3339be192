package import Foundation
internal import JSONScanning

/// The lines that another program writes to a session: steps, and the content of files that the session requests.
package struct SessionInput: Sendable {
    /// The lines that are not answers to requests of files.
    package let steps: AsyncStream<String>

    /// Copies of the other program's files; `nil` if the session reads files itself.
    package let files: RequestedFiles?

    private let end: AsyncStream<Never>
    private let endContinuation: AsyncStream<Never>.Continuation
    private let stepsContinuation: AsyncStream<String>.Continuation
    private let answersContinuation: AsyncStream<RequestedFiles.Answer>.Continuation

    /// Creates the input.
    ///
    /// - Parameters:
    ///   - folder: the folder for copies of the files that are requested; `nil` to request none.
    ///   - write: writes a line to the other program.
    package init(copyingFilesTo folder: URL?, write: @escaping @Sendable (String) async throws -> Void) {
        let answers: AsyncStream<RequestedFiles.Answer>
        (steps, stepsContinuation) = AsyncStream.makeStream()
        (end, endContinuation) = AsyncStream.makeStream()
        (answers, answersContinuation) = AsyncStream.makeStream()
        files = folder.map { RequestedFiles(folder: $0, answers: answers, write: write) }
    }

    /// Takes a line.
    package func receive(_ line: String) {
        if files != nil, let answer = try? DocumentDecoder.decode(RequestedFiles.Answer.self, from: line.utf8) {
            answersContinuation.yield(answer)
        } else {
            stepsContinuation.yield(line)
        }
    }

    /// Ends the input: there are no further lines.
    package func finish() {
        stepsContinuation.finish()
        answersContinuation.finish()
        endContinuation.finish()
    }

    /// Waits until the input has ended, or the task is canceled.
    package func waitForEnd() async {
        for await _ in end {}
    }
}
