import Foundation
import GatewayClient
import WaypostSchema
import WaypostTestSupport

/// An agent that reads its stream, acknowledges some of what it sees, and keeps a record of both.
struct Receiver: Sendable {
    /// What it has seen, in any life of the gateway.
    private(set) var deliveries = Deliveries()

    /// What should not have happened.
    private(set) var findings: [String] = []

    /// How often it left its stream.
    private(set) var reconnections = 0

    private let name: String
    private let secret: AgentSecret
    private var generator: SeededGenerator

    /// Creates an agent that has seen nothing.
    init(_ name: String, secret: AgentSecret, seed: UInt64) {
        self.name = name
        self.secret = secret
        generator = SeededGenerator(seed: seed)
    }

    /// Reads, and acknowledges some of it, until the gateway is ended.
    ///
    /// Now and then it leaves its stream, and comes back to what it has not acknowledged.
    mutating func live(_ gateway: GatewayCalls, _ killSwitch: KillSwitch) async {
        while !killSwitch.isOver { await followOnce(gateway, killSwitch) }
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
            if !killSwitch.isOver { findings.append("\(name): the stream broke off: \(error)") }
        }
    }

    /// Reads and acknowledges everything up to and with the notification named `last`.
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
            // A cumulative word about some of it.
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
        deliveries.noteGone(sequences)
        if receipt.acknowledged != sequences.count {
            findings.append("\(name): acknowledged \(sequences.count), and \(receipt.acknowledged) counted")
        }
    }

    private struct Drained: Error {}
    private struct Left: Error {}
}
