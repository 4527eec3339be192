import GatewayClient
import ProcessTestSupport
import WaypostSchema
import WaypostTestSupport

/// An agent that reads its stream at a gateway that works.
struct DiskReader: Sendable {
    let calls: GatewayCalls
    let agent: DiskAgent

    /// The index of the agent.
    let number: Int

    let expectations: DiskExpectations

    /// Whether it acknowledges all notifications, instead of most.
    let acknowledgesAll: Bool

    /// Reads up to an item, and returns the identifiers of all that came.
    func read(upTo last: DiskItem, expected count: Int, seed: UInt64) async -> Set<NotificationID> {
        do {
            return try await withLimit(.seconds(90), until: "agent \(number) got \(count) items in 90 s") {
                try await follow(upTo: last, seed: seed)
            }
        } catch {
            await expectations.report("agent \(number) did not get \(last): \(error)")
            return []
        }
    }

    private func follow(upTo last: DiskItem, seed: UInt64) async throws -> Set<NotificationID> {
        var generator = SeededGenerator(seed: seed)
        var received: Set<NotificationID> = []
        var unacknowledgedCount = 0
        do {
            try await calls.follow(with: agent.secret) { events in
                var sequences: [Int] = []
                for notification in try events.compactMap({ try $0.notification }) {
                    await expectations.receive(notification, by: number)
                    received.insert(notification.id)
                    // The gateway sends at most 1,000 that are not acknowledged.
                    let staysUnacknowledged =
                        !acknowledgesAll && unacknowledgedCount < 200 && Int.random(in: 0..<5, using: &generator) == 0
                    unacknowledgedCount += staysUnacknowledged ? 1 : 0
                    if !staysUnacknowledged { sequences.append(notification.sequence) }
                }
                try await acknowledge(sequences)
                if received.contains(last.id) { throw Complete() }
            }
        } catch is Complete {}
        return received
    }

    private func acknowledge(_ sequences: [Int]) async throws {
        guard !sequences.isEmpty else { return }
        await expectations.beginAcknowledgement(of: sequences)
        let receipt = try await calls.client.acknowledge(.sequences(sequences), with: agent.secret)
        await expectations.confirmAcknowledgement(of: sequences, receipt: receipt)
        if receipt.acknowledged != sequences.count {
            await expectations.report("\(sequences.count) acknowledgements are answered with \(receipt.acknowledged)")
        }
    }

    private struct Complete: Error {}
}
