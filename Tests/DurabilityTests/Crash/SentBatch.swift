import NIOCore
import ProcessTestSupport
import WaypostSchema
import WaypostTestSupport

/// A random batch that a sender of the crash test sends, and its answer.
struct SentBatch: Sendable {
    /// An item of the batch.
    struct Item: Sendable {
        /// The unique name in its payload, by which the test recognizes it.
        let name: String

        /// The identifier that its sender assigned, if any.
        let id: NotificationID?

        /// Whether a device has its token.
        let isGood: Bool
    }

    /// A token that no device has.
    private static let unknownToken: DeviceToken = "dead00"

    let items: [Item]
    let lines: String
    let key: String?
    let isAtomic: Bool
    let wantsAllResults: Bool

    /// The receipt, if one arrived.
    var receipt: BatchReceipt?

    /// Whether the gateway refused the whole batch, as it should, and the sender knows it.
    var isRefused = false

    /// Creates a random batch.
    ///
    /// - Parameters:
    ///   - name: The prefix of its key and of the names of its items.
    ///   - tokens: The tokens of possible recipients.
    ///   - generator: The source of randomness.
    init(_ name: String, to tokens: [DeviceToken], using generator: inout SeededGenerator) {
        let largest = [1, 4, 10, 20, 20, 40, 40, 300].randomElement(using: &generator) ?? 1
        let hasBadItems = Int.random(in: 0..<6, using: &generator) == 0
        isAtomic = Int.random(in: 0..<3, using: &generator) == 0
        wantsAllResults = Bool.random(using: &generator)
        key = Bool.random(using: &generator) ? "key-\(name)" : nil
        var lines = ""
        items = (0..<Int.random(in: 1...largest, using: &generator)).map { index in
            let isGood = !hasBadItems || Int.random(in: 0..<3, using: &generator) > 0
            let token = isGood ? tokens.randomElement(using: &generator) ?? Self.unknownToken : Self.unknownToken
            let isNamed = Int.random(in: 0..<4, using: &generator) == 0
            let item = Item(
                name: "\(name)-\(index)",
                id: isNamed ? NotificationID(rawValue: UUIDText.random(using: &generator)) : nil,
                isGood: isGood
            )
            lines += item.line(for: token, padding: Int.random(in: 0...100, using: &generator))
            return item
        }
        self.lines = lines
    }

    /// Whether the gateway must refuse the batch: it is atomic and has invalid items.
    var isUnacceptable: Bool {
        isAtomic && !items.allSatisfy(\.isGood)
    }

    /// The items that the gateway accepts if it accepts the batch.
    var goodItems: [Item] {
        items.filter(\.isGood)
    }

    /// The query of the request URL.
    var query: String {
        "?atomic=\(isAtomic)&results=\(wantsAllResults ? "all" : "rejected")"
    }

    /// Returns the body in `pieces` pieces.
    ///
    /// It awaits `beforeEach` before it returns a piece.
    func body(pieces: Int, beforeEach: @escaping @Sendable () async -> Void) -> Pieces {
        Pieces(body: ByteBuffer(string: lines), count: pieces, beforeEach: beforeEach)
    }
}

extension SentBatch.Item {
    fileprivate func line(for token: DeviceToken, padding: Int) -> String {
        let id = id.map { #""id":"\#($0)","# } ?? ""
        let payload = #"{"aps":{"alert":"Honk"},"name":"\#(name)","more":"\#(String(repeating: "-", count: padding))"}"#
        return #"{"token":"\#(token)","topic":"com.example.clowntown",\#(id)"payload":\#(payload)}"# + "\n"
    }
}
