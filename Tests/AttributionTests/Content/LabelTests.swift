import Attribution
import Testing
import WaypostSchema
import WaypostTestSupport

/// The description of a view in words.
@Suite struct LabelTests {
    private static let one = SharedLink.from([.of("a", sharedBy: [(.enrique, 1)])])
    private static let all = SharedLink.from(
        [.of("a", sharedBy: [(.enrique, 3), (.ada, 1)]), .of("b", sharedBy: [(.sarah, 2)])],
        isPinned: true
    )

    @Test(
        .proves("B21", "B56"),
        arguments: zip(
            AttributionLanguage.allCases,
            [
                ["Shared by [Enrique]", "Shared by [Enrique], [Sarah], and [Ada]. Pinned. In 2 conversations"],
                ["由[Enrique]共享", "由[Enrique]、[Sarah]和[Ada]共享。已置顶。在2个对话中"],
                ["[Enrique]が共有", "[Enrique]、[Sarah]、[Ada]が共有。ピンで固定済み。2件の会話"],
                ["[Enrique] 님이 공유함", "[Enrique], [Sarah] 및 [Ada] 님이 공유함. 고정됨. 대화 2개"],
            ]
        )
    ) func labelDescribesEverythingVisible(_ language: AttributionLanguage, _ labels: [String]) {
        let contents = [Self.one, Self.all].map { AttributionContent($0, in: language) }
        #expect(contents.map(\.label.bracketed) == labels)
    }

    @Test(arguments: [false, true]) func contentHasThePinOfTheLink(_ isPinned: Bool) {
        let content = AttributionContent(.from([.of("a", sharedBy: [(.bo, 1)])], isPinned: isPinned), in: .english)
        #expect(content.isPinned == isPinned)
        #expect(content.label.contains("Pinned") == isPinned)
    }
}
