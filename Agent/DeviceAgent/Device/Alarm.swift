internal import ServiceLifecycle
internal import WaypostSchema

/// A timer for a time that can change again and again.
struct Alarm: Sendable {
    /// A stream with an element whenever the time may have changed.
    let changes: AsyncStream<Void>

    let sources: AgentSources

    /// The next time, or `nil` for never.
    let next: @Sendable () -> Timestamp?

    /// Calls `action` whenever the time has come, one call after another, until `changes` ends or the task is canceled.
    ///
    /// If a call does not change the time, the next call waits for another change.
    func run(_ action: @Sendable () async -> Void) async {
        let (checks, checksContinuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        await withDiscardingTaskGroup { group in
            group.addTask {
                for await _ in changes { checksContinuation.yield() }
                checksContinuation.finish()
            }
            var scheduledTime: Timestamp?
            for await _ in checks {
                guard let time = next() else { continue }
                let now = sources.now()
                guard time > now else {
                    await action()
                    continue
                }
                // A wait for an earlier time is already running, and checks again when it ends.
                guard scheduledTime.map({ time < $0 || $0 <= now }) ?? true else { continue }
                scheduledTime = time
                group.addTask {
                    if await sources.wait(until: time) { checksContinuation.yield() }
                }
            }
            group.cancelAll()
        }
    }
}
