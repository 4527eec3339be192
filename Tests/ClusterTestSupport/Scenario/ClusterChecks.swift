import ProcessTestSupport
import WaypostSchema
import WaypostTestSupport

/// The checks after a trial, when every batch has an answer.
struct ClusterChecks: Sendable {
    let devices: [ClusterDevice]
    let access: ClusterAccess

    /// The answered batches, and all their items.
    let batches: [ClusterBatch]
    let items: [ClusterBatch.AnsweredItem]

    /// The greatest sequence of the log before the trial.
    let start: Int

    init(_ batches: [ClusterBatch], devices: [ClusterDevice], _ access: ClusterAccess, start: Int) {
        self.batches = batches
        self.devices = devices
        self.access = access
        self.start = start
        items = batches.flatMap(\.answeredItems)
    }

    /// The end of the wait until everything has ended.
    struct Drain: Sendable {
        /// The log, and the time at which it was read.
        let (log, time): (ClusterLog, ContinuousClock.Instant)

        /// The violation if the limit was reached.
        let problem: String?
    }

    /// Waits until every device has what was sent to it, has acknowledged it, and the log shows that.
    func drain(using generator: inout SeededGenerator) async throws -> Drain {
        var missing = items.filter { $0.item.kind == .stored }
        let isReceived = await Self.reaches(within: Self.drainLimit) {
            missing.removeAll { devices[$0.item.device].has($0.id) }
            return missing.isEmpty && devices.allSatisfy(\.isIdle)
        }
        var gateway = access.anyGateway(using: &generator)
        var log: ClusterLog?
        var time = ContinuousClock.now
        let isLogged = await Self.reaches(within: isReceived ? Self.drainLimit : .seconds(5)) {
            time = ContinuousClock.now
            log = try? await ClusterLog.read(after: start, access.client(gateway))
            if log == nil { gateway = access.anyGateway(except: gateway, using: &generator) }
            return log?.isComplete(items) ?? false
        }
        guard let log else { throw UnreadableLog() }
        var problem: String?
        if !isReceived {
            let names = missing.prefix(10).map(\.item.name).joined(separator: ", ")
            let busy = devices.filter { !$0.isIdle }.map(\.number)
            problem = """
                in \(Self.drainLimit), \(missing.count) items did not come (\(names)), and devices \(busy) have more to \
                acknowledge
                """
        } else if !isLogged {
            problem = "in \(Self.drainLimit), the log did not show the end of all \(items.count) items"
        }
        return Drain(log: log, time: time, problem: problem)
    }

    /// The maximum time until the devices and the log have everything; a stopped gateway delays that by seconds.
    private static let drainLimit = Duration.seconds(90)

    /// No gateway answered with its log.
    private struct UnreadableLog: Error, CustomStringConvertible {
        var description: String { "no gateway answered with its log" }
    }

    private static func reaches(within limit: Duration, _ isTrue: () async throws -> Bool) async -> Bool {
        do {
            try await waitUntil("the devices have everything", within: limit, isTrue)
            return true
        } catch {
            return false
        }
    }

    /// Returns the names of the items that are lost: their devices should have received them.
    func lost(_ log: ClusterLog) -> [String] {
        items.filter { item in
            !devices[item.item.device].has(item.id)
                && ![.collapsed, .dropped, .expired].contains(log.end(of: item.id))
        }.map { "\($0.item.name) to device \($0.item.device) is lost: \(log.end(of: $0.id)?.rawValue ?? "not logged")" }
    }

    /// Returns the violations that the log, the receipts and the inboxes show.
    func findings(_ log: ClusterLog) async throws -> [String] {
        log.findings(items) + wrongDeliveries() + replacedNewest(log) + (try await wrongStatuses(log))
    }

    /// A notification must arrive at the device it was sent to, with its payload.
    private func wrongDeliveries() -> [String] {
        items.compactMap { item in
            let device = devices[item.item.device]
            guard let delivered = device.inbox.notification(item.id) else { return nil }
            let isRight = delivered.payload["name"]?.string == item.item.name && delivered.token == device.token
            return isRight ? nil : "\(item.item.name) arrived as \(delivered)"
        }
    }

    /// The newest of the notifications that replace each other must not be replaced.
    private func replacedNewest(_ log: ClusterLog) -> [String] {
        let collapsible = items.filter { $0.item.kind == .collapsible }
        return Dictionary(grouping: collapsible, by: \.item.device).values.compactMap { items in
            guard let newest = items.max(by: { log.sequence(of: $0.id) < log.sequence(of: $1.id) }) else { return nil }
            return log.end(of: newest.id) == .acknowledged ? nil : "\(newest.item.name) was replaced by an older one"
        }
    }

    /// The status of a batch must count each item once, as the log has it.
    private func wrongStatuses(_ log: ClusterLog) async throws -> [String] {
        var findings: [String] = []
        for (index, batch) in batches.enumerated() {
            guard let receipt = batch.receipt else { continue }
            let expected = Dictionary(
                batch.answeredItems.compactMap { item in log.end(of: item.id).map { ($0, 1) } },
                uniquingKeysWith: +
            )
            let calls = access.calls(index % access.gateways.count)
            let status = try await calls.status(of: receipt.id)
            if status?.states != expected || status?.accepted != batch.items.count {
                findings.append("\(batch.key) has the status \(String(describing: status)); expected \(expected)")
            }
        }
        return findings
    }
}
