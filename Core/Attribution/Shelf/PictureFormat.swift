/// A picture format that a shelf supports.
enum PictureFormat: String, CaseIterable {
    case png
    case jpeg
    case gif
    case webp

    /// Returns whether a text is a valid `data:` URL of this format.
    ///
    /// Its media type must be that of the format, its base64 must be well-formed (RFC 4648, section 4), and its data
    /// must start like a picture of the format.
    func isFormat(ofDataURL url: String) -> Bool {
        let start = "data:image/\(rawValue);base64,"
        guard url.hasPrefix(start) else { return false }
        let digits = url.utf8.dropFirst(start.utf8.count)
        return Base64.isWellFormed(digits) && begins(Base64.bytes(of: digits.prefix(16)))
    }

    private func begins(_ bytes: [UInt8]) -> Bool {
        switch self {
        case .png: bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
        case .jpeg: bytes.starts(with: [0xFF, 0xD8, 0xFF])
        case .gif: bytes.starts(with: "GIF8".utf8)
        // The four bytes between the two are the length.
        case .webp: bytes.starts(with: "RIFF".utf8) && bytes.dropFirst(8).starts(with: "WEBP".utf8)
        }
    }
}

/// Base64 with padding and without line breaks (RFC 4648, section 4).
private enum Base64 {
    static func isWellFormed(_ digits: Substring.UTF8View) -> Bool {
        let padding = digits.suffix(2).reversed().prefix { $0 == UInt8(ascii: "=") }.count
        return !digits.isEmpty && digits.count.isMultiple(of: 4)
            && digits.dropLast(padding).allSatisfy { value(of: $0) != nil }
    }

    /// Returns the bytes of complete groups of digits; padding adds no bytes.
    static func bytes(of digits: Substring.UTF8View) -> [UInt8] {
        let values = digits.compactMap(value)
        return zip(values, values.dropFirst()).enumerated().compactMap { place, pair in
            switch place % 4 {
            case 0: pair.0 << 2 | pair.1 >> 4
            case 1: pair.0 << 4 | pair.1 >> 2
            case 2: pair.0 << 6 | pair.1
            default: nil
            }
        }
    }

    private static func value(of digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): digit - UInt8(ascii: "A")
        case UInt8(ascii: "a")...UInt8(ascii: "z"): digit - UInt8(ascii: "a") + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0") + 52
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }
}
