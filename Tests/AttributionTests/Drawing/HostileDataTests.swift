import Testing
import WaypostSchema
import WaypostTestSupport

@testable import Attribution

@Suite struct HostileDataTests {
    private static let elements: Set = [
        "circle", "clipPath", "defs", "feGaussianBlur", "filter", "g", "image", "linearGradient", "path", "rect",
        "stop", "svg", "symbol", "text", "title", "use",
    ]

    /// Draws the data of `seed` in every kind of picture, and returns the contents for comparison.
    private static func drawings(_ seed: UInt64) -> (content: AttributionContent, pictures: [Picture]) {
        var generator = SeededGenerator(seed: seed)
        let language = AttributionLanguage.allCases.randomElement(using: &generator) ?? .english
        let link = HostileText.link(&generator)
        let content = AttributionContent(link, in: language)
        let preferences = AttributionPreferences(
            preferredMaxLayoutWidth: Double(Int.random(in: 0...400, using: &generator)),
            menuTitleForHideAction: HostileText.any(&generator),
            supplementalMenu: [MenuItem(id: "a", title: HostileText.any(&generator))]
        )
        let layout = AttributionLayout(content, preferences, preferredContentSizeCategory: .large)
        let preview = LinkPreview(
            url: HostileText.any(&generator),
            title: HostileText.any(&generator),
            subtitle: HostileText.any(&generator),
            thumbnail: HostileText.any(&generator)
        )
        let card = ShelfCard(url: preview.url, preview: preview, attribution: content)
        let shelf = ShelfContent([card], ShowMore(items: 3, after: 1), in: language)
        let choice = content.disambiguation(app: "example.app", scene: nil, url: link.url)
        let menus = [
            MenuCard(AttributionMenu(preferences: preferences, in: language)), MenuCard(choice, in: language),
            MenuCard(offerFor: HostileText.any(&generator), in: language),
        ]
        let pictures =
            [
                Picture(
                    "view",
                    AttributionDrawing(content: content, layout: layout),
                    Appearance(backdrop: .colorful)
                ), Picture("shelf", ShelfDrawing(shelf)),
            ] + menus.map { Picture("menu", MenuCardDrawing($0, in: language)) }
        return (content, pictures)
    }

    @Test(.proves("B19"), arguments: Trials.seeds(60))
    func picturesAreWellFormedAndContainOnlyShapesAndText(_ seed: UInt64) throws {
        let (content, pictures) = Self.drawings(seed)
        for picture in pictures {
            let parsed = try ParsedXML(picture.svg)
            #expect(Set(parsed.elements.map(\.name)).isSubset(of: Self.elements))
            for element in parsed.elements {
                let attributes = element.attributes
                #expect(attributes.keys.allSatisfy { SVGAttribute(rawValue: $0) != nil })
                let references = attributes.filter { ["clip-path", "fill", "filter", "href"].contains($0.key) }.values
                #expect(
                    references.allSatisfy { !$0.contains(":") && (!$0.contains("url") || $0.hasPrefix("url(#part-")) }
                )
            }
        }
        let label = try #require(pictures.first.map { try ParsedXML($0.svg).text(of: "title") } ?? nil)
        #expect(content.people.allSatisfy { label.contains($0.name) })
    }

    @Test(arguments: Trials.seeds(60)) func terminalTextContainsNoControlCharacters(_ seed: UInt64) {
        for picture in Self.drawings(seed).pictures {
            let scalars = picture.terminalText.unicodeScalars.filter { $0 != "\n" }
            let bad = scalars.filter {
                [.control, .lineSeparator, .paragraphSeparator].contains($0.properties.generalCategory)
            }
            #expect(bad.isEmpty)
        }
    }

    @Test(arguments: Trials.seeds(20)) func sameLinkGivesTheSamePictures(_ seed: UInt64) {
        #expect(Self.drawings(seed).pictures.map(\.svg) == Self.drawings(seed).pictures.map(\.svg))
    }
}
