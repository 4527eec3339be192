/// The container format of a deflate stream (RFC 1951).
public enum DeflateFormat: String, Sendable, CaseIterable {
    /// gzip (RFC 1952): one or more members, each with a CRC-32 and its length.
    case gzip

    /// zlib (RFC 1950): one stream with an Adler-32. HTTP calls this coding `deflate` (RFC 9110, 8.4.1.2).
    case zlib

    /// The bare deflate stream, without header and checksum.
    case raw

    /// Returns the format of a body with the HTTP content coding `deflate`, judging by its first two bytes.
    ///
    /// RFC 9110 means zlib, but some clients have always sent raw deflate. A zlib header names method 8 with a window
    /// of at most 32 KiB and is a multiple of 31 (RFC 1950, 2.2). Raw streams rarely start like that, and zlib never
    /// writes one that does.
    public static func detect(firstByte first: UInt8, secondByte second: UInt8) -> Self {
        let hasDeflateMethod = first & 0x0F == 8 && first >> 4 <= 7
        let hasHeaderChecksum = (Int(first) << 8 | Int(second)).isMultiple(of: 31)
        return hasDeflateMethod && hasHeaderChecksum ? .zlib : .raw
    }

    /// The `windowBits` argument of zlib for this format with the largest window.
    var windowBits: Int32 {
        windowBits(15)
    }

    /// Returns zlib's `windowBits` argument for this format and a window of `bits`: negative for raw, plus 16 for gzip.
    func windowBits(_ bits: Int32) -> Int32 {
        switch self {
        case .gzip: bits + 16
        case .zlib: bits
        case .raw: -bits
        }
    }
}
