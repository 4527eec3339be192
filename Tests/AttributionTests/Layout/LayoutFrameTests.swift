import Attribution
import Testing
import WaypostSchema
import WaypostTestSupport

/// The frame that an app gives a view, and the layout of the view in it.
///
/// "Enrique" needs 97.9 by 32 points.
@Suite struct LayoutFrameTests {
    typealias Alignment = AttributionPreferences.HorizontalAlignment

    let content = AttributionContent(["Enrique"])

    @Test(
        .proves("B81"),
        arguments: [
            // Without a maximum the view has the standard width.
            (Alignment.default, 0.0, 320.0, 0.0), (.leading, 0, 320, 0), (.center, 0, 320, 111.05),
            (.trailing, 0, 320, 222.1),
            // The contents fill the maximum, or are narrower and aligned in it.
            (.default, 300, 300, 0), (.leading, 300, 300, 0), (.center, 300, 300, 101.05), (.trailing, 300, 300, 202.1),
            (.center, 97.9, 97.9, 0),
        ]
    )
    func contentsFillOrFitTheMaximum(_ alignment: Alignment, _ maximum: Double, _ width: Double, _ x: Double) {
        let preferences = AttributionPreferences(horizontalAlignment: alignment, preferredMaxLayoutWidth: maximum)
        let layout = content.layout(preferences)
        #expect(layout.size.width.inPoints == width)
        #expect(layout.background?.x.inPoints == x)
        #expect(layout.background?.width.inPoints == 97.9)
        #expect(layout.outcome == .natural)
    }

    @Test(
        .proves("B83"),
        arguments: [
            (Alignment.default, 0.0), (.leading, 0), (.center, 51.05), (.trailing, 102.1),
        ]
    )
    func contentsAreAlignedInAGreaterWidth(_ alignment: Alignment, _ x: Double) {
        let layout = content.layout(AttributionPreferences(horizontalAlignment: alignment, width: 200))
        #expect(layout.size.width == Points(200))
        #expect(layout.background?.x.inPoints == x)
        #expect(layout.avatars.map(\.frame.x.inPoints) == [x + 8])
    }

    @Test(
        .proves("B82"),
        arguments: [
            // The maximum, the width, the width of the view, and whether the name is complete.
            (90.0, nil, nil, false), (0, 90.0, 90, false), (90, 300, 300, false), (300, 90, 90, false),
            (98, 98, 98, true),
            (0, 98, 98, true), (97.9, nil, 97.9, true), (97.899, nil, nil, false),
        ] as [(Double, Double?, Double?, Bool)]
    )
    func smallerOfMaximumAndWidthBoundsTheContents(
        _ maximum: Double,
        _ width: Double?,
        _ ofView: Double?,
        _ isWhole: Bool
    ) throws {
        let layout = content.layout(AttributionPreferences(preferredMaxLayoutWidth: maximum, width: width))
        #expect((layout.outcome == .natural) == isWhole)
        #expect(layout.outcome == (isWhole ? .natural : .truncated))
        if let ofView { #expect(layout.size.width.inPoints == ofView) }
        let background = try #require(layout.background)
        #expect(background.width.inPoints <= [maximum, width ?? 0].filter { $0 > 0 }.min() ?? 0)
        #expect(layout.naturalSize.width.inPoints == 97.9)
    }

    @Test(
        .proves("B86"),
        arguments: [
            (40.0, AttributionReport.Outcome.natural, AttributionReport.Step.names, 4.0),
            (32, .natural, .names, 0), (31.99, .clipped, .names, -0.01), (20, .clipped, .names, -6),
            (19.99, .notDrawn, .nothing, 0), (0, .notDrawn, .nothing, 0),
        ]
    )
    func tooLittleHeightClipsTheEdgesOrDrawsNothing(
        _ height: Double,
        _ outcome: AttributionReport.Outcome,
        _ step: AttributionReport.Step,
        _ y: Double
    ) {
        let layout = content.layout(AttributionPreferences(height: height))
        #expect(layout.outcome == outcome)
        #expect(layout.truncationStep == step)
        #expect(layout.size == ExactLayoutSize(width: Points(320), height: Points(roundingDown: height)))
        #expect(layout.naturalSize.height == Points(32))
        #expect(layout.background?.y.inPoints == (outcome == .notDrawn ? nil : y))
        #expect(layout.rectangles.isEmpty == (outcome == .notDrawn))
        #expect(layout.findings.map(\.code) == (height < 32 ? [.heightTooSmall] : []))
        #expect(layout.findings.allSatisfy { $0.field == "height" && $0.message.contains("32 or more is accepted") })
    }

    @Test func clippingIsReportedBeforeTruncation() {
        let layout = content.layout(AttributionPreferences(width: 80, height: 25))
        #expect(layout.outcome == .clipped)
        #expect(layout.truncationStep == .shortenedName)
    }

    @Test(arguments: [0, 0.004, 20, 39.99]) func viewWithoutSpaceForAnAvatarIsNotDrawn(_ width: Double) {
        let layout = content.layout(AttributionPreferences(width: width))
        #expect(layout.outcome == .notDrawn)
        #expect(layout.truncationStep == .nothing)
        #expect(layout.rectangles.isEmpty)
        #expect(layout.size == ExactLayoutSize(width: Points(roundingDown: width), height: Points(32)))
        #expect(layout.naturalSize.width.inPoints == 97.9)
    }

    @Test func viewThatIsNotDrawnHasTheWidthOfTheAppToo() {
        let layout = content.layout(AttributionPreferences(preferredMaxLayoutWidth: 20))
        #expect(layout.size.width == Points(20))
        #expect(layout.outcome == .notDrawn)
    }

    @Test(
        .proves("B64"),
        arguments: [AttributionPreferences(), .init(preferredMaxLayoutWidth: 200), .init(width: 90, height: 40)]
    ) func sizeOfAViewDoesNotDependOnItsContents(_ preferences: AttributionPreferences) {
        let contents = [
            AttributionContent(["Al"]),
            AttributionContent(["Maximiliane Wilhelmina", "Sarah", "Enrique"], isPinned: true),
        ]
        for category in ContentSizeCategory.allCases {
            let sizes = contents.map { $0.layout(preferences, at: category).size }
            #expect(sizes[0] == sizes[1])
        }
    }
}
