/// The child processes of an operation: they run alongside it, and are stopped when it ends for any reason.
package struct ProcessSupervisor: Sendable {
    private let continuation: AsyncStream<SupervisedProcess>.Continuation

    /// Runs `work` with a supervisor.
    ///
    /// - Returns: the result of `work`, after every process has stopped.
    /// - Throws: the error of `work`, or `ProcessFailure` if a process ends before `work` does, unless `work` ended it.
    package static func run<Value: Sendable>(
        _ work: @escaping @Sendable (ProcessSupervisor) async throws -> Value
    ) async throws -> Value {
        let (processes, continuation) = AsyncStream.makeStream(of: SupervisedProcess.self)
        return try await withThrowingTaskGroup(of: Value?.self) { group in
            group.addTask {
                try await work(ProcessSupervisor(continuation: continuation))
            }
            group.addTask {
                try await withThrowingDiscardingTaskGroup { running in
                    for await process in processes {
                        running.addTask {
                            do {
                                try await process.run()
                            } catch {
                                // The loop would wait for further processes, and the failure with it.
                                continuation.finish()
                                throw error
                            }
                        }
                    }
                }
                return nil
            }
            defer { group.cancelAll() }
            while let outcome = try await group.next() {
                if let value = outcome { return value }
            }
            throw CancellationError()
        }
    }

    /// Starts one of Waypost's programs.
    ///
    /// - Parameters:
    ///   - program: the name of the program.
    ///   - arguments: its arguments.
    ///   - name: a description of the process, for messages.
    ///   - log: the path of the file for its output, which is appended.
    ///   - variables: the variables of its environment, besides those of this process.
    /// - Returns: the process, which may not run yet.
    package func start(
        _ program: String,
        _ arguments: [String],
        name: String,
        log: String,
        variables: [String: String] = [:]
    ) -> SupervisedProcess {
        let process = SupervisedProcess(
            name: name,
            program: program,
            arguments: arguments,
            log: log,
            variables: variables
        )
        continuation.yield(process)
        return process
    }
}
