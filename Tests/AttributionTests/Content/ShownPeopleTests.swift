import Attribution
import Testing
import WaypostSchema
import WaypostTestSupport

/// The people who are shown with a link, and their order.
@Suite struct ShownPeopleTests {
    private func names(_ conversations: SharedConversation...) -> [String] {
        AttributionContent(.from(conversations), in: .english).people.map(\.name)
    }

    @Test(.proves("B19", "B57")) func latestSharerIsFirst() {
        let shared = names(.of("a", sharedBy: [(.enrique, 1), (.sarah, 3)]), .of("b", sharedBy: [(.ada, 2)]))
        #expect(shared == ["Sarah", "Ada", "Enrique"])
    }

    @Test func repeatedSharerIsShownOnce() {
        let shared = names(
            .of("a", sharedBy: [(.enrique, 1)]),
            .of("b", sharedBy: [(.sarah, 2)]),
            .of("c", sharedBy: [(.enrique, 3)])
        )
        #expect(shared == ["Enrique", "Sarah"])
    }

    @Test func cardWithSeveralHandlesIsOnePerson() {
        var other = Person.enrique
        other.handle = "enrique@example.com"
        #expect(names(.of("a", sharedBy: [(.enrique, 1), (other, 2)])) == ["Enrique"])
    }

    @Test func handlesWithoutACardAreComparedWithoutPunctuation() {
        let shared = names(
            .of("a", sharedBy: [(Person(handle: "+1 (555) 0100"), 1), (Person(handle: "+15550100"), 2)]),
            .of("b", sharedBy: [(Person(handle: "Bo@Example.com"), 3), (Person(handle: "bo@example.com"), 4)])
        )
        #expect(shared == ["bo@example.com", "+15550100"])
    }

    @Test func sharesAtTheSameTimeKeepTheirOrder() {
        let people: [(Person, Int)] = [(.sarah, 1), (.bo, 1), (Person(handle: "+1"), 1), (.ada, 1)]
        #expect(names(.of("a", sharedBy: people)) == ["Sarah", "Bo", "+1", "Ada"])
        let shown = names(.of("b", sharedBy: people.suffix(2)), .of("a", sharedBy: people))
        #expect(shown == ["+1", "Ada", "Sarah", "Bo"])
    }

    @Test func participantsReplaceMissingSharers() {
        #expect(names(.of("a", with: [.sarah, .bo, .sarah]), .of("b", with: [.ada, .bo])) == ["Sarah", "Bo", "Ada"])
        #expect(names(.of("a", with: [.sarah], sharedBy: [(.bo, 1)])) == ["Bo"])
    }

    @Test func unknownSenderReplacesMissingPeople() {
        let content = AttributionContent(.from([.of("a")]), in: .japanese)
        #expect(content.people.map(\.name) == ["不明な差出人"])
        #expect(content.people.map(\.monogram) == [.silhouette])
        #expect(AttributionContent(.from([]), in: .korean).people.map(\.name) == ["알 수 없는 발신자"])
    }

    @Test(.proves("B20")) func avatarHasTheMonogramAndColorOfThePerson() {
        let content = AttributionContent(.from([.of("a", sharedBy: [(.enrique, 1)])]), in: .english)
        #expect(content.people.map(\.monogram) == [.letters("ES")])
        #expect(content.people.map(\.color) == [AvatarColor(of: .enrique)])
    }
}
