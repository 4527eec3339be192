internal import ServiceLifecycle
internal import WaypostSchema

/// Waits for a moment that may become another, again and again.
struct Alarm: Sendable {
    /// Has an element whenever the moment may be another.
    let changes: AsyncStream<Void>

    let sources: AgentSources

    /// The next moment; `nil` for never.
    let next: @Sendable () -> Timestamp?

    /// Calls `ring` each time the moment has come, one call after another, until nothing changes any more or the task is
    /// cancelled.
    ///
    /// Where a call changes nothing, the next one is made once something else did.
    func run(_ ring: @Sendable () async -> Void) async {
        let (looks, look) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        await withDiscardingTaskGroup { group in
            group.addTask {
                for await _ in changes { look.yield() }
                look.finish()
            }
            var awaited: Timestamp?
            for await _ in looks {
                guard let moment = next() else { continue }
                let now = sources.now()
                guard moment > now else {
                    await ring()
                    continue
                }
                // Who waits for an earlier moment looks again when that is over.
                guard awaited.map({ moment < $0 || $0 <= now }) ?? true else { continue }
                awaited = moment
                group.addTask {
                    if await sources.wait(until: moment) { look.yield() }
                }
            }
            group.cancelAll()
        }
    }
}
