internal import WaypostSchema

/// A photograph of a contact, which pictures contain as it is; nothing decodes its pixels.
public struct ContactPhoto: Sendable, Hashable {
    /// The format of a photograph.
    public enum Format: String, Sendable, CaseIterable {
        case png
        case jpeg
    }

    /// The format, which the first bytes show.
    public let format: Format

    /// The width in pixels, from the header.
    public let width: Int

    /// The height in pixels, from the header.
    public let height: Int

    /// The size of the file, in bytes.
    public let size: Int

    /// The maximum width and height in pixels, because a small file may need much memory to be shown.
    public static let maximumPixels = 16_384

    private let base64: String

    /// Recognizes a photograph by its signature and by the size in its header.
    ///
    /// - Parameter base64: the file as base64 (RFC 4648, section 4), with its padding.
    /// - Throws: `ContactPhotoError` that says what is accepted.
    public init(base64: String) throws(ContactPhotoError) {
        guard base64.utf8.count <= (Contact.maximumPhotoSize + 2) / 3 * 4 else {
            throw .tooLarge(size: base64.utf8.count / 4 * 3)
        }
        guard let bytes = PictureFormat.bytes(ofBase64: base64) else { throw .notBase64 }
        guard bytes.count <= Contact.maximumPhotoSize else { throw .tooLarge(size: bytes.count) }
        let header = PictureHeader(bytes)
        guard let format = Format.allCases.first(where: { header.has($0) }) else { throw .unknownFormat }
        guard let pixels = header.pixels(format) else { throw .noSize(format) }
        guard max(pixels.width, pixels.height) <= Self.maximumPixels else {
            throw .tooManyPixels(width: pixels.width, height: pixels.height)
        }
        (self.format, self.base64, size) = (format, base64, bytes.count)
        (width, height) = pixels
    }

    /// The photograph as a `data:` URL.
    var dataURL: String {
        "data:image/\(format.rawValue);base64,\(base64)"
    }
}

extension ContactPhoto: CustomStringConvertible {
    /// A description of the photograph, such as `PNG, 96 × 96`.
    public var description: String {
        "\(format.rawValue.uppercased()), \(width) × \(height)"
    }
}

/// The reason why a photograph of a contact is refused.
public enum ContactPhotoError: Error, Sendable, Equatable {
    /// The string is not base64.
    case notBase64

    /// The file has more than `Contact.maximumPhotoSize` bytes.
    case tooLarge(size: Int)

    /// The file does not begin like a PNG or a JPEG.
    case unknownFormat

    /// The header has no width and height.
    case noSize(ContactPhoto.Format)

    /// A side has more than `ContactPhoto.maximumPixels` pixels.
    case tooManyPixels(width: Int, height: Int)
}

extension ContactPhotoError: CustomStringConvertible {
    /// A description of the error, with what is accepted.
    public var description: String {
        switch self {
        case .notBase64:
            "the photo is not base64 of a PNG or JPEG; the name of a file, which ends in .png, .jpg or .jpeg, is "
                + "accepted in device files and scenarios only"
        case .tooLarge(let size):
            "the photo has \(size) bytes; at most \(Contact.maximumPhotoSize) are accepted, so use a smaller picture"
        case .unknownFormat: "the photo is neither a PNG nor a JPEG: its first bytes are of neither"
        case .noSize(let format):
            "the header of the \(format.rawValue.uppercased()) has no width and height above 0, so the photo is damaged"
        case .tooManyPixels(let width, let height):
            "the photo has \(width) × \(height) pixels; at most \(ContactPhoto.maximumPixels) per side are accepted, "
                + "so use a smaller picture"
        }
    }
}
