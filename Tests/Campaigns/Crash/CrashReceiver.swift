import Foundation
import GatewayClient
import ProcessTestSupport
import WaypostSchema
import WaypostTestSupport

/// A receiver that reads its stream, acknowledges in all ways (some sequences, all up to one, and in lines of its
/// session), and replaces its secret.
struct CrashReceiver: CrashParticipant {
    let name: String

    private let namespace: Namespace
    private let world: CrashWorld
    private var generator: SeededGenerator

    /// The secret in use.
    private var secret: BearerSecret

    /// The secrets of the last rotation; without an answer, the new one is not in use.
    private var rotation: (earlier: BearerSecret, new: BearerSecret)?

    /// Creates a receiver with the secret of its devices.
    init(_ name: String, in namespace: Namespace, secret: BearerSecret, world: CrashWorld, seed: UInt64) {
        (self.name, self.namespace, self.secret, self.world) = (name, namespace, secret, world)
        generator = SeededGenerator(seed: seed)
    }

    /// Reads and acknowledges; occasionally it leaves its stream, and opens another one.
    mutating func use(_ life: GatewayLife) async throws {
        try await settle(life)
        while !life.killSwitch.isOver { try await followOnce(in: life) }
    }

    private mutating func followOnce(in life: GatewayLife) async throws {
        let stream = openStream()
        var remaining = Int.random(in: 2...30, using: &generator)
        var pending: [Pending] = []
        do {
            try await life.gateway.client.follow(
                with: secret,
                onOpen: { [name, world] in world.note(name, "stream \(stream): open") },
                handle: { events in
                    pending += try receive(events, on: stream)
                    if Int.random(in: 0..<25, using: &generator) == 0 { try await rotateSecret(in: life) }
                    let sequences = try await acknowledgeSome(of: &pending, on: stream, in: life)
                    remaining -= 1
                    if remaining == 0 { throw Left() }
                    return sequences
                }
            )
            note("the end", on: stream)
            if await !life.killSwitch.isEnding() { world.report("\(name): the stream ended") }
        } catch is Left {
            note("left", on: stream)
        } catch {
            note("\(error)", on: stream)
            guard await life.killSwitch.isEnding() else { throw error }
        }
    }

    /// Records that the receiver opens a stream, and returns the number of the stream.
    private func openStream() -> Int {
        let stream = world.update { [namespace] in $0.openStream(in: namespace) }
        note("requested", on: stream)
        return stream
    }

    /// Adds a line about a stream to the history.
    private func note(_ text: String, on stream: Int) {
        world.note(name, "stream \(stream): \(text)")
    }

    /// Reads and acknowledges everything up to and including the item `last`.
    func drain(upTo last: String, in life: GatewayLife) async throws {
        let stream = openStream()
        do {
            try await life.gateway.client.follow(
                with: secret,
                onOpen: { note("open", on: stream) },
                handle: { events in
                    let sequences = try receive(events, on: stream).map(\.sequence)
                    try await acknowledge(.sequences(sequences), meaning: sequences, on: stream, in: life)
                    if world.update({ $0.items[last]?.sequences.isEmpty == false }) { throw Left() }
                    return []
                }
            )
            world.report("\(name): the last stream ended")
        } catch is Left {}
    }

    /// A notification that arrived on the open stream and is not acknowledged.
    private struct Pending {
        let sequence: Int
        let isTransient: Bool

        /// The sequence for the history, with a mark if the expiration is 0.
        var text: String {
            isTransient ? "\(sequence) (now)" : "\(sequence)"
        }
    }

    /// Records the notifications among events, and returns them.
    private func receive(_ events: [ServerSentEvent], on stream: Int) throws -> [Pending] {
        let received = try events.filter { $0.type == "notification" }.map { event in
            let notification = try JSONDecoder().decode(DeliveredNotification.self, from: Data(event.data.utf8))
            world.update { $0.deliver(notification, to: name, on: stream) }
            return Pending(sequence: notification.sequence, isTransient: notification.expiration == 0)
        }
        if !received.isEmpty { note("got \(received.map(\.text).joined(separator: ", "))", on: stream) }
        return received
    }

