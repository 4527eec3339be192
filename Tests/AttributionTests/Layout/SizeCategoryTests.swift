import Attribution
import Testing
import WaypostSchema
import WaypostTestSupport

@Suite struct SizeCategoryTests {
    @Test func sizesAreThoseOfTheGuidelines() {
        let scales = ContentSizeCategory.allCases.map { TextScale($0) }
        #expect(scales.map(\.size) == [12, 13, 14, 15, 17, 19, 21, 25, 30, 36, 42, 49])
        #expect(scales.map(\.lineHeight) == [16, 18, 19, 20, 22, 24, 26, 31, 37, 44, 50, 59])
    }

    /// The size that the user prefers, the bounds of the app, and the resulting size.
    static let bounds:
        [(
            preferred: ContentSizeCategory, minimum: ContentSizeCategory?, maximum: ContentSizeCategory?,
            inForce: ContentSizeCategory
        )] = [
            (.large, nil, nil, .large),
            (.small, .medium, nil, .medium),
            (.large, .medium, nil, .large),
            (.accessibilityLarge, nil, .extraLarge, .extraLarge),
            (.medium, nil, .extraLarge, .medium),
            (.extraSmall, .small, .extraLarge, .small),
            (.accessibilityExtraExtraExtraLarge, .small, .extraLarge, .extraLarge),
            (.large, .small, .extraLarge, .large),
            // If the bounds conflict, the maximum applies.
            (.large, .accessibilityMedium, .small, .small),
            (.extraSmall, .accessibilityMedium, .small, .small),
        ]

    @Test(.proves("B84"), arguments: bounds)
    func preferredSizeIsRaisedToTheMinimumThenLoweredToTheMaximum(
        _ preferred: ContentSizeCategory,
        _ minimum: ContentSizeCategory?,
        _ maximum: ContentSizeCategory?,
        _ inForce: ContentSizeCategory
    ) {
        let preferences = AttributionPreferences(
            minimumContentSizeCategory: minimum,
            maximumContentSizeCategory: maximum
        )
        let layout = AttributionContent(["Enrique"]).layout(preferences, at: preferred)
        #expect(layout.contentSizeCategory == inForce)
        #expect(layout.text?.size == TextScale(inForce).size)
    }

    @Test(arguments: ContentSizeCategory.allCases) func everySizeCanBoundEveryOther(_ bound: ContentSizeCategory) {
        for preferred in ContentSizeCategory.allCases {
            let preferences = AttributionPreferences(
                minimumContentSizeCategory: bound,
                maximumContentSizeCategory: bound
            )
            let layout = AttributionContent(["Enrique"]).layout(preferences, at: preferred)
            #expect(layout.contentSizeCategory == bound)
            #expect(layout.findings.isEmpty)
        }
    }

    @Test func minimumAboveTheMaximumIsAFinding() {
        let preferences = AttributionPreferences(
            minimumContentSizeCategory: .accessibilityMedium,
            maximumContentSizeCategory: .small
        )
        let findings = AttributionContent(["Enrique"]).layout(preferences).findings
        #expect(findings.map(\.code) == [.minimumAboveMaximum])
        #expect(findings.map(\.field) == ["minimumContentSizeCategory"])
        #expect(findings.allSatisfy { $0.message.contains("a minimum up to small is accepted") })
    }
}
