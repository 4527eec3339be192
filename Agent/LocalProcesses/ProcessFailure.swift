/// The reason why a process did not start, ended early or did not answer in time.
package struct ProcessFailure: Error, Sendable, Equatable, CustomStringConvertible {
    /// Whether the process was given something unusable, so that it could not start.
    package let isUnusableInput: Bool

    /// The process, the problem, and the last lines of its log.
    package let description: String

    /// Returns a failure because of unusable input.
    package static func unusable(_ description: String) -> Self {
        Self(isUnusableInput: true, description: description)
    }

    /// Returns a failure of a process that was started properly.
    package static func failed(_ description: String) -> Self {
        Self(isUnusableInput: false, description: description)
    }
}
