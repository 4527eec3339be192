internal import Deflate

/// The content coding of batches.
package struct BatchCoding: Sendable, Equatable {
    /// The value of the header `Content-Encoding`, or `nil` for none.
    package var name: String?

    private var format: DeflateFormat?
    private var level: Int

    /// gzip at the level that costs least.
    package static let gzip = Self(name: "gzip", format: .gzip, level: 1)

    private init(name: String?, format: DeflateFormat?, level: Int) {
        (self.name, self.format, self.level) = (name, format, level)
    }

    /// Creates a coding, or returns `nil` if it is unknown.
    ///
    /// - Parameters:
    ///   - name: `gzip`, `deflate` or `none`.
    ///   - level: the level of the compression, 0 to 9.
    package init?(_ name: String, level: Int) {
        switch name {
        case "gzip": self.init(name: name, format: .gzip, level: level)
        case "deflate": self.init(name: name, format: .zlib, level: level)
        case "none": self.init(name: nil, format: nil, level: level)
        default: return nil
        }
    }

    func encode(_ bytes: [UInt8]) -> [UInt8] {
        guard let format else { return bytes }
        return Deflater.deflate(bytes, as: format, level: Deflater.Level(level))
    }
}
