import Foundation
import GatewayClient
import ProcessTestSupport
import Synchronization
import WaypostSchema
import WaypostTestSupport

/// A device with an agent of its own, which reads its inbox while a gateway is under load.
final class ServedDevice: Sendable {
    private struct State: Sendable {
        /// The names of the received notifications, in the order in which they first arrived.
        var names: [String] = []
        var sequences: Set<Int> = []

        /// The number of streams that were opened.
        var streamCount = 0
        var isOver = false
    }

    let credential: DeviceCredential
    private let calls: GatewayCalls
    private let state = Mutex(State())

    /// The maximum number of notifications that are read before they are acknowledged.
    private static let maximumRead = 500

    /// Registers a device.
    init(_ calls: GatewayCalls) async throws {
        self.calls = calls
        let registration = DeviceRegistration(name: "iPad", topics: ["com.example.clowntown"])
        credential = try await calls.client.register(registration)
    }

    /// The names of the received notifications, in order.
    var names: [String] {
        state.withLock { $0.names }
    }

    /// The number of streams that were opened.
    var streamCount: Int {
        state.withLock { $0.streamCount }
    }

    /// Returns whether the notification with a name was received.
    func has(_ name: String) -> Bool {
        state.withLock { $0.names.contains(name) }
    }

    /// Sends a batch of notifications with these names to the device.
    ///
    /// - Parameters:
    ///   - names: The names of the notifications.
    ///   - size: The number of bytes of each beside its name.
    ///   - calls: The calls of the sender.
    /// - Returns: The answer.
    /// - Throws: An error if there is no answer.
    func send(_ names: [String], size: Int = 0, through calls: GatewayCalls) async throws -> GatewayCalls.Answer {
        try await calls.send(names.map { Self.line(to: credential.token, $0, size: size) }.joined())
    }

    /// Returns the line of a batch with a notification.
    static func line(to token: DeviceToken, _ name: String, size: Int) -> String {
        let payload = #"{"name":"\#(name)","more":"\#(String(repeating: "-", count: size))"}"#
        return #"{"token":"\#(token)","topic":"com.example.clowntown","payload":\#(payload)}"# + "\n"
    }

    /// Reads and acknowledges in a session until `stop` is called and the session ends.
    ///
    /// If the session ends before, it is opened again, as agents do.
    func receive() async {
        while !state.withLock({ $0.isOver }) {
            do {
                try await calls.client.follow(
                    with: credential.secret,
                    onOpen: { state.withLock { $0.streamCount += 1 } },
                    handle: { events in try record(events) }
                )
            } catch {
                // The next session shows whether the gateway is there.
            }
            do { try await pause() } catch { return }
        }
    }

    /// Opens no session any more.
    func stop() {
        state.withLock { $0.isOver = true }
    }

    /// Reads and acknowledges the inbox up to the notification with a name.
    ///
    /// - Parameters:
    ///   - name: The name of the last notification.
    ///   - limit: The maximum time.
    /// - Throws: `NeverTrue` if the notification does not arrive in time, or an error of a call.
    func drain(upTo name: String, within limit: Duration) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await self.drain(upTo: name) }
            group.addTask { try await waitUntil("\(name) arrives", within: limit) { self.has(name) } }
            defer { group.cancelAll() }
            // The wait ends first if the notification does not arrive; the reader, if a call fails.
            _ = try await group.next()
            if has(name) { try await group.waitForAll() }
        }
    }

    private func drain(upTo name: String) async throws {
        while !has(name) {
            var sequences: [Int] = []
            do {
                try await calls.follow(with: credential.secret) { events in
                    sequences += try record(events)
                    if has(name) || sequences.count >= Self.maximumRead { throw Enough() }
                }
            } catch is Enough {}
            _ = try await calls.client.acknowledge(.sequences(sequences), with: credential.secret)
        }
    }

    /// Records the notifications of events, and returns their sequences.
    private func record(_ events: [ServerSentEvent]) throws -> [Int] {
        try events.filter { $0.type == "notification" }.map { event in
            let notification = try JSONDecoder().decode(DeliveredNotification.self, from: Data(event.data.utf8))
            let name = notification.payload["name"]?.string ?? ""
            state.withLock { state in
                if state.sequences.insert(notification.sequence).inserted { state.names.append(name) }
            }
            return notification.sequence
        }
    }

    private struct Enough: Error {}
}
