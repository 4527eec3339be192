import Foundation
import GatewayClient
import WaypostSchema

/// Everything that an agent was sent, and what of it it acknowledged and was told so.
struct Deliveries: Sendable {
    /// What should not have happened.
    private(set) var findings: [String] = []

    /// How often something came that had come before.
    private(set) var duplicates = 0

    private var bySequence: [Int: DeliveredNotification] = [:]
    private var sequences: [NotificationID: Int] = [:]
    private var ids: [String: NotificationID] = [:]
    private var gone: Set<Int> = []

    /// How many different notifications came.
    var count: Int {
        bySequence.count
    }

    /// How many were acknowledged, and the answer came.
    var goneCount: Int {
        gone.count
    }

    /// The identifiers of everything that came.
    var acceptedIDs: [NotificationID] {
        Array(ids.values)
    }

    /// The identifier with which the item came whose payload has `name`.
    func id(of name: String) -> NotificationID? {
        ids[name]
    }

    /// Whether the item came whose payload has `name`.
    func has(_ name: String) -> Bool {
        ids[name] != nil
    }

    /// Notes what an event stream brought, and returns the sequences.
    mutating func receive(_ events: [ServerSentEvent]) throws -> [Int] {
        try events.filter { $0.type == "notification" }.map { event in
            let notification = try JSONDecoder().decode(DeliveredNotification.self, from: Data(event.data.utf8))
            receive(notification)
            return notification.sequence
        }
    }

    private mutating func receive(_ notification: DeliveredNotification) {
        let sequence = notification.sequence
        let name = notification.payload["name"]?.string ?? ""
        if gone.contains(sequence) { findings.append("\(name) came back after it was acknowledged") }
        guard let earlier = bySequence[sequence] else {
            bySequence[sequence] = notification
            if let other = sequences.updateValue(sequence, forKey: notification.id) {
                findings.append("\(notification.id) is \(sequence), and was \(other)")
            }
            if ids.updateValue(notification.id, forKey: name) != nil { findings.append("\(name) is there twice") }
            return
        }
        duplicates += 1
        if earlier != notification { findings.append("\(sequence) is another one: \(earlier), \(notification)") }
    }

    /// Notes that an acknowledgement was answered.
    mutating func noteGone(_ sequences: [Int]) {
        gone.formUnion(sequences)
    }
}
