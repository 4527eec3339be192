/// UUIDs in their canonical form (RFC 9562, 4), without Foundation.
package enum UUIDString {
    /// Returns the UUID of a version made from 16 `bytes`; the version and the variant replace some of the bits.
    package static func make(_ bytes: consuming [UInt8], version: UInt8) -> String {
        bytes[6] = bytes[6] & 0x0F | version << 4
        bytes[8] = bytes[8] & 0x3F | 0x80
        return String(unsafeUninitializedCapacity: 36) { buffer in
            var position = 0
            for (index, byte) in bytes.enumerated() {
                // The groups have 8, 4, 4, 4 and 12 digits.
                if index == 4 || index == 6 || index == 8 || index == 10 {
                    buffer[position] = UInt8(ascii: "-")
                    position += 1
                }
                (buffer[position], buffer[position + 1]) = Hexadecimal.digits(of: byte)
                position += 2
            }
            return position
        }
    }
}

extension String {
    /// Whether the string is a UUID in the form 8-4-4-4-12.
    ///
    /// Letters may be in either case: clients send both, and expect theirs back unchanged.
    package var isCanonicalUUID: Bool {
        let groups = utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        return groups.map(\.count) == [8, 4, 4, 4, 12] && groups.allSatisfy { $0.allSatisfy(\.isHexadecimalDigit) }
    }
}
