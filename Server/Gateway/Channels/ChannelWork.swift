internal import ServiceLifecycle
internal import Synchronization

/// Does what is to be done about broadcast channels one thing after another.
///
/// Who subscribes while a message is sent gets that message, or the one before and then that, and never an older one last.
final class ChannelWork: Service {
    private typealias Job = @Sendable () async -> Void

    /// The most that waits.
    private static let capacity = 10_000

    private let jobs: AsyncStream<Job>
    private let queue: AsyncStream<Job>.Continuation
    private let waiting = Mutex(0)

    init() {
        (jobs, queue) = AsyncStream.makeStream()
    }

    /// Lets something wait for its turn.
    ///
    /// - Throws: `GatewayError.shuttingDown` and `overloaded`; it is not done then.
    func add(_ job: @escaping @Sendable () async -> Void) throws(GatewayError) {
        let isTooMuch = waiting.withLock { waiting in
            guard waiting < Self.capacity else { return true }
            waiting += 1
            return false
        }
        guard !isTooMuch else { throw .overloaded }
        if case .terminated = queue.yield(job) { throw .shuttingDown }
    }

    /// Does something when its turn has come, and returns what comes of it.
    func perform<Value: Sendable>(
        _ job: @escaping @Sendable () async throws(GatewayError) -> Value
    ) async throws(GatewayError) -> Value {
        let result: Result<Value, GatewayError> = await withCheckedContinuation { continuation in
            do throws(GatewayError) {
                try add { continuation.resume(returning: await Self.outcome(of: job)) }
            } catch {
                continuation.resume(returning: .failure(error))
            }
        }
        return try result.get()
    }

    /// Works until a graceful shutdown, and then does what waits.
    func run() async throws {
        await withGracefulShutdownHandler {
            for await job in jobs {
                await job()
                waiting.withLock { $0 -= 1 }
            }
        } onGracefulShutdown: {
            self.queue.finish()
        }
    }

    private static func outcome<Value: Sendable>(
        of job: () async throws(GatewayError) -> Value
    ) async -> Result<Value, GatewayError> {
        do throws(GatewayError) {
            return .success(try await job())
        } catch {
            return .failure(error)
        }
    }
}
