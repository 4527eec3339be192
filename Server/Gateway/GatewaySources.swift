internal import GatewayStore
package import WaypostSchema

/// The sources of time and randomness of a gateway, which tests can replace.
package struct GatewaySources: Sendable {
    /// Returns the current time.
    package var now: @Sendable () -> Timestamp

    /// Returns a number of random bytes.
    package var randomBytes: @Sendable (Int) -> [UInt8]

    /// Creates sources from functions.
    package init(now: @escaping @Sendable () -> Timestamp, randomBytes: @escaping @Sendable (Int) -> [UInt8]) {
        self.now = now
        self.randomBytes = randomBytes
    }

    /// Returns random bytes in hexadecimal, two lowercase digits per byte.
    func randomHexadecimal(bytes count: Int) -> String {
        Hexadecimal.text(randomBytes(count))
    }

    /// Returns a random UUID (RFC 9562, version 4) in its canonical form.
    func makeUUID() -> String {
        UUIDText.make(randomBytes(16), version: 4)
    }
}

/// UUIDs in their canonical form (RFC 9562, 4).
enum UUIDText {
    /// Returns the UUID of a version made from 16 `bytes`; the version and the variant replace some of the bits.
    static func make(_ bytes: consuming [UInt8], version: UInt8) -> String {
        bytes[6] = bytes[6] & 0x0F | version << 4
        bytes[8] = bytes[8] & 0x3F | 0x80
        return String(unsafeUninitializedCapacity: 36) { buffer in
            var place = 0
            for (index, byte) in bytes.enumerated() {
                // The groups have 8, 4, 4, 4 and 12 digits.
                if index == 4 || index == 6 || index == 8 || index == 10 {
                    buffer[place] = UInt8(ascii: "-")
                    place += 1
                }
                (buffer[place], buffer[place + 1]) = Hexadecimal.digits(of: byte)
                place += 2
            }
            return place
        }
    }
}

/// Bytes in hexadecimal, two lowercase digits per byte.
enum Hexadecimal {
    static func text(_ bytes: [UInt8]) -> String {
        String(unsafeUninitializedCapacity: 2 * bytes.count) { buffer in
            for (index, byte) in bytes.enumerated() {
                (buffer[2 * index], buffer[2 * index + 1]) = digits(of: byte)
            }
            return 2 * bytes.count
        }
    }

    /// Returns the two digits of a byte, in ASCII.
    static func digits(of byte: UInt8) -> (UInt8, UInt8) {
        (digit(byte >> 4), digit(byte & 0x0F))
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value + (value < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10)
    }
}

/// The name of a notification by its place in the log: a UUID of version 8 (RFC 9562, section 5.8).
struct UniqueID: CustomStringConvertible, Equatable {
    /// The start of every such name: "waypost" in ASCII, split by the version's byte.
    private static let start: [UInt8] = Array("waypos".utf8) + [0, UInt8(ascii: "t")]

    /// The sequence of the notification in the log.
    let sequence: Int

    init(sequence: Int) {
        self.sequence = sequence
    }

    /// Parses the name; `nil` if `text` is not such a name.
    init?(_ text: String) {
        guard text.isCanonicalUUID else { return nil }
        let digits = text.filter { $0 != "-" }
        // The place is the last 15 digits, which follow the digit with the variant's bits.
        guard let place = Int(digits.suffix(15), radix: 16) else { return nil }
        self.init(sequence: place)
        guard description == text.lowercased() else { return nil }
    }

    /// The UUID in its canonical form.
    var description: String {
        let place = (0..<8).reversed().map { UInt8(truncatingIfNeeded: sequence >> ($0 * 8)) }
        return UUIDText.make(Self.start + place, version: 8)
    }

    /// Returns the `apns-unique-id` of a notification of a batch: its place in the log, which finds it there, or a
    /// random UUID if there is no log.
    static func text(of appended: Appended, at index: Int, _ sources: GatewaySources) -> String {
        appended.logged.map { Self(sequence: $0.lowerBound + index).description } ?? sources.makeUUID()
    }
}
