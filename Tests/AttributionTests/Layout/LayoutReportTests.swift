import Attribution
import Testing
import WaypostSchema

@Suite struct LayoutReportTests {
    let link = SharedLink(
        url: "https://chicago.example/top25",
        isPinned: true,
        conversations: [
            SharedConversation(
                id: "c1",
                participants: [Person(handle: "enrique@example.org")],
                sharers: [Sharer(person: Person(handle: "enrique@example.org"), sharedAt: Timestamp(milliseconds: 0))]
            )
        ]
    )

    @Test func everyLanguageSizeAndWidthHasARow() {
        let rows = LayoutReport(link, AttributionPreferences(width: 1), widths: [80, 160]).rows
        #expect(rows.count == 4 * 12 * 2)
        #expect(Array(Set(rows.map(\.language))).sorted() == ["en", "ja", "ko", "zh-Hans"])
        #expect(rows.prefix(4).map(\.width) == [80, 160, 80, 160])
        #expect(rows.prefix(4).map(\.preferredContentSizeCategory) == [.extraSmall, .extraSmall, .small, .small])
        #expect(rows.allSatisfy { $0.size.width == $0.width })
        #expect(rows.allSatisfy { $0.preferredContentSizeCategory == $0.contentSizeCategory })
    }

    @Test func boundsOfTheSizeApply() {
        let preferences = AttributionPreferences(
            minimumContentSizeCategory: .medium,
            maximumContentSizeCategory: .extraLarge
        )
        let rows = LayoutReport(link, preferences, widths: [320]).rows.prefix(12)
        #expect(
            rows.map(\.contentSizeCategory) == [
                .medium, .medium, .medium, .large, .extraLarge, .extraLarge, .extraLarge, .extraLarge, .extraLarge,
                .extraLarge, .extraLarge, .extraLarge,
            ]
        )
    }

    @Test(arguments: AttributionLanguage.allCases) func reportHasTheContentsAndTheLayout(
        _ language: AttributionLanguage
    ) {
        let content = AttributionContent.sample(in: language)
        let layout = content.layout(AttributionPreferences(width: 160, height: 10))
        let report = AttributionReport(content, layout)
        #expect(report.outcome == .notDrawn)
        #expect(report.step == .nothing)
        #expect(report.text == "")
        #expect(report.size == LayoutSize(width: 160, height: 10))
        #expect(report.naturalSize == layout.naturalSize.inPoints)
        #expect(report.language == language.rawValue)
        #expect(report.label == content.label)
        #expect(report.findings == layout.findings)
        #expect(report.backgroundStyle == .material)
        let natural = AttributionReport(content, content.layout())
        #expect(natural.text == content.layout().text?.text)
        #expect(natural.contentSizeCategory == .large)
    }
}
