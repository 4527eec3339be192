/// A set of ASCII characters.
package struct ASCIISet: Sendable {
    private var bits: (low: UInt64, high: UInt64) = (0, 0)

    /// Creates a set of these characters.
    package init(_ characters: some Sequence<UInt8>) {
        for byte in characters {
            if byte < 64 { bits.low |= 1 << UInt64(byte) } else { bits.high |= 1 << UInt64(byte - 64) }
        }
    }

    /// Returns whether a byte is a character of the set.
    package func contains(_ byte: UInt8) -> Bool {
        switch byte {
        case 0..<64: bits.low >> UInt64(byte) & 1 == 1
        case 64..<128: bits.high >> UInt64(byte - 64) & 1 == 1
        default: false
        }
    }
}
