internal import Dispatch
internal import Foundation
internal import LocalFiles
internal import Scenarios
internal import ServiceLifecycle
internal import WaypostSchema

/// A service that performs steps from standard input, and ends when standard input does.
struct StandardStreamService: Service {
    let input: SessionInput
    let gateway: GatewayEndpoints
    let namespace: Namespace?

    /// The URLs of the agent, once it is ready.
    let ready: AsyncStream<AgentReadyFile>

    func run() async throws {
        do {
            try await performSteps()
        } catch is StandardOutputLines.NoReaderError {
            // The other program has ended, as at the end of standard input.
        }
    }

    private func performSteps() async throws {
        try await cancelWhenGracefulShutdown {
            try await withThrowingTaskGroup { group in
                group.addTask { try await performStepsOnceReady() }
                group.addTask {
                    await input.waitForEnd()
                    // The steps that were read are still performed, unless the other program is gone.
                    while StandardOutputLines.hasReader { try await Task.sleep(for: .milliseconds(100)) }
                }
                try await group.next()
                group.cancelAll()
            }
        }
    }

    private func performStepsOnceReady() async throws {
        for await agent in ready {
            let session = StepSession(
                agent: agent,
                gateway: gateway,
                namespace: namespace,
                folder: FileManager.default.temporaryDirectory.appending(
                    path: "waypost-agent-\(UUID().uuidString)"
                ),
                seed: Int.random(in: 0...Int.max)
            )
            return try await session.run(input, write: StandardOutputLines().write)
        }
    }
}

/// The lines of standard output.
struct StandardOutputLines: Sendable {
    /// The error if nobody reads the output any more.
    struct NoReaderError: Error {}

    /// Whether the other end of the pipe is open; true for a file and a terminal.
    static var hasReader: Bool {
        var output = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
        return poll(&output, 1, 0) == 0 || output.revents & Int16(POLLERR) == 0
    }

    /// A write blocks its thread while the reader is behind, which a task must not do.
    private static let queue = DispatchQueue(label: "standard-output")

    /// Writes a line, and returns when it is written.
    ///
    /// - Throws: `NoReaderError`.
    func write(_ line: String) async throws {
        let isWritten = await withCheckedContinuation { continuation in
            Self.queue.async {
                let success: Void? = try? FileHandle.standardOutput.write(contentsOf: Data((line + "\n").utf8))
                continuation.resume(returning: success != nil)
            }
        }
        guard isWritten else { throw NoReaderError() }
    }
}
