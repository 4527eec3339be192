import Foundation
import GatewayClient
import Synchronization
import WaypostSchema
import WaypostTestSupport

/// A device of a cluster: it has a stream at one gateway, and acknowledges at any.
///
/// When its stream ends, it opens the next one at another gateway.
final class ClusterDevice: Sendable {
    /// The form of its acknowledgements.
    private enum Form: CaseIterable {
        /// Requests with all sequences.
        case sequences

        /// Requests with the greatest sequence, and with all sequences if a gateway does not count as many: the stream
        /// may have moved.
        case upTo

        /// Lines of the session, which nobody confirms.
        case lines
    }

    /// The number among the devices of the cluster.
    let number: Int

    /// The token, to which senders send.
    let token: DeviceToken

    private let secret: BearerSecret
    private let form: Form
    private let state = Mutex(ClusterInbox())
    private let connections = Mutex((opened: 0, isOpen: false))
    private let arrivals: AsyncStream<Void>
    private let arrival: AsyncStream<Void>.Continuation

    /// Creates the device with a number.
    init(_ number: Int, _ credential: DeviceCredential) {
        self.number = number
        token = credential.token
        secret = credential.secret
        form = Form.allCases[number % Form.allCases.count]
        (arrivals, arrival) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// The notifications that it received.
    var inbox: ClusterInbox {
        state.withLock { $0 }
    }

    /// Returns whether it received a notification.
    func has(_ id: NotificationID) -> Bool {
        state.withLock { $0.notification(id) != nil }
    }

    /// Whether every notification that it received is acknowledged.
    var isIdle: Bool {
        state.withLock(\.unacknowledged.isEmpty)
    }

    /// Whether it has an open stream.
    var isConnected: Bool {
        connections.withLock(\.isOpen)
    }

    /// The number of streams that it has opened.
    var streamCount: Int {
        connections.withLock(\.opened)
    }

    /// Keeps a stream open, first at the gateway with its number, until the task is canceled.
    func follow(_ access: ClusterAccess, seed: UInt64) async {
        var generator = SeededGenerator(seed: seed)
        var gateway = number % access.gateways.count
        while !Task.isCancelled {
            do {
                try await followOnce(access, gateway)
            } catch {
                if !Task.isCancelled { access.answers.note(error, to: "stream of device \(number)") }
            }
            connections.withLock { $0.isOpen = false }
            gateway = access.anyGateway(except: gateway, using: &generator)
            await ClusterAccess.pause(using: &generator)
        }
    }

    private func followOnce(_ access: ClusterAccess, _ gateway: Int) async throws {
        try await access.client(gateway).follow(with: secret) {
            connections.withLock { connections in
                connections.opened += 1
                connections.isOpen = true
            }
            note("opens stream \(streamCount) at \(access.gateways[gateway].name)", access)
        } handle: { events in
            for event in events where event.type == "notification" {
                let data = Data(event.data.utf8)
                let notification = try JSONDecoder().decode(DeliveredNotification.self, from: data)
                state.withLock { $0.receive(notification, onStream: streamCount) }
                note("gets \(notification.id), sequence \(notification.sequence), on stream \(streamCount)", access)
            }
            guard form == .lines else {
                arrival.yield()
                return []
            }
            let sequences = state.withLock { inbox in
                defer { inbox.recordAcknowledged(inbox.unacknowledged) }
                return inbox.unacknowledged.sorted()
            }
            if !sequences.isEmpty { note("acknowledges \(sequences) on its stream", access) }
            return sequences
        }
    }

    /// Acknowledges what arrives, at random gateways, until the task is canceled.
    func acknowledge(_ access: ClusterAccess, seed: UInt64) async {
        var generator = SeededGenerator(seed: seed)
        for await _ in arrivals {
            var sequences = state.withLock(\.unacknowledged)
            while !sequences.isEmpty, !Task.isCancelled {
                let client = access.client(access.anyGateway(using: &generator))
                do {
                    try await acknowledge(sequences, with: client)
                    state.withLock { $0.recordAcknowledged(sequences) }
                    note("has acknowledged \(sequences.sorted())", access)
                } catch {
                    if !Task.isCancelled { access.answers.note(error, to: "acknowledgement of device \(number)") }
                    await ClusterAccess.pause(using: &generator)
                }
                sequences = state.withLock(\.unacknowledged)
            }
        }
    }

    private func note(_ text: String, _ access: ClusterAccess) {
        access.answers.history("device \(number)", text)
    }

    private func acknowledge(_ sequences: Set<Int>, with client: GatewayClient) async throws {
        if form == .upTo, let last = sequences.max() {
            let answer = try await client.acknowledge(.upTo(last), with: secret)
            if answer.acknowledged >= sequences.count { return }
        }
        _ = try await client.acknowledge(.sequences(sequences.sorted()), with: secret)
    }
}
