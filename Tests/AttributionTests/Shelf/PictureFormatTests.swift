import Testing
import WaypostSchema

@testable import Attribution

@Suite struct PictureFormatTests {
    /// A picture of one pixel in each format, which browsers can display.
    private static let pixels: [PictureFormat: String] = [
        .png: String(Samples.pixel.dropFirst("data:image/png;base64,".count)),
        .jpeg:
            "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAFA3PEY8MlBGQUZaVVBfeMiCeG5uePWvuZHI////////////////////////////"
            + "////////////////////////2wBDAVVaWnhpeOuCguv/////////////////////////////////////////////////////"
            + "////////////////////wAARCAABAAEDASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAP/xAAUEAEAAAAAAAAAAAAA"
            + "AAAAAAAA/8QAFQEBAQAAAAAAAAAAAAAAAAAAAwT/xAAUEQEAAAAAAAAAAAAAAAAAAAAA/9oADAMBAAIRAxEAPwCgCYz/2Q==",
        .gif: "R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7",
        .webp:
            "UklGRjIAAABXRUJQVlA4ICYAAACQAQCdASoBAAEAB0CWJaACdLoAA5gA/ttR/9imvHOLfxPF28MAAA==",
    ]

    private static func shows(_ picture: String) -> Bool {
        let attribution = AttributionContent(.shared(by: Person.friends), in: .english)
        let preview = LinkPreview(url: "https://a.example/1", title: "One", thumbnail: picture)
        return ShelfCard(url: preview.url, preview: preview, attribution: attribution).thumbnail == .picture(picture)
    }

    @Test(arguments: PictureFormat.allCases, PictureFormat.allCases)
    func pictureIsShownIfItHasTheDeclaredFormat(_ declared: PictureFormat, _ format: PictureFormat) throws {
        let pixel = try #require(Self.pixels[format])
        #expect(Self.shows("data:image/\(declared.rawValue);base64,\(pixel)") == (declared == format))
    }

    /// The first bytes of each format.
    private static let beginnings: [(format: PictureFormat, digits: String)] = [
        (.png, "iVBORw0KGgo="), (.jpeg, "/9j/"), (.gif, "R0lGOA=="), (.webp, "UklGRgAAAABXRUJQ"),
    ]

    @Test(arguments: beginnings) func everyByteOfTheSignatureIsChecked(_ format: PictureFormat, _ digits: String) {
        let start = "data:image/\(format.rawValue);base64,"
        #expect(Self.shows(start + digits))
        #expect(!Self.shows(start + digits.dropLast(4)))
        for place in 0..<digits.count {
            var others = Array(digits)
            guard let digit = Self.alphabet.firstIndex(of: others[place]) else { continue }
            others[place] = Self.alphabet[63 - digit]
            let isLength = format == .webp && (6..<10).contains(place)
            #expect(Self.shows(start + String(others)) == isLength, "\(place)")
        }
    }

    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")

    @Test(arguments: PictureFormat.allCases) func otherBytesAreNotAPicture(_ format: PictureFormat) {
        for digits in ["AAAA", "QUJD", "QUI=", "QQ==", "+/+/", "PHN2Zz48L3N2Zz4="] {
            #expect(!Self.shows("data:image/\(format.rawValue);base64,\(digits)"))
        }
    }

    private static let png = "data:image/png;base64,iVBORw0KGgoAAAAN"

    @Test func signatureOfAPictureIsEnough() {
        #expect(Self.shows(Self.png))
        #expect(Self.shows(Self.png + "QQ=="))
        #expect(Self.shows(Self.png + "QUI="))
    }

    @Test(arguments: [
        "", "https://a.example/1.png", "//a.example/1.png", "javascript:alert(1)",
        png.replacing("png;", with: "svg+xml;"),
        png.replacing("image/png", with: "text/html"), png.replacing(";base64", with: ""),
        png.replacing(";base64", with: ";charset=x;base64"), " " + png, png.uppercased(), "data:image/png;base64,",
        "data:image/png;base64,=", "data:image/png;base64,====", png + "\n", png + "QUJ", png + "QU JD", png + "Q===",
        png + "QU=D", png + "QUJD\"", png + "QÜJD", png + "QUJ-", png + "QQ==QQ==",
    ])
    func anythingElseIsAPlaceholder(_ picture: String) {
        #expect(!Self.shows(picture))
    }
}
