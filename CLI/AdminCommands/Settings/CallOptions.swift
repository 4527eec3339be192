internal import ArgumentParser

/// The options of every command that calls a gateway or an agent.
struct CallOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Use this context (see 'waypost context').", valueName: "name"), completion: .contexts)
    var context: String?

    @Flag(help: "Print each request, and the status of its answer, on standard error.")
    var verbose = false

    /// Called with each request.
    var log: @Sendable (String) -> Void {
        guard verbose else { return { _ in } }
        return { StandardError.write($0) }
    }
}
