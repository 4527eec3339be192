import Foundation
import GatewayClient
import WaypostSchema

/// A device with an agent of its own, with the items that were sent to it.
struct DeviceScenario: Sendable {
    let device: DeviceCredential

    /// The names of the items that were answered with 200.
    private(set) var answered: Set<String> = []

    /// The names of the items that, according to the answer, are not stored.
    private(set) var refused: Set<String> = []

    private var last: String?
    private var sent = 0

    /// Registers a device.
    init(_ calls: GatewayCalls) async throws {
        let registration = DeviceRegistration(name: "iPad", topics: ["com.example.clowntown"])
        device = try await calls.client.register(registration)
    }

    /// Sends a batch of items of about `size` bytes each, and returns the answer.
    mutating func send(_ count: Int, size: Int = 100, _ calls: GatewayCalls) async throws -> GatewayCalls.Answer {
        let names = (sent..<sent + count).map { "item \($0)" }
        sent += count
        let more = String(repeating: "-", count: size)
        let lines = names.map { name in
            let payload = #"{"name":"\#(name)","more":"\#(more)"}"#
            return #"{"token":"\#(device.token)","topic":"com.example.clowntown","payload":\#(payload)}"# + "\n"
        }
        let answer = try await calls.send(lines.joined())
        switch answer.status {
        case 200:
            answered.formUnion(names)
            last = names.last
        case 500 where answer.errorCode == "storeOutcomeUnknown": break
        default: refused.formUnion(names)
        }
        return answer
    }

    /// Reads the inbox up to the last item that was answered with 200, and returns the names of all received items.
    ///
    /// Sequences increase, so an item that has not arrived by then is lost.
    func read(_ calls: GatewayCalls) async throws -> Set<String> {
        var names: Set<String> = []
        guard let last else { return names }
        do {
            try await calls.follow(with: device.secret) { events in
                for event in events {
                    let data = Data(event.data.utf8)
                    let notification = try JSONDecoder().decode(DeliveredNotification.self, from: data)
                    names.insert(notification.payload["name"]?.string ?? "")
                }
                if names.contains(last) { throw Complete() }
            }
        } catch is Complete {}
        return names
    }

    private struct Complete: Error {}
}
