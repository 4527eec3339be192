// For base64.
internal import FoundationEssentials

/// A picture format that a shelf supports.
enum PictureFormat: String, CaseIterable {
    case png
    case jpeg
    case gif
    case webp

    /// Returns whether a string is a valid `data:` URL of this format.
    ///
    /// Its media type must be that of the format, its base64 must be well-formed (RFC 4648, section 4), and its data
    /// must start like a picture of the format.
    func matches(dataURL url: String) -> Bool {
        let prefix = "data:image/\(rawValue);base64,"
        guard url.hasPrefix(prefix) else { return false }
        return Self.bytes(ofBase64: String(url.dropFirst(prefix.count))).map(hasSignature) ?? false
    }

    /// Returns the bytes of base64 (RFC 4648, section 4); `nil` if a string is not well-formed.
    static func bytes(ofBase64 base64: String) -> [UInt8]? {
        // The decoder ignores bits and padding that do not belong there, so encode the bytes again and compare.
        guard let data = Data(base64Encoded: base64), data.base64EncodedString() == base64 else { return nil }
        return [UInt8](data)
    }

    /// Returns whether a file begins with the signature of the format.
    func hasSignature(_ bytes: [UInt8]) -> Bool {
        switch self {
        case .png: bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
        case .jpeg: bytes.starts(with: [0xFF, 0xD8, 0xFF])
        case .gif: bytes.starts(with: "GIF8".utf8)
        // The four bytes between the two are the length.
        case .webp: bytes.starts(with: "RIFF".utf8) && bytes.dropFirst(8).starts(with: "WEBP".utf8)
        }
    }
}
