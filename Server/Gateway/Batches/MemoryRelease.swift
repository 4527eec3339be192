internal import ServiceLifecycle

/// Gives freed memory back to the system after a burst of batches.
///
/// The allocator keeps it otherwise, because small pieces that are still in use lie between the freed ones.
struct MemoryRelease: Service {
    let limiter: IntakeLimiter
    let interval: Duration

    /// Gives freed memory back.
    let release: @Sendable () -> Void

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                try? await Task.sleep(for: interval)
                if limiter.takeBurstEnd() { release() }
            }
        }
    }
}
