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
        Self.hexadecimal(randomBytes(count))
    }

    /// Returns a random UUID (RFC 9562, version 4) in its canonical form.
    func makeUUID() -> String {
        var bytes = randomBytes(16)
        bytes[6] = bytes[6] & 0x0F | 0x40
        bytes[8] = bytes[8] & 0x3F | 0x80
        let digits = Self.hexadecimal(bytes)
        var groups: [Substring] = []
        var rest = digits[...]
        for length in [8, 4, 4, 4, 12] {
            groups.append(rest.prefix(length))
            rest = rest.dropFirst(length)
        }
        return groups.joined(separator: "-")
    }

    private static func hexadecimal(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 0x0F)]] }, as: UTF8.self)
    }
}
