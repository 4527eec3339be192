/// The header of a picture file.
struct PictureHeader {
    private let bytes: [UInt8]

    /// Creates the header of a file.
    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Returns whether the file begins with the signature of a format.
    func has(_ format: ContactPhoto.Format) -> Bool {
        switch format {
        case .png: PictureFormat.png.hasSignature(bytes)
        case .jpeg: PictureFormat.jpeg.hasSignature(bytes)
        }
    }

    /// Returns the width and the height in pixels; `nil` if the header does not have them, or one is 0.
    func pixels(_ format: ContactPhoto.Format) -> (width: Int, height: Int)? {
        let pixels =
            switch format {
            case .png: sizeInPNG
            case .jpeg: sizeInJPEG
            }
        guard let pixels, pixels.width > 0, pixels.height > 0 else { return nil }
        return pixels
    }

    /// The size in the chunk `IHDR`, which comes first (PNG, section 11.2.1).
    private var sizeInPNG: (width: Int, height: Int)? {
        guard bytes.count >= 33, bytes[12..<16].elementsEqual("IHDR".utf8) else { return nil }
        return (number(at: 16, count: 4), number(at: 20, count: 4))
    }

    /// The size in the frame header, after any number of other segments (ITU-T T.81, section B.2.2).
    private var sizeInJPEG: (width: Int, height: Int)? {
        var offset = 2
        while offset + 9 <= bytes.count, bytes[offset] == 0xFF {
            switch bytes[offset + 1] {
            // A marker may have any number of fill bytes before it.
            case 0xFF: offset += 1
            // These markers have no segment.
            case 0x01, 0xD0...0xD8: offset += 2
            // The data of the picture begins before the header was found.
            case 0xD9, 0xDA: return nil
            // Of the markers in this range, three are not of a frame: tables, an extension, and arithmetic coding.
            case 0xC0...0xCF where ![0xC4, 0xC8, 0xCC].contains(bytes[offset + 1]):
                return (number(at: offset + 7, count: 2), number(at: offset + 5, count: 2))
            default: offset += 2 + max(number(at: offset + 2, count: 2), 2)
            }
        }
        return nil
    }

    /// Returns a number of several bytes, the most significant first.
    private func number(at offset: Int, count: Int) -> Int {
        bytes[offset..<offset + count].reduce(0) { $0 << 8 | Int($1) }
    }
}
