import Attribution
import Testing
import WaypostSchema
import WaypostTestSupport

/// Invariants of contents for any text on a card.
@Suite struct AttributionContentPropertyTests {
    /// Returns somebody with or without one of five cards; within a round, a card is always the same.
    private func person(_ generator: inout SeededGenerator, round: Int) -> Person {
        let handle = Handle(rawValue: AnyText.text(upTo: 4, &generator))
        guard Bool.random(using: &generator) else { return Person(handle: handle) }
        let card = Int.random(in: 0..<5, using: &generator)
        var generator = SeededGenerator(seed: UInt64(round * 5 + card))
        let texts = (0..<3).map { _ in AnyText.text(upTo: 4, &generator) }
        let id = ContactID(rawValue: "card-\(card)")
        return .named(texts[0], texts[1], nickname: texts[2], id: id, handle: handle)
    }

    private func link(_ generator: inout SeededGenerator, round: Int) -> SharedLink {
        // No two shares are at the same time, because those keep their order.
        var times = Array(0..<12).shuffled(using: &generator)
        let conversations = (0..<Int.random(in: 1...3, using: &generator)).map { number in
            let sharers = (0..<Int.random(in: 0...4, using: &generator)).map { _ in
                (person(&generator, round: round), times.removeLast())
            }
            return SharedConversation.of(
                ConversationID(rawValue: "\(number)"),
                name: AnyText.text(upTo: 2, &generator),
                with: (0..<Int.random(in: 0...5, using: &generator)).map { _ in person(&generator, round: round) },
                sharedBy: sharers
            )
        }
        return .from(conversations, isPinned: Bool.random(using: &generator))
    }

    @Test(arguments: Trials.seeds(6, from: 1)) func everybodyHasAPlainNameThatTheLabelContains(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for round in 0..<60 {
            let link = link(&generator, round: round)
            for language in AttributionLanguage.allCases {
                let content = AttributionContent(link, in: language)
                #expect(!content.people.isEmpty, "round \(round)")
                for name in content.people.map(\.name) {
                    #expect(!name.isEmpty && name.isPlain, "round \(round)")
                    #expect(content.label.contains(name.isolated), "round \(round)")
                }
                for title in content.conversations.map(\.title) {
                    #expect(!title.isEmpty && title.withoutIsolates.isPlain, "round \(round)")
                }
                #expect(content.label.withoutIsolates.isPlain, "round \(round)")
            }
        }
    }

    @Test(arguments: Trials.seeds(6, from: 1)) func orderOfConversationsDoesNotChangeThePeople(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for round in 0..<100 {
            var link = link(&generator, round: round)
            guard link.conversations.contains(where: { !$0.sharers.isEmpty }) else { continue }
            let people = AttributionContent(link, in: .english).people
            link.conversations.reverse()
            #expect(AttributionContent(link, in: .english).people == people, "round \(round)")
        }
    }

    @Test func longNameIsNotTruncated() {
        let name = String(repeating: "Aa", count: 5_000)
        let content = AttributionContent(.from([.of("a", sharedBy: [(.named(name), 1)])]), in: .korean)
        #expect(content.people.map(\.name) == [name])
        #expect(content.label.contains(name))
    }
}

extension String {
    /// The text without the isolates around names.
    fileprivate var withoutIsolates: String {
        filter { $0 != "\u{2068}" && $0 != "\u{2069}" }
    }
}
