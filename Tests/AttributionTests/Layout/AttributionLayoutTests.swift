import Attribution
import Testing
import WaypostSchema
import WaypostTestSupport

@Suite struct AttributionLayoutTests {
    @Test(.proves("B19", "B20", "B21"))
    func avatarsPinAndNamesAreSideBySide() throws {
        let layout = AttributionContent(["Enrique", "Sarah"], isPinned: true).layout()
        #expect(layout.outcome == .natural)
        #expect(layout.truncationStep == .names)
        #expect(layout.avatars.map(\.person.name) == ["Enrique", "Sarah"])
        #expect(layout.avatars.map(\.frame.x) == [Points(8), Points(26)])
        #expect(layout.avatars.allSatisfy { $0.frame.y == Points(4) })
        #expect(layout.avatars.allSatisfy { $0.frame.width == Points(24) && $0.frame.height == Points(24) })
        let pin = try #require(layout.pin)
        #expect(pin == LayoutRectangle(x: 56, y: 10.75, width: 10.5, height: 10.5))
        let text = try #require(layout.text)
        #expect(text.text == "\u{2068}Enrique\u{2069} and \u{2068}Sarah\u{2069}")
        // The widths are Enrique 3.46, space 0.28, and 1.68, space, Sarah 2.68: 8.38 times 15.
        #expect(text.frame == LayoutRectangle(x: 72.5, y: 6, width: 125.7, height: 20))
        #expect(text.baseline == Points(rawValue: 600 + 250 + 1155))
        #expect(text.size == 15)
        #expect(layout.size == ExactLayoutSize(width: Points(320), height: Points(32)))
        #expect(layout.background == LayoutRectangle(x: 0, y: 0, width: 206.2, height: 32))
    }

    @Test func textFollowsTheAvatarsWithoutAPin() {
        let layout = AttributionContent(["Enrique"]).layout()
        #expect(layout.pin == nil)
        #expect(layout.text?.frame.x == Points(38))
        #expect(layout.background?.width == Points(rawValue: 9_790))
    }

    @Test(arguments: [(1, 1, "P0"), (2, 2, "P0 and P1"), (3, 3, "P0, P1, and 1 other"), (9, 3, "P0, P1, and 7 others")])
    func atMostThreeAvatarsAndTwoNamesAreShown(_ people: Int, _ avatars: Int, _ text: String) {
        let layout = AttributionContent((0..<people).map { "P\($0)" }).layout()
        #expect(layout.avatars.count == avatars)
        #expect(layout.text?.text.unisolated == text)
    }

    @Test(
        .proves("B85"),
        arguments: zip(
            ContentSizeCategory.allCases,
            [26.4, 29.2, 31.6, 32, 34.8, 37.6, 40.4, 48.4, 56.8, 65.6, 74, 87.6]
        )
    )
    func heightDependsOnlyOnTheTextSize(_ category: ContentSizeCategory, _ height: Double) {
        let contents = [
            AttributionContent(["Enrique"]), AttributionContent.sample(in: .japanese),
            AttributionContent([String(repeating: "Enrique", count: 100), "S", "Z", "M"], isPinned: true),
        ]
        for content in contents {
            for width in [nil, 0, 40, 500.0] {
                let layout = content.layout(AttributionPreferences(width: width), at: category)
                #expect(layout.size.height.inPoints == height)
                #expect(layout.naturalSize.height.inPoints == height)
            }
        }
    }

    @Test(
        .proves("B92", "B93"),
        arguments: [
            (
                AttributionPreferences.BackgroundStyle.color, DisplayContext.summary,
                AttributionPreferences.BackgroundStyle.color
            ),
            (.color, .detail, .color), (.material, .summary, .material), (.material, .detail, .material),
            (.default, .summary, .material), (.default, .detail, .color),
        ]
    )
    func backgroundIsTheRequestedOneOrTheDefault(
        _ asked: AttributionPreferences.BackgroundStyle,
        _ context: DisplayContext,
        _ inForce: AttributionPreferences.BackgroundStyle
    ) {
        let preferences = AttributionPreferences(displayContext: context, backgroundStyle: asked)
        #expect(AttributionContent(["Enrique"]).layout(preferences).backgroundStyle == inForce)
    }
}

extension LayoutRectangle {
    /// Creates a rectangle from lengths in points.
    init(x: Double, y: Double, width: Double, height: Double) {
        self.init(
            x: Points(roundingDown: x),
            y: Points(roundingDown: y),
            width: Points(roundingDown: width),
            height: Points(roundingDown: height)
        )
    }
}
