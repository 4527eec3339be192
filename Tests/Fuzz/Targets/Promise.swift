/// Ends the program with a message if a promise is broken, so that libFuzzer reports the input.
///
/// Optimized programs fail a `precondition` without its message.
///
/// - Parameters:
///   - holds: Whether the promise is kept.
///   - sentence: The promise, such as "a canonical form can be parsed".
///   - found: The values that break it.
func promise(_ holds: Bool, _ sentence: String, found: @autoclosure () -> Any = "") {
    if !holds { fatalError("Broken: \(sentence). Found: \(found())") }
}
