import Attribution
import Testing
import WaypostSchema
import WaypostTestSupport

@Suite(.proves("B82")) struct TruncationTests {
    typealias Step = AttributionReport.Step

    /// Returns the texts that are shown at decreasing widths, each step once.
    func steps(of content: AttributionContent) -> [(Step, String)] {
        var steps: [(Step, String)] = []
        for width in stride(from: 500, through: 0, by: -1) {
            let layout = content.layout(AttributionPreferences(width: Double(width)))
            guard steps.last?.0 != layout.truncationStep else { continue }
            steps.append((layout.truncationStep, layout.text?.text.unisolated ?? ""))
        }
        return steps
    }

    @Test func fourPeopleAreShortenedStepByStep() {
        let steps = steps(of: .sample(in: .english))
        #expect(steps.map(\.0) == Step.allCases)
        let texts = steps.map(\.1)
        #expect(
            texts == [
                "Enrique, Sarah, and 2 others", "Enrique and 3 others", "Enrique +3", "Enriq… +3", "+1", "", "",
            ]
        )
    }

    static let texts: [(AttributionLanguage, [String])] = [
        (.simplifiedChinese, ["王小明、欧阳娜娜和另外2人", "王小明和另外3人", "王小明 +3", "+1", "", ""]),
        (.japanese, ["田中さくら、佐藤健、ほか2人", "田中さくら、ほか3人", "田中さくら +3", "田中さ… +3", "+1", "", ""]),
        (.korean, ["김민준, 남궁서연 외 2명", "김민준 외 3명", "김민준 +3", "+1", "", ""]),
    ]

    /// A name of three characters is not shortened if two characters and the ellipsis would be as wide.
    @Test(arguments: texts) func stepsUseTheWordsOfTheLanguage(_ language: AttributionLanguage, _ texts: [String]) {
        let shown = steps(of: .sample(in: language)).map(\.1)
        #expect(shown == texts)
    }

    @Test func singlePersonHasNoOthers() {
        let steps = steps(of: AttributionContent(["Enrique"], isPinned: true))
        #expect(steps.map(\.0) == [.names, .shortenedName, .avatars, .oneAvatar, .nothing])
        #expect(steps.map(\.1) == ["Enrique", "Enriq…", "", "", ""])
    }

    @Test func twoAvatarsNeedNoNumber() {
        let steps = steps(of: AttributionContent(["Enrique", "Sarah"]))
        let avatars = steps.first { $0.0 == .avatars }
        #expect(avatars?.1 == "")
    }

    @Test func nameIsShortenedToWholeClusters() {
        let family = "👩‍👩‍👧‍👦"
        let content = AttributionContent([String(repeating: family, count: 9)])
        for width in stride(from: 60.0, through: 220, by: 7) {
            let layout = content.layout(AttributionPreferences(width: width))
            guard layout.truncationStep == .shortenedName, let text = layout.text?.text.unisolated else { continue }
            #expect(text.dropLast().allSatisfy { String($0) == family })
            #expect(text.count >= 3 && text.hasSuffix("…"))
        }
    }

    @Test func pinIsShownUntilOneAvatarIsLeft() {
        for width in stride(from: 0.0, through: 300, by: 1) {
            let layout = AttributionContent.sample(in: .english).layout(AttributionPreferences(width: width))
            #expect((layout.pin != nil) == ![.oneAvatar, .nothing].contains(layout.truncationStep))
        }
    }

    @Test func nameOfTenThousandCharactersIsShortened() throws {
        let content = AttributionContent([String(repeating: "Ёлка", count: 2_500), "Sarah"])
        let layout = content.layout(AttributionPreferences(width: 200))
        #expect(layout.truncationStep == .shortenedName)
        let text = try #require(layout.text)
        #expect(text.text.unisolated.hasSuffix("… +1"))
        #expect(layout.naturalSize.width > Points(90_000))
    }
}
