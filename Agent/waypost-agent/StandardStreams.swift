import Dispatch
import Foundation
import LocalFiles
import Scenarios
import ServiceLifecycle
import WaypostSchema

/// A service that performs steps from standard input, and ends when standard input does.
struct StandardStreams: Service {
    let gateway: GivenGateway
    let namespace: Namespace?

    /// The URLs of the agent, once it is ready.
    let ready: AsyncStream<AgentReadyFile>

    func run() async throws {
        do {
            try await performSteps()
        } catch is StandardOutputLines.NoReader {
            // The other program has ended, as at the end of standard input.
        }
    }

    private func performSteps() async throws {
        try await cancelWhenGracefulShutdown {
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
                return try await session.run(StandardInput.lines(), write: StandardOutputLines().write)
            }
        }
    }
}

/// The lines of standard output.
private struct StandardOutputLines: Sendable {
    /// The error if nobody reads the output any more.
    struct NoReader: Error {}

    /// A write blocks its thread while the reader is behind, which a task must not do.
    private let queue = DispatchQueue(label: "standard-output")

    /// Writes a line, and returns when it is written.
    ///
    /// - Throws: `NoReader`.
    func write(_ line: String) async throws {
        let isWritten = await withCheckedContinuation { continuation in
            queue.async {
                let written: Void? = try? FileHandle.standardOutput.write(contentsOf: Data((line + "\n").utf8))
                continuation.resume(returning: written != nil)
            }
        }
        guard isWritten else { throw NoReader() }
    }
}
