// For base64.
internal import FoundationEssentials

/// A format of pictures that a shelf shows.
enum PictureFormat: String, CaseIterable {
    case png
    case jpeg
    case gif
    case webp

    /// Whether a text is a `data:` URL of this format: it says so, its base64 is as RFC 4648, section 4 has it, and what
    /// it holds begins as pictures of the format do.
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
        // Four bytes between the two say how long it is.
        case .webp: bytes.starts(with: "RIFF".utf8) && bytes.dropFirst(8).starts(with: "WEBP".utf8)
        }
    }
}
