import Foundation
import GatewayClient
import ProcessTestSupport
import WaypostSchema
import WaypostTestSupport

/// An agent that reads its stream, acknowledges some of the notifications, and records both.
struct Receiver: Sendable {
    /// The notifications that it received from all gateway processes.
    private(set) var deliveries = Deliveries()

    /// The violations that were observed.
    private(set) var findings: [String] = []

    /// The number of times that it left its stream.
    private(set) var reconnections = 0

    private let name: String
    private let secret: BearerSecret
    private var generator: SeededGenerator

    /// Creates an agent that has received nothing.
    init(_ name: String, secret: BearerSecret, seed: UInt64) {
        self.name = name
        self.secret = secret
        generator = SeededGenerator(seed: seed)
    }

    /// Reads, and acknowledges some notifications, until the gateway is killed.
    ///
    /// Occasionally it leaves its stream and reconnects to the notifications that it has not acknowledged.
    /// Of a gateway that ended by itself, every stream fails, so this ends after a failure.
    mutating func live(_ gateway: GatewayCalls, _ killSwitch: KillSwitch) async {
        let before = findings.count
        while !killSwitch.isOver && findings.count == before { await followOnce(gateway, killSwitch) }
    }

    private mutating func followOnce(_ gateway: GatewayCalls, _ killSwitch: KillSwitch) async {
        var pending: [Int] = []
        var remaining = Int.random(in: 2...20, using: &generator)
        do {
            try await gateway.follow(with: secret) { events in
                pending += try deliveries.receive(events)
                try await acknowledgeSome(of: &pending, gateway, killSwitch)
                remaining -= 1
                if remaining == 0 { throw Left() }
            }
            if !killSwitch.isOver { findings.append("\(name): the stream ended") }
        } catch is Left {
            reconnections += 1
        } catch {
            if !killSwitch.isOver { findings.append("\(name): the stream failed: \(error)") }
        }
    }

    /// Reads and acknowledges everything up to and including the notification named `last`.
    mutating func drain(upTo last: String, _ gateway: GatewayCalls, _ killSwitch: KillSwitch) async throws {
        do {
            try await gateway.follow(with: secret) { events in
                let sequences = try deliveries.receive(events)
                try await acknowledge(.sequences(sequences), meaning: sequences, gateway, killSwitch)
                if deliveries.has(last) { throw Drained() }
            }
            findings.append("\(name): the stream ended")
        } catch is Drained {}
    }

    private mutating func acknowledgeSome(
        of pending: inout [Int],
        _ gateway: GatewayCalls,
        _ killSwitch: KillSwitch
    ) async throws {
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: return
        case 1:
            // A cumulative acknowledgement of some of them.
            let count = Int.random(in: 0..<pending.count, using: &generator) + 1
            let covered = Array(pending.sorted().prefix(count))
            pending.removeAll { covered.contains($0) }
            try await acknowledge(.upTo(covered.last ?? 0), meaning: covered, gateway, killSwitch)
        default:
            let chosen = pending.filter { _ in Int.random(in: 0..<4, using: &generator) > 0 }
            guard !chosen.isEmpty else { return }
            pending.removeAll { chosen.contains($0) }
            try await acknowledge(.sequences(chosen), meaning: chosen, gateway, killSwitch)
        }
    }

    private mutating func acknowledge(
        _ word: Acknowledgement,
        meaning sequences: [Int],
        _ gateway: GatewayCalls,
        _ killSwitch: KillSwitch
    ) async throws {
        let receipt = try await killSwitch.asking(.acknowledgement) {
            try await gateway.client.acknowledge(word, with: secret)
        }
        guard let receipt else { return }
        deliveries.recordGone(sequences)
        if receipt.acknowledged != sequences.count {
            findings.append("\(name): acknowledged \(sequences.count), but the receipt counts \(receipt.acknowledged)")
        }
    }

    private struct Drained: Error {}
    private struct Left: Error {}
}
