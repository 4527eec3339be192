/// Waits until a condition is true, and checks it again after each pause.
///
/// Wait for a signal instead if there is one. The state of another process and of a socket has none.
///
/// - Parameters:
///   - condition: the condition, for the error.
///   - limit: the maximum time. Without it, the time limit of the test ends the wait.
///   - isTrue: checks the condition; called again until it returns `true`.
/// - Throws: `NeverTrue`, or an error of `isTrue`.
package func waitUntil(
    _ condition: String,
    within limit: Duration? = nil,
    _ isTrue: () async throws -> Bool
) async throws {
    let end = limit.map { ContinuousClock.now + $0 }
    while try await !isTrue() {
        if let end, ContinuousClock.now >= end { throw NeverTrue(condition: condition) }
        do {
            try await pause()
        } catch {
            throw NeverTrue(condition: condition)
        }
    }
}

/// Waits for a moment.
///
/// This is the only place where a test sleeps: a loop without a pause takes the processor from the program that it waits
/// for.
///
/// - Throws: `CancellationError`.
package func pause() async throws {
    try await Task.sleep(for: .milliseconds(10))
}

/// The error of a condition that did not become true.
package struct NeverTrue: Error, CustomStringConvertible {
    let condition: String

    /// The condition, as a sentence.
    package var description: String {
        "never true: \(condition)"
    }
}