    /// Acknowledges some of the notifications of a stream; returns those to acknowledge in a line of the session.
    private mutating func acknowledgeSome(
        of pending: inout [Pending],
        on stream: Int,
        in life: GatewayLife
    ) async throws -> [Int] {
        guard !pending.isEmpty else { return [] }
        let kind = Int.random(in: 0..<5, using: &generator)
        var chosen: [Int] = []
        switch kind {
        case 0: return []
        case 1:
            let count = Int.random(in: 1...pending.count, using: &generator)
            var covered = pending.sorted { $0.sequence < $1.sequence }.prefix(count)
            // A transient notification may overtake those before it, which `upTo` would cover and nobody has read.
            while covered.last?.isTransient == true { covered.removeLast() }
            chosen = covered.map(\.sequence)
        default:
            for notification in pending where Int.random(in: 0..<4, using: &generator) > 0 {
                chosen.append(notification.sequence)
            }
        }
        guard let last = chosen.last else { return [] }
        let removed = Set(chosen)
        pending.removeAll { removed.contains($0.sequence) }
        switch kind {
        case 1: try await acknowledge(.upTo(last), meaning: chosen, on: stream, in: life)
        case 2: try await acknowledge(.sequences(chosen), meaning: chosen, on: stream, in: life)
        default:
            note("acknowledges \(chosen) in a line", on: stream)
            world.update { $0.acknowledgeWithoutAnswer(chosen, by: name) }
            return chosen
        }
        return []
    }

    private func acknowledge(
        _ acknowledgement: Acknowledgement,
        meaning sequences: [Int],
        on stream: Int,
        in life: GatewayLife
    ) async throws {
        guard !sequences.isEmpty else { return }
        let isExact = if case .sequences = acknowledgement { true } else { false }
        let kind = isExact ? "" : "up to the last of "
        note("acknowledges \(kind)\(sequences)", on: stream)
        let receipt = try await life.killSwitch.asking(.acknowledgement) {
            try await life.gateway.client.acknowledge(acknowledgement, with: secret)
        }
        note("acknowledged \(receipt.map { "\($0.acknowledged)" } ?? "without an answer")", on: stream)
        world.update { model in
            if let receipt {
                let count = receipt.acknowledged
                model.acknowledge(sequences, isExact: isExact, count: count, by: name, on: stream)
            } else {
                model.acknowledgeWithoutAnswer(sequences, by: name)
            }
        }
    }

    private struct Left: Error {}
}

// MARK: The secret

extension CrashReceiver {
    /// Finds out which secret works after the last rotation, and sends the request again, which must change nothing if
    /// the new one works already.
    mutating func settle(_ life: GatewayLife) async throws {
        guard let rotation else { return }
        let gateway = life.gateway
        let earlier = try await life.answer { try await gateway.accepts(rotation.earlier) }
        let new = try await life.answer { try await gateway.accepts(rotation.new) }
        guard let earlier, let new else { return }
        world.update { [name] in $0.checkSecrets(of: name, acceptsEarlier: earlier, acceptsNew: new) }
        if new { secret = rotation.new }
        if earlier || new { try await sendRotation(in: life) }
    }

    /// Replaces the secret, while the stream stays open.
    private mutating func rotateSecret(in life: GatewayLife) async throws {
        guard !life.killSwitch.isOver else { return }
        rotation = (secret, secret.next(using: &generator))
        world.update { [name] in $0.beginSecretRotation(of: name) }
        try await sendRotation(in: life)
    }

    private mutating func sendRotation(in life: GatewayLife) async throws {
        guard let rotation else { return }
        let client = life.gateway.client
        let answer: Void? = try await life.answer {
            try await client.rotate(rotation.earlier, with: SecretRotation(secret: rotation.new))
        }
        world.note(name, "another secret: \(answer == nil ? "no answer" : "done")")
        guard answer != nil else { return }
        secret = rotation.new
        world.update { [name] in $0.confirmSecretRotation(of: name) }
    }
}

extension BearerSecret {
    /// Returns a random secret of the form of this one, with the same first three digits.
    fileprivate func next(using generator: inout SeededGenerator) -> Self {
        let digits = (0..<61).map { _ in String(Int.random(in: 0..<16, using: &generator), radix: 16) }
        return Self(rawValue: String(rawValue.prefix(3)) + digits.joined())
    }
}

extension GatewayCalls {
    /// Returns whether the courier accepts a secret.
    fileprivate func accepts(_ secret: BearerSecret) async throws(CallError) -> Bool {
        do throws(CallError) {
            _ = try await client.acknowledge(.sequences([]), with: secret)
            return true
        } catch {
            guard case .refused(status: 401, _) = error else { throw error }
            return false
        }
    }
}
