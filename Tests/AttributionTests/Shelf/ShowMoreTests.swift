import Attribution
import Testing
import WaypostTestSupport

@Suite struct ShowMoreTests {
    @Test(
        .proves("B17"),
        arguments: [
            (10, 3, false, 3, 7), (10, 3, true, 10, 0), (3, 3, false, 3, 0), (2, 3, false, 2, 0), (0, 3, false, 0, 0),
            (2, 0, false, 0, 2), (2, -1, false, 0, 2),
        ]
    )
    func showMoreIsShownIfItemsAreHidden(_ total: Int, _ limit: Int, _ isExpanded: Bool, _ shown: Int, _ hidden: Int) {
        for style in ShowMore.Style.allCases {
            let showMore = ShowMore(items: total, after: limit, isExpanded: isExpanded, style: style)
            #expect(showMore.shownCount == shown)
            #expect(showMore.hiddenCount == hidden)
            #expect((showMore.title(in: .english) == nil) == (hidden == 0))
        }
    }

    @Test(.proves("B17"), arguments: zip(AttributionLanguage.allCases, ["Show More", "显示更多", "すべて見る", "더 보기"]))
    func titleIsInTheUsersLanguage(_ language: AttributionLanguage, _ title: String) {
        #expect(ShowMore(items: 45, after: 4).title(in: language) == title)
    }
}
