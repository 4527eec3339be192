internal import LocalFiles
internal import ServiceLifecycle

/// A service that ends when standard input ends, which happens when the program at its other end does.
package struct EndOfInput: Service {
    /// Creates the service.
    package init() {}

    /// Ignores all input, and returns when it ends.
    package func run() async throws {
        for await _ in StandardInput.end().cancelOnGracefulShutdown() {}
    }
}
