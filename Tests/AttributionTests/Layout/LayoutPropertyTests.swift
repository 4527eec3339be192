import Attribution
import Testing
import WaypostSchema
import WaypostTestSupport

/// Invariants of every layout, for random contents and preferences.
@Suite struct LayoutPropertyTests {
    static let seeds = Trials.seeds(120, from: 1)

    @Test(.proves("B82"), arguments: seeds) func contentsAreNeverWiderThanTheirBound(_ seed: UInt64) {
        var draw = LayoutDraw(seed: seed)
        let (content, preferences, category) = (draw.content(), draw.preferences(), draw.category())
        let background = content.layout(preferences, at: category).background
        guard let background else { return }
        if let width = preferences.width { #expect(background.width.inPoints <= width) }
        if preferences.preferredMaxLayoutWidth > 0 {
            #expect(background.width.inPoints <= preferences.preferredMaxLayoutWidth)
        }
    }

    @Test(arguments: seeds) func greaterWidthNeverShowsLess(_ seed: UInt64) throws {
        var draw = LayoutDraw(seed: seed)
        let (content, category) = (draw.content(), draw.category())
        let layouts = stride(from: 0.0, through: 700, by: 8.3).map { width in
            content.layout(AttributionPreferences(width: width), at: category)
        }
        for (narrow, wide) in zip(layouts, layouts.dropFirst()) {
            let before = try #require(Self.place(of: narrow.truncationStep))
            let after = try #require(Self.place(of: wide.truncationStep))
            #expect(after <= before)
            if narrow.truncationStep == .shortenedName, wide.truncationStep == .shortenedName {
                #expect((narrow.text?.text.count ?? 0) <= (wide.text?.text.count ?? 0))
            }
        }
    }

    @Test(.proves("B85"), arguments: seeds) func largerTextIsAlwaysHigherAndWider(_ seed: UInt64) {
        var draw = LayoutDraw(seed: seed)
        let content = draw.content()
        let sizes = ContentSizeCategory.allCases.map { content.layout(at: $0).size }
        for (smaller, larger) in zip(sizes, sizes.dropFirst()) {
            #expect(smaller.height < larger.height)
            #expect(smaller.width < larger.width)
        }
    }

    @Test(arguments: seeds) func everythingIsInTheFrameUnlessItIsClipped(_ seed: UInt64) throws {
        var draw = LayoutDraw(seed: seed)
        let (content, preferences, category) = (draw.content(), draw.preferences(), draw.category())
        let layout = content.layout(preferences, at: category)
        #expect(layout.rectangles.isEmpty == (layout.outcome == .notDrawn))
        guard let background = layout.background else { return }
        for rectangle in layout.rectangles {
            #expect(layout.outcome == .clipped || rectangle.stands(in: layout.size))
            #expect(rectangle.x >= background.x && rectangle.right <= background.right)
            #expect(rectangle.y >= background.y && rectangle.bottom <= background.bottom)
        }
        let lastAvatar = try #require(layout.avatars.last)
        let parts = [lastAvatar.frame, layout.pin, layout.text?.frame].compactMap(\.self)
        for (left, right) in zip(parts, parts.dropFirst()) { #expect(left.right < right.x) }
    }

    @Test(arguments: seeds) func contentsHaveTheirNaturalSizeIfTheyFit(_ seed: UInt64) {
        var draw = LayoutDraw(seed: seed)
        let (content, category) = (draw.content(), draw.category())
        let wide = AttributionPreferences(preferredMaxLayoutWidth: AttributionPreferences.maximumLength)
        let layout = content.layout(wide, at: category)
        #expect(layout.outcome == .natural)
        #expect(layout.background?.width == layout.naturalSize.width)
        let exact = AttributionPreferences(preferredMaxLayoutWidth: layout.naturalSize.width.inPoints)
        let bounded = content.layout(exact, at: category)
        #expect(bounded.size == layout.naturalSize)
        #expect(bounded.background == layout.background && bounded.text == layout.text)
    }

    @Test(.proves("B83"), arguments: seeds) func alignmentOnlyMovesContentsSideways(_ seed: UInt64) {
        var draw = LayoutDraw(seed: seed)
        let (content, category) = (draw.content(), draw.category())
        var preferences = draw.preferences()
        preferences.width = preferences.width ?? 200
        let layouts = [AttributionPreferences.HorizontalAlignment.leading, .center, .trailing].map { alignment in
            preferences.horizontalAlignment = alignment
            return content.layout(preferences, at: category)
        }
        for (left, right) in zip(layouts, layouts.dropFirst()) {
            #expect(left.size == right.size)
            #expect(left.truncationStep == right.truncationStep)
            let moves = zip(left.rectangles, right.rectangles).map { $1.x - $0.x }
            #expect(Set(moves).count <= 1)
            #expect(moves.allSatisfy { $0 >= .zero })
            let pairs = Array(zip(left.rectangles, right.rectangles))
            #expect(pairs.allSatisfy { $0.y == $1.y && $0.width == $1.width && $0.height == $1.height })
        }
    }

    @Test(arguments: seeds) func layoutIsDeterministic(_ seed: UInt64) {
        var (one, other) = (LayoutDraw(seed: seed), LayoutDraw(seed: seed))
        let first = one.content().layout(one.preferences(), at: one.category())
        #expect(first == other.content().layout(other.preferences(), at: other.category()))
    }

    private static func place(of step: AttributionReport.Step) -> Int? {
        AttributionReport.Step.allCases.firstIndex { $0 == step }
    }
}
