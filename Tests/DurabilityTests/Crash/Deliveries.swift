import Foundation
import GatewayClient
import WaypostSchema

/// All notifications that an agent received, and those whose acknowledgement the gateway confirmed.
struct Deliveries: Sendable {
    /// The violations that were observed.
    private(set) var findings: [String] = []

    /// The number of repeated deliveries.
    private(set) var duplicates = 0

    private var bySequence: [Int: DeliveredNotification] = [:]
    private var sequences: [NotificationID: Int] = [:]
    private var ids: [String: NotificationID] = [:]
    private var gone: Set<Int> = []

    /// The number of distinct notifications.
    var count: Int {
        bySequence.count
    }

    /// The number of notifications whose acknowledgement the gateway confirmed.
    var goneCount: Int {
        gone.count
    }

    /// The identifiers of all received notifications.
    var acceptedIDs: [NotificationID] {
        Array(ids.values)
    }

    /// Returns the identifier of the received item whose payload has `name`.
    func id(of name: String) -> NotificationID? {
        ids[name]
    }

    /// Returns whether the item whose payload has `name` was received.
    func has(_ name: String) -> Bool {
        ids[name] != nil
    }

    /// Records the events of a stream and returns the sequences of their notifications.
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
                findings.append("\(notification.id) has sequence \(sequence) and had \(other)")
            }
            if ids.updateValue(notification.id, forKey: name) != nil { findings.append("\(name) has two sequences") }
            return
        }
        duplicates += 1
        if earlier != notification { findings.append("sequence \(sequence) has changed: \(earlier), \(notification)") }
    }

    /// Records a confirmed acknowledgement.
    mutating func recordGone(_ sequences: [Int]) {
        gone.formUnion(sequences)
    }
}
