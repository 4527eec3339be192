import NIOCore
import WaypostSchema
import WaypostTestSupport

/// A batch that a sender of the crash test makes up, and the answer that it had.
struct SentBatch: Sendable {
    /// An item of it.
    struct Item: Sendable {
        /// What its payload says, and no other's: by this it is known again.
        let name: String

        /// The identifier that its sender gave it.
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

    /// The answer, where it came.
    var receipt: BatchReceipt?

    /// Whether it was refused whole, as it should be, and the sender knows.
    var isRefused = false

    /// Makes a batch up.
    ///
    /// - Parameters:
    ///   - name: what the names of its items and its key begin with.
    ///   - tokens: the devices that it may be for.
    ///   - generator: what decides.
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

    /// Whether it is one to be refused: all or nothing, and not all is good.
    var isUnacceptable: Bool {
        isAtomic && !items.allSatisfy(\.isGood)
    }

    /// The items that are accepted, where the batch is.
    var goodItems: [Item] {
        items.filter(\.isGood)
    }

    /// What follows the path.
    var query: String {
        "?atomic=\(isAtomic)&results=\(wantsAllResults ? "all" : "rejected")"
    }

    /// The body in as many pieces; `beforeEach` is waited for before a piece is handed out.
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

/// A body that goes out in pieces.
struct Pieces: AsyncSequence, Sendable {
    let body: ByteBuffer
    let count: Int
    let beforeEach: @Sendable () async -> Void

    struct AsyncIterator: AsyncIteratorProtocol {
        var rest: ByteBuffer
        let size: Int
        let beforeEach: @Sendable () async -> Void

        mutating func next() async -> ByteBuffer? {
            guard rest.readableBytes > 0 else { return nil }
            await beforeEach()
            return rest.readSlice(length: Swift.min(size, rest.readableBytes))
        }
    }

    func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(rest: body, size: Swift.max(1, (body.readableBytes + count - 1) / count), beforeEach: beforeEach)
    }
}

/// Identifiers that a seed tells.
enum UUIDText {
    static func random(using generator: inout some RandomNumberGenerator) -> String {
        let digits = (0..<32).map { _ in String(Int.random(in: 0..<16, using: &generator), radix: 16) }.joined()
        let ends = [8, 12, 16, 20, 32]
        return zip([0] + ends, ends).map { String(digits.dropFirst($0).prefix($1 - $0)) }.joined(separator: "-")
    }
}
