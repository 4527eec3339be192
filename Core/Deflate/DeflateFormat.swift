/// The wrapping around a deflate stream (RFC 1951).
public enum DeflateFormat: String, Sendable, CaseIterable {
    /// gzip (RFC 1952): one or more members, each with a CRC-32 and its length.
    case gzip

    /// zlib (RFC 1950): one stream with an Adler-32. HTTP calls this coding `deflate` (RFC 9110, 8.4.1.2).
    case zlib

    /// The bare deflate stream: no header, no checksum.
    case raw

    /// The format of a body whose HTTP content coding is `deflate`, judged by its first two bytes.
    ///
    /// RFC 9110 means zlib, but some clients have always sent raw deflate. A zlib header names method 8 with a window
    /// of at most 32 KiB and is a multiple of 31 (RFC 1950, 2.2); a raw stream that starts so is rare, and none that
    /// zlib writes.
    public static func ofDeflateCoding(startingWith first: UInt8, _ second: UInt8) -> Self {
        let isMethodDeflate = first & 0x0F == 8 && first >> 4 <= 7
        let isHeaderChecked = (Int(first) << 8 | Int(second)).isMultiple(of: 31)
        return isMethodDeflate && isHeaderChecked ? .zlib : .raw
    }

    /// zlib's `windowBits` for this format with the largest window.
    var windowBits: Int32 {
        windowBits(15)
    }

    /// zlib's `windowBits` for this format with a window of `bits`: negative is raw, 16 more is gzip.
    func windowBits(_ bits: Int32) -> Int32 {
        switch self {
        case .gzip: bits + 16
        case .zlib: bits
        case .raw: -bits
        }
    }
}
