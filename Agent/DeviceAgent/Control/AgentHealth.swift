internal import DeviceJournal
internal import Synchronization
internal import WaypostSchema

/// The health of an agent: the journals of its devices.
final class AgentHealth: Sendable {
    private let losses = Mutex<[JournalLoss]>([])

    /// Records what journals have lost before the start.
    func note(_ found: [JournalLoss]) {
        losses.withLock { $0 += found }
    }

    /// Returns the health of an agent with these devices.
    ///
    /// A loss stays in the health until the agent starts again.
    func present(of devices: [DeviceStore]) -> Health {
        let lost = losses.withLock { $0 }.map { "\($0)" }
        let moved = devices.filter { !$0.isInPlace }.map { "the journal of '\($0.name)' was removed or replaced" }
        let problems = lost + moved
        return Health(
            status: problems.isEmpty ? "ok" : "notReady",
            schema: SchemaVersion.current,
            version: ProgramVersion.current,
            checks: problems.isEmpty ? nil : ["journals": problems.joined(separator: "; ")]
        )
    }
}
