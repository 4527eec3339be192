extension UInt8 {
    var isASCIIDigit: Bool {
        self &- UInt8(ascii: "0") < 10
    }

    var isASCIILetter: Bool {
        (self | 0x20) &- UInt8(ascii: "a") < 26
    }

    var isHexadecimalDigit: Bool {
        hexadecimalValue != nil
    }

    /// The value of the byte as a hexadecimal digit; `nil` if it is not one.
    var hexadecimalValue: UInt8? {
        if isASCIIDigit { return self - UInt8(ascii: "0") }
        let letter = (self | 0x20) &- UInt8(ascii: "a")
        return letter < 6 ? letter + 10 : nil
    }

    /// The byte as two hexadecimal digits.
    var upperHexadecimalDigits: (UInt8, UInt8) {
        (Self.digit(self >> 4), Self.digit(self & 0x0F))
    }

    /// The lower case of an ASCII letter; any other byte unchanged.
    var lowercasedASCII: UInt8 {
        self &- UInt8(ascii: "A") < 26 ? self | 0x20 : self
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
    }
}

/// A set of ASCII characters.
struct ASCIISet: Sendable {
    private var bits: (low: UInt64, high: UInt64) = (0, 0)

    init(_ characters: some Sequence<UInt8>) {
        for byte in characters {
            if byte < 64 { bits.low |= 1 << UInt64(byte) } else { bits.high |= 1 << UInt64(byte - 64) }
        }
    }

    func contains(_ byte: UInt8) -> Bool {
        switch byte {
        case 0..<64: bits.low >> UInt64(byte) & 1 == 1
        case 64..<128: bits.high >> UInt64(byte - 64) & 1 == 1
        default: false
        }
    }
}
