import Testing
import WaypostSchema
import WaypostTestSupport

@testable import Attribution

@Suite struct AttributionDrawingTests {
    private static func elements(
        _ drawing: AttributionDrawing,
        _ appearance: Appearance = Appearance()
    ) throws
        -> [ParsedXML.Element]
    {
        try ParsedXML(drawing.svg(appearance)).elements
    }

    @Test(.proves("B19", "B20")) func namesAndAvatarsAreDrawn() throws {
        let elements = try Self.elements(.of(Array(Person.friends.prefix(2))))
        let texts = elements.filter { $0.name == "text" }.map(\.text)
        #expect(texts == ["SK", "EN", "\u{2068}Enrique\u{2069} and \u{2068}Sarah\u{2069}"])
        #expect(elements.filter { $0.name == "circle" }.count == 2)
    }

    @Test(.proves("B21")) func pinIsDrawnIfTheContentIsPinned() throws {
        let friends = Array(Person.friends.prefix(2))
        let pinned = try Self.elements(.of(friends, isPinned: true))
        #expect(pinned.filter { $0.name == "path" && $0.attributes["fill"] != nil }.count == 1)
        #expect(pinned.first { $0.name == "title" }?.text.contains("Pinned") == true)
        let other = try Self.elements(.of(friends))
        #expect(other.filter { $0.name == "path" && $0.attributes["fill"] != nil }.isEmpty)
    }

    @Test func personWithoutACardIsASilhouette() throws {
        let elements = try Self.elements(.of(Person.unknown))
        #expect(elements.filter { $0.name == "text" }.count == 1)
        #expect(elements.filter { $0.name == "path" && $0.attributes["fill"] == "#FFFFFF" }.count == 2)
    }

    @Test func textHasTheMeasuredWidth() throws {
        let drawing = AttributionDrawing.of(Person.friends)
        let placed = try #require(drawing.layout.text)
        let text = try #require(try Self.elements(drawing).last { $0.name == "text" })
        #expect(text.attributes["textLength"] == "\(placed.frame.width)")
        #expect(text.attributes["lengthAdjust"] == "spacingAndGlyphs")
        #expect(text.attributes["x"] == "\(placed.frame.x)")
        #expect(text.attributes["y"] == "\(placed.baseline)")
    }

    @Test func viewIsClippedAtItsEdges() throws {
        let drawing = AttributionDrawing.of(Person.friends, preferences: AttributionPreferences(height: 22))
        #expect(drawing.layout.outcome == .clipped)
        let elements = try Self.elements(drawing)
        let group = try #require(elements.first { $0.name == "g" })
        #expect(group.attributes["clip-path"]?.hasPrefix("url(#part-") == true)
        let rectangles = elements.filter { $0.name == "rect" }.map(\.attributes)
        #expect(rectangles.contains { $0["y"] == "0" && $0["height"] == "22" })
    }

    @Test(.proves("B86")) func viewThatIsNotDrawnIsAnEmptyPictureOfItsSize() throws {
        let preferences = AttributionPreferences(width: 200, height: 10)
        let drawing = AttributionDrawing.of(Person.friends, preferences: preferences)
        let elements = try Self.elements(drawing, Appearance(backdrop: .colorful))
        #expect(elements.map(\.name) == ["svg", "title"])
        #expect(elements.first?.attributes["viewBox"] == "0 0 200 10")
        #expect(drawing.terminalText.isEmpty)
    }

    @Test(.proves("B93"), arguments: Appearance.Style.allCases)
    func materialBlursTheBackdropUnderItsTint(_ style: Appearance.Style) throws {
        let preferences = AttributionPreferences(backgroundStyle: .material)
        let drawing = AttributionDrawing.of(Person.friends, preferences: preferences)
        let elements = try Self.elements(drawing, Appearance(style: style, backdrop: .colorful))
        #expect(elements.contains { $0.name == "feGaussianBlur" })
        let discs = elements.filter { Palette[style].colorful.discs.contains($0.attributes["fill"] ?? "") }
        #expect(discs.count == Palette[style].colorful.discs.count * 2)
        let withoutBackdrop = try Self.elements(drawing, Appearance(style: style))
        #expect(!withoutBackdrop.contains { $0.name == "feGaussianBlur" })
        #expect(withoutBackdrop.contains { $0.attributes["fill-opacity"] == Palette[style].material.opacity })
    }

    @Test(.proves("B92"), arguments: Appearance.Style.allCases)
    func colorIsAPlainTintAndBlursNothing(_ style: Appearance.Style) throws {
        let preferences = AttributionPreferences(backgroundStyle: .color)
        let drawing = AttributionDrawing.of(Person.friends, preferences: preferences)
        let elements = try Self.elements(drawing, Appearance(style: style, backdrop: .oneColor))
        #expect(!elements.contains { $0.name == "filter" })
        #expect(elements.contains { $0.attributes["fill"] == Palette[style].fill.color })
    }

    @Test(arguments: AttributionLanguage.allCases)
    func pictureHasItsLanguageAndItsLabel(_ language: AttributionLanguage) throws {
        let drawing = AttributionDrawing.of(Person.friends, language, isPinned: true)
        let elements = try Self.elements(drawing)
        #expect(elements.first?.attributes["xml:lang"] == language.rawValue)
        #expect(elements.first?.attributes["role"] == "img")
        #expect(elements.first { $0.name == "title" }?.text == drawing.content.label)
    }
}
