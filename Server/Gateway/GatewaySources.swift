package import WaypostSchema

/// Where a gateway takes time and randomness from, so that tests can say what both are.
package struct GatewaySources: Sendable {
    /// Returns the present moment.
    package var now: @Sendable () -> Timestamp

    /// Returns as many random bytes as asked for.
    package var randomBytes: @Sendable (Int) -> [UInt8]

    /// Creates sources from functions.
    package init(now: @escaping @Sendable () -> Timestamp, randomBytes: @escaping @Sendable (Int) -> [UInt8]) {
        self.now = now
        self.randomBytes = randomBytes
    }

    /// Returns random bytes in hexadecimal, two lowercase digits a byte.
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
    /// Returns the UUID of a version that has the bits of 16 `bytes`, where the version and the variant leave them.
    static func make(_ bytes: [UInt8], version: UInt8) -> String {
        var bytes = bytes
        bytes[6] = bytes[6] & 0x0F | version << 4
        bytes[8] = bytes[8] & 0x3F | 0x80
        let digits = Hexadecimal.text(bytes)
        var groups: [Substring] = []
        var rest = digits[...]
        for length in [8, 4, 4, 4, 12] {
            groups.append(rest.prefix(length))
            rest = rest.dropFirst(length)
        }
        return groups.joined(separator: "-")
    }
}

/// Bytes as text, two lowercase digits a byte.
enum Hexadecimal {
    private static let digits = Array("0123456789abcdef".utf8)

    static func text(_ bytes: [UInt8]) -> String {
        String(unsafeUninitializedCapacity: 2 * bytes.count) { buffer in
            for (index, byte) in bytes.enumerated() {
                buffer[2 * index] = digits[Int(byte >> 4)]
                buffer[2 * index + 1] = digits[Int(byte & 0x0F)]
            }
            return 2 * bytes.count
        }
    }
}
