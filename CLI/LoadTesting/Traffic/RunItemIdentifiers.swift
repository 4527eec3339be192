internal import TextBasics
internal import WaypostSchema

/// The identifiers of the items of a load test: UUIDs (version 8) that contain the number of the item.
struct RunItemIdentifiers: Sendable {
    private static let digits = Array("0123456789abcdef".utf8)

    /// The first 24 characters, which all items of a run share.
    private let prefix: [UInt8]

    /// Creates the identifiers of a run.
    ///
    /// - Parameter run: a number that other runs at the same gateway do not have.
    init(run: UInt32) {
        prefix = Array("\(Hexadecimal.string(run))-0000-8000-8000-".utf8)
    }

    /// Appends the identifier of an item.
    func append(_ number: Int, to bytes: inout [UInt8]) {
        bytes.append(contentsOf: prefix)
        for shift in stride(from: 44, through: 0, by: -4) { bytes.append(Self.digits[(number >> shift) & 15]) }
    }

    /// Returns the identifier of an item.
    func identifier(_ number: Int) -> NotificationID {
        var bytes: [UInt8] = []
        append(number, to: &bytes)
        return NotificationID(rawValue: String(decoding: bytes, as: UTF8.self))
    }

    /// Returns the number of the item with an identifier, or `nil` if it is from elsewhere.
    func number(of identifier: NotificationID) -> Int? {
        var text = identifier.rawValue
        return text.withUTF8 { bytes -> Int? in
            guard bytes.count == 36, bytes.prefix(prefix.count).elementsEqual(prefix) else { return nil }
            var number = 0
            for byte in bytes.dropFirst(prefix.count) {
                switch byte {
                case 0x30...0x39: number = number << 4 | Int(byte - 0x30)
                case 0x61...0x66: number = number << 4 | Int(byte - 0x61 + 10)
                default: return nil
                }
            }
            return number
        }
    }
}
