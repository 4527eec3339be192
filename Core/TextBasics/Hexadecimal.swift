/// Bytes and numbers as hexadecimal digits.
package enum Hexadecimal {
    /// Returns bytes as text, two lowercase digits per byte.
    package static func string(_ bytes: some Collection<UInt8>) -> String {
        String(unsafeUninitializedCapacity: 2 * bytes.count) { buffer in
            var position = 0
            for byte in bytes {
                (buffer[position], buffer[position + 1]) = digits(of: byte)
                position += 2
            }
            return position
        }
    }

    /// Returns a number as text, with as many lowercase digits as its type has.
    package static func string(_ number: some FixedWidthInteger & UnsignedInteger) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: number.bitWidth / 4 - digits.count) + digits
    }

    /// Returns the two lowercase digits of a byte, in ASCII.
    package static func digits(of byte: UInt8) -> (UInt8, UInt8) {
        (digit(byte >> 4, letterA: UInt8(ascii: "a")), digit(byte & 0x0F, letterA: UInt8(ascii: "a")))
    }

    /// Returns the two uppercase digits of a byte, in ASCII.
    package static func uppercaseDigits(of byte: UInt8) -> (UInt8, UInt8) {
        (digit(byte >> 4, letterA: UInt8(ascii: "A")), digit(byte & 0x0F, letterA: UInt8(ascii: "A")))
    }

    private static func digit(_ value: UInt8, letterA: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : letterA + value - 10
    }
}
