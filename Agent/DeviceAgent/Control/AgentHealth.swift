internal import DeviceJournal
internal import Synchronization
internal import WaypostSchema

/// The health of an agent: the journals of its devices.
final class AgentHealth: Sendable {
    private let losses = Mutex<[JournalLoss]>([])

    /// Records the losses that were found at the start.
    func record(_ newLosses: [JournalLoss]) {
        losses.withLock { $0 += newLosses }
    }

    /// Returns the health of an agent with these devices.
    ///
    /// The health includes a loss until the agent starts again, and a failed write until there is room again.
    func report(on devices: [DeviceStore]) -> Health {
        let lossProblems = losses.withLock { $0 }.map { "\($0)" }
        let pathProblems = devices.filter { !$0.isStillAtPath }
            .map { "the journal of '\($0.name)' was removed or replaced" }
        let writeProblems = devices.compactMap { device in
            device.checkJournal().map { "the events of '\(device.name)' are refused: \($0)" }
        }
        let problems = lossProblems + pathProblems + writeProblems
        return Health(
            status: problems.isEmpty ? "ok" : "notReady",
            schema: SchemaVersion.current,
            version: ProgramVersion.current,
            checks: problems.isEmpty ? nil : ["journals": problems.joined(separator: "; ")]
        )
    }
}
