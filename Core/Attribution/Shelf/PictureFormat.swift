// For base64.
internal import FoundationEssentials

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
        let text = String(url.dropFirst(start.count))
        // The decoder ignores bits and padding that do not belong there; the text must be exactly what encodes the bytes.
        guard let bytes = Data(base64Encoded: text), bytes.base64EncodedString() == text else { return false }
        return begins(bytes)
    }

    private func begins(_ bytes: Data) -> Bool {
        switch self {
        case .png: bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
        case .jpeg: bytes.starts(with: [0xFF, 0xD8, 0xFF])
        case .gif: bytes.starts(with: "GIF8".utf8)
        // The four bytes between the two are the length.
        case .webp: bytes.starts(with: "RIFF".utf8) && bytes.dropFirst(8).starts(with: "WEBP".utf8)
        }
    }
}
