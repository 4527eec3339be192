/// The promises of the code that the fuzzer calls.
package enum Promise {
    /// Reacts to a broken promise: the program ends, so that libFuzzer reports the input.
    ///
    /// Optimized programs fail a `precondition` without its message. Tests record an issue instead.
    @TaskLocal package static var onBreach: @Sendable (_ message: String) -> Void = { message in fatalError(message) }
}

/// Ends the program because a target cannot be prepared.
///
/// A target without its key, store or schema would check nothing, and the fuzzer would report that all is well.
func endUnprepared(_ reason: String) -> Never {
    // There is nobody to throw to: libFuzzer and the tests of its corpus take the end of the program for a failure.
    fatalError(reason)
}

/// Reports a promise that is broken.
///
/// - Parameters:
///   - holds: Whether the promise is kept.
///   - sentence: The promise, such as "a canonical form can be parsed".
///   - found: The values that break it.
func promise(_ holds: Bool, _ sentence: String, found: @autoclosure () -> Any = "") {
    if !holds { Promise.onBreach("Broken: \(sentence). Found: \(found())") }
}
