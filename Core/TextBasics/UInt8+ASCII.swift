extension UInt8 {
    /// Whether the byte is a digit in ASCII.
    @inlinable package var isASCIIDigit: Bool {
        self &- UInt8(ascii: "0") < 10
    }

    /// Whether the byte is a letter in ASCII.
    @inlinable package var isASCIILetter: Bool {
        (self | 0x20) &- UInt8(ascii: "a") < 26
    }

    /// Whether the byte is a letter or a digit in ASCII.
    @inlinable package var isASCIIAlphanumeric: Bool {
        isASCIILetter || isASCIIDigit
    }

    /// Whether the byte is a hexadecimal digit in ASCII, of either case.
    @inlinable package var isHexadecimalDigit: Bool {
        hexadecimalValue != nil
    }

    /// The value of the byte as a hexadecimal digit; `nil` if it is not one.
    @inlinable package var hexadecimalValue: UInt8? {
        if isASCIIDigit { return self - UInt8(ascii: "0") }
        let letter = (self | 0x20) &- UInt8(ascii: "a")
        return letter < 6 ? letter + 10 : nil
    }

    /// The lower case of an ASCII letter; any other byte is unchanged.
    @inlinable package var lowercasedASCII: UInt8 {
        self &- UInt8(ascii: "A") < 26 ? self | 0x20 : self
    }

    /// The upper case of an ASCII letter; any other byte is unchanged.
    @inlinable package var uppercasedASCII: UInt8 {
        self &- UInt8(ascii: "a") < 26 ? self & 0xDF : self
    }
}

extension StringProtocol {
    /// Returns whether some text in ASCII appears in this one, in any case.
    ///
    /// It compares bytes, so it costs much less than `contains` for every request.
    ///
    /// - Complexity: O(n · m), for strings of n and m bytes.
    package func containsASCII(_ text: String) -> Bool {
        let sought = text.utf8
        var rest = Substring(self).utf8
        while rest.count >= sought.count {
            if rest.starts(with: sought, by: { $0.lowercasedASCII == $1.lowercasedASCII }) { return true }
            rest.removeFirst()
        }
        return false
    }
}
