import Attribution
import Foundation
import Testing
import WaypostSchema

/// The recognition of photographs by their signature and the size in their header.
@Suite struct ContactPhotoTests {
    @Test(arguments: [(1, 1), (96, 64), (4_032, 3_024), (16_384, 16_384)])
    func pngIsRecognized(_ width: Int, _ height: Int) throws {
        let photo = try ContactPhoto(base64: PhotoFile.png(width, height).base64)
        #expect(photo.format == .png)
        #expect((photo.width, photo.height) == (width, height))
        #expect(photo.description == "PNG, \(width) × \(height)")
    }

    @Test(arguments: [0, 1, 3]) func jpegIsRecognizedAfterOtherSegments(_ segments: Int) throws {
        let photo = try ContactPhoto(base64: PhotoFile.jpeg(640, 480, segments: segments).base64)
        #expect(photo.format == .jpeg)
        #expect((photo.width, photo.height) == (640, 480))
    }

    @Test func photoOfTheMaximumSizeIsAccepted() throws {
        var file = PhotoFile.png(8, 8)
        file.bytes += [UInt8](repeating: 0, count: Contact.maximumPhotoSize - file.bytes.count)
        #expect(try ContactPhoto(base64: file.base64).size == Contact.maximumPhotoSize)
        file.bytes.append(0)
        let error = #expect(throws: ContactPhotoError.self) { try ContactPhoto(base64: file.base64) }
        #expect(error == .tooLarge(size: Contact.maximumPhotoSize + 1))
    }

    @Test(
        arguments: [
            (PhotoFile(bytes: Array("GIF89a".utf8)), ContactPhotoError.unknownFormat),
            (PhotoFile(bytes: Array("<svg onload='x'/>".utf8)), .unknownFormat), (PhotoFile(bytes: []), .unknownFormat),
            (.png(0, 8), .noSize(.png)), (.png(8, 0), .noSize(.png)),
            (PhotoFile(bytes: Array(PhotoFile.png(8, 8).bytes.prefix(20))), .noSize(.png)),
            (.jpeg(0, 8), .noSize(.jpeg)), (PhotoFile(bytes: [0xFF, 0xD8, 0xFF]), .noSize(.jpeg)),
            (.png(16_385, 8), .tooManyPixels(width: 16_385, height: 8)),
            (.jpeg(8, 16_385), .tooManyPixels(width: 8, height: 16_385)),
            // The data of the picture begins before its size.
            (PhotoFile(bytes: [0xFF, 0xD8, 0xFF, 0xDA, 0, 4, 0, 0, 0, 0, 0, 0]), .noSize(.jpeg)),
        ] as [(PhotoFile, ContactPhotoError)]
    )
    func otherFilesAreRefused(_ file: PhotoFile, _ reason: ContactPhotoError) {
        let error = #expect(throws: ContactPhotoError.self) { try ContactPhoto(base64: file.base64) }
        #expect(error == reason)
        #expect("\(reason)".contains("photo"))
    }

    @Test(
        arguments: [
            "enrique.png", "https://clown.example/a.png", "iVBORw0KGgo", "\" onload=\"x", "data:image/png;base64,",
        ]
    )
    func stringThatIsNotBase64IsRefused(_ string: String) {
        let error = #expect(throws: ContactPhotoError.self) { try ContactPhoto(base64: string) }
        #expect(error == .notBase64)
    }
}

/// A file of a photograph with nothing but its header.
struct PhotoFile: Sendable, CustomTestStringConvertible {
    var bytes: [UInt8]

    var base64: String { Data(bytes).base64EncodedString() }

    var testDescription: String { "\(bytes.count) bytes" }

    static func png(_ width: Int, _ height: Int) -> PhotoFile {
        let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        let size = [width, height].flatMap { number in
            [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
        }
        return PhotoFile(bytes: signature + [0, 0, 0, 13] + Array("IHDR".utf8) + size + [8, 2, 0, 0, 0, 0, 0, 0, 0])
    }

    static func jpeg(_ width: Int, _ height: Int, segments: Int = 1) -> PhotoFile {
        let other: [UInt8] = [0xFF, 0xE1, 0, 6, 0x45, 0x78, 0x69, 0x66]
        let size = [height, width].flatMap { number in [8, 0].map { UInt8(truncatingIfNeeded: number >> $0) } }
        let others = (0..<segments).flatMap { _ in other }
        return PhotoFile(bytes: [0xFF, 0xD8] + others + [0xFF, 0xFF, 0xC2, 0, 11, 8] + size + [1, 1, 0x11, 0])
    }
}
