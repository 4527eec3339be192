/// The text of a message as bytes, with access to its characters.
struct LinkText {
    let bytes: [UInt8]

    init(_ text: String) {
        bytes = Array(text.utf8)
    }

    /// Returns the byte at `index`; at the end of the text 0, which no link contains.
    func byte(at index: Int) -> UInt8 {
        index < bytes.count ? bytes[index] : 0
    }

    /// Returns the non-ASCII character that starts at `index`, and its end.
    func character(at index: Int) -> (scalar: Unicode.Scalar, end: Int) {
        // The bytes come from a string, so every sequence is complete.
        let length = bytes[index] < 0xE0 ? 2 : bytes[index] < 0xF0 ? 3 : 4
        let end = min(index + length, bytes.count)
        var value = UInt32(bytes[index]) & (0x7F >> UInt32(length))
        for byte in bytes[(index + 1)..<end] {
            value = value << 6 | UInt32(byte & 0x3F)
        }
        return (Unicode.Scalar(value) ?? "\u{FFFD}", end)
    }

    /// Returns the non-ASCII character that ends before `index`.
    func character(before index: Int) -> Unicode.Scalar {
        var start = index - 1
        while start > 0, bytes[start] & 0xC0 == 0x80 { start -= 1 }
        return character(at: start).scalar
    }

    /// Returns a part of the text.
    func string(_ range: Range<Int>) -> String {
        String(decoding: bytes[range], as: UTF8.self)
    }

    /// Returns the number of UTF-16 code units in a part of the text.
    func utf16Count(of range: Range<Int>) -> Int {
        // A character of four bytes has two units, and each other character has one.
        bytes[range].reduce(0) { $0 + ($1 & 0xC0 == 0x80 ? 0 : $1 < 0xF0 ? 1 : 2) }
    }
}
