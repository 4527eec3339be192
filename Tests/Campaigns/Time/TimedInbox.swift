import Foundation
import GatewayClient
import Synchronization
import TrialModels
import WaypostSchema
import WaypostTestSupport

/// The model of a namespace, which the sender and the stream of its agent share.
final class TimedInbox: Sendable {
    private struct State {
        var model: ExpirationModel
        var violations: [String] = []
        var deliveries = 0
    }

    private let state: Mutex<State>

    /// Creates the model of a namespace without items.
    init(_ clock: ClockReadings) {
        state = Mutex(State(model: ExpirationModel(clock)))
    }

    /// The violations that were observed.
    var violations: [String] {
        state.withLock(\.violations)
    }

    /// The number of items that arrived.
    var deliveries: Int {
        state.withLock(\.deliveries)
    }

    /// Reads or changes the model.
    func update<Value: Sendable>(_ body: (inout ExpirationModel) -> Value) -> Value {
        state.withLock { body(&$0.model) }
    }

    /// Adds violations.
    func add(_ violations: [String]) {
        state.withLock { $0.violations += violations }
    }

    /// Opens a stream, and acknowledges about half of what arrives, until the task is canceled.
    func follow(_ client: GatewayClient, with secret: BearerSecret, seed: UInt64) async {
        var generator = SeededGenerator(seed: seed)
        var stream = update { $0.stream() }
        do {
            try await client.follow(
                with: secret,
                onOpen: {},
                handle: { events in
                    let sequences = try receive(events, on: &stream)
                    return sequences.filter { _ in Bool.random(using: &generator) }
                }
            )
            if !Task.isCancelled { add(["the stream ended"]) }
        } catch {
            if !Task.isCancelled { add(["the stream failed: \(error)"]) }
        }
    }

    /// Records the notifications among events, and returns their sequences.
    private func receive(_ events: [ServerSentEvent], on stream: inout ExpirationModel.Stream) throws -> [Int] {
        var sequences: [Int] = []
        for event in events where event.type == "notification" {
            let data = Data(event.data.utf8)
            let notification = try JSONDecoder().decode(DeliveredNotification.self, from: data)
            receive(notification, on: &stream)
            sequences.append(notification.sequence)
        }
        return sequences
    }

    private func receive(_ notification: DeliveredNotification, on stream: inout ExpirationModel.Stream) {
        let id = notification.id.rawValue
        state.withLock { state in
            state.deliveries += 1
            let violation = state.model.receive(id, sequence: notification.sequence, on: &stream)
            if let violation { state.violations.append(violation) }
        }
    }
}
