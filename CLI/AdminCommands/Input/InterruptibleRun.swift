internal import LocalFiles
internal import UnixSignals

/// Work that SIGINT, SIGTERM or SIGHUP cancels, so that it can stop the processes that it started.
enum InterruptibleRun {
    /// Runs `work`; the end of standard input cancels it too if `endsOnEOF` is true.
    static func run<Value: Sendable>(
        endsOnEOF: Bool = false,
        _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm, .sighup)
        return try await withThrowingTaskGroup(of: Value?.self) { group in
            group.addTask { try await work() }
            group.addTask {
                for await _ in signals { return nil }
                return nil
            }
            if endsOnEOF {
                group.addTask {
                    for await _ in StandardInput.end() {}
                    return nil
                }
            }
            let first = try await group.next() ?? nil
            group.cancelAll()
            guard let value = first else {
                // The group waits for its tasks, so all started processes are stopped before this returns.
                throw CancellationError()
            }
            return value
        }
    }
}
