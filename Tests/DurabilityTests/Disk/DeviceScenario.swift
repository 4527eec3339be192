import Foundation
import GatewayClient
import ProcessTestSupport
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

    /// Reads the inbox, and returns the names of all received items.
    func read(_ calls: GatewayCalls) async throws -> Set<String> {
        Set(try await receive(calls).keys)
    }

    /// Reads the inbox, acknowledges all received items, and returns their number.
    func acknowledge(_ calls: GatewayCalls) async throws -> Int {
        let sequences = try await receive(calls).values.sorted()
        return try await calls.client.acknowledge(.sequences(sequences), with: device.secret).acknowledged
    }

    /// Reads the inbox up to the last item that was answered with 200, and returns the sequences of all received
    /// items, by their names.
    ///
    /// Sequences increase, so an item that has not arrived by then is lost.
    private func receive(_ calls: GatewayCalls) async throws -> [String: Int] {
        var sequences: [String: Int] = [:]
        guard let last else { return sequences }
        do {
            try await calls.follow(with: device.secret) { events in
                for event in events {
                    let data = Data(event.data.utf8)
                    let notification = try JSONDecoder().decode(DeliveredNotification.self, from: data)
                    sequences[notification.payload["name"]?.string ?? ""] = notification.sequence
                }
                if sequences[last] != nil { throw Complete() }
            }
        } catch is Complete {}
        return sequences
    }

    private struct Complete: Error {}
}
