import Foundation
import WaypostSchema
import WaypostTestSupport

/// A random batch with an idempotency key, and its answer.
struct ClusterBatch: Sendable {
    /// The kind of an item, which decides how it may end.
    enum Kind: Sendable, Equatable {
        /// It is stored until it is acknowledged.
        case stored

        /// It is stored until it is acknowledged, or until another one of this kind to the same device replaces it.
        case collapsible

        /// It is delivered at once or dropped.
        case transient

        /// It is stored until it is acknowledged, or until this time in seconds since 1970.
        case expiring(at: Int)

        /// The states in which an item may end.
        var ends: Set<DeliveryState> {
            switch self {
            case .stored: [.acknowledged]
            case .collapsible: [.acknowledged, .collapsed]
            case .transient: [.acknowledged, .dropped]
            case .expiring: [.acknowledged, .expired]
            }
        }
    }

    /// An item of the batch.
    struct Item: Sendable {
        /// The unique name in its payload.
        let name: String

        /// The number of its device.
        let device: Int

        let kind: Kind
    }

    /// An item of an answered batch, with the identifier in the answer.
    struct AnsweredItem: Sendable {
        let item: Item
        let id: NotificationID
    }

    /// The idempotency key.
    let key: String

    let items: [Item]
    let lines: String

    /// Whether the batch is sent to all gateways at once.
    let isSentToAll: Bool

    /// The receipt, if one arrived.
    var receipt: BatchReceipt?

    /// Creates a random batch.
    ///
    /// - Parameters:
    ///   - key: the idempotency key, which is also the prefix of the names of items.
    ///   - tokens: the tokens of the devices.
    ///   - generator: the source of randomness.
    init(_ key: String, to tokens: [DeviceToken], using generator: inout SeededGenerator) {
        let now = Int(Date.now.timeIntervalSince1970 * 1_000)
        let largest = [1, 10, 40, 80].randomElement(using: &generator) ?? 1
        var lines = ""
        items = (0..<Int.random(in: 1...largest, using: &generator)).map { index in
            let device = Int.random(in: tokens.indices, using: &generator)
            let item = Item(name: "\(key)-\(index)", device: device, kind: Self.anyKind(at: now, using: &generator))
            let padding = Int.random(in: 0...200, using: &generator)
            lines += item.line(for: tokens[item.device], at: now, padding: padding)
            return item
        }
        self.key = key
        self.lines = lines
        isSentToAll = Int.random(in: 0..<6, using: &generator) == 0
    }

    private static func anyKind(at now: Int, using generator: inout SeededGenerator) -> Kind {
        switch Int.random(in: 0..<16, using: &generator) {
        case 0: .transient
        case 1, 2: .collapsible
        case 3, 4: .expiring(at: now / 1_000 + Int.random(in: 1...4, using: &generator))
        default: .stored
        }
    }

    /// Returns what is wrong with a receipt for the batch, or `nil`.
    func problem(of receipt: BatchReceipt) -> String? {
        let isComplete =
            receipt.accepted == items.count && receipt.rejected == 0 && receipt.results.count == items.count
            && receipt.results.allSatisfy { $0.status == 200 && $0.id != nil }
        guard isComplete else { return "a wrong receipt: \(receipt)" }
        return receipt.durability == .fsync ? nil : "a receipt with the durability \(receipt.durability)"
    }

    /// The items with the identifiers of the receipt; empty if there is none.
    var answeredItems: [AnsweredItem] {
        (receipt?.results ?? []).compactMap { result in
            result.id.map { AnsweredItem(item: items[result.index], id: $0) }
        }
    }
}

extension ClusterBatch.Item {
    /// Returns the line of the item, with the time at which it is created, in milliseconds.
    fileprivate func line(for token: DeviceToken, at now: Int, padding: Int) -> String {
        let more =
            switch kind {
            case .stored: ""
            case .collapsible: #""collapseID":"collapse","#
            case .transient: #""expiration":0,"#
            case .expiring(let time): #""expiration":\#(time),"#
            }
        let custom = #""name":"\#(name)","created":"\#(now)","more":"\#(String(repeating: "-", count: padding))""#
        let payload = #"{"aps":{"alert":"Honk"},\#(custom)}"#
        return #"{"token":"\#(token)","topic":"com.example.clowntown",\#(more)"payload":\#(payload)}"# + "\n"
    }
}
