import Testing
import WaypostSchema

@testable import Attribution

/// The position of letters within the visible part of their avatar, in hundredths of a point.
@Suite struct AvatarGeometryTests {
    private static let letters = ["W", "WW", "EN", "한", "남궁", "王伟", "👩‍👩‍👧", "س", "ﷺ", "@@"]

    private static func avatars(_ letters: String) -> [PlacedAvatar] {
        [0, 1].map { index in
            let frame = LayoutRectangle(x: Points(18 * index), y: Points(4), width: Points(24), height: Points(24))
            let person = ShownPerson(name: "A", monogram: .letters(letters), color: AvatarColor(index: index))
            return PlacedAvatar(frame: frame, person: person)
        }
    }

    @Test(arguments: letters) func lettersStayInTheirCircleAndClearOfTheNextCircle(_ letters: String) throws {
        var definitions = SVGDefinitions()
        var output = ""
        let avatars = Self.avatars(letters)
        let elements = AvatarDrawing(avatars: avatars, style: .light).elements(&definitions)
        SVGElement(.g, [:], children: elements).write(to: &output)
        // The first avatar is drawn last.
        let texts = try ParsedXML(output).elements.filter { $0.name == "text" }.map(\.attributes).reversed()
        #expect(texts.count == 2)
        for (avatar, text) in zip(avatars, texts) {
            let number = { (name: String) in try #require(text[name].flatMap(Double.init)) }
            let (middle, width, size) = (try number("x"), try number("textLength"), try number("font-size"))
            let center = avatar.frame.midX.inPoints
            for edge in [middle - width / 2, middle + width / 2] {
                let reach = (edge - center) * (edge - center) + 0.36 * 0.36 * size * size
                #expect(reach <= 12 * 12)
            }
            if avatar == avatars[1] {
                let gap = middle - width / 2 - avatars[0].frame.maxX.inPoints
                #expect(gap >= 1.5)
            }
        }
    }

    @Test func firstAvatarIsInFrontAndTheNextIsCutAroundIt() {
        var definitions = SVGDefinitions()
        let elements = AvatarDrawing(avatars: Self.avatars("A"), style: .light).elements(&definitions)
        var last = ""
        elements.last?.write(to: &last)
        #expect(last.contains("cx=\"12\"") && !last.contains("clip-path"))
        var first = ""
        elements.first?.write(to: &first)
        #expect(first.contains("cx=\"30\"") && first.contains("clip-path"))
        var cut = ""
        definitions.element?.write(to: &cut)
        #expect(cut.contains("clip-rule=\"evenodd\"") && cut.contains("A13.5 13.5"))
    }
}
