import Delivery
import GatewayStore
import PostgresStore
import Testing
import WaypostSchema
import WaypostTestSupport

/// Tests of the messages by which gateways notify each other.
@Suite struct EventMessageTests {
    private static let lane = 7
    private static let agent = AgentID(namespace: "other", number: 3)

    private func passed(_ events: [StoreEvent]) throws -> [StoreEvent] {
        try EventMessage.messages(of: events, from: Self.lane).flatMap { text in
            #expect(text.utf8.count < 8_000)
            let message = try #require(EventMessage(text))
            #expect(message.lane == Self.lane)
            return message.storeEvents
        }
    }

    @Test(
        arguments: [
            .deviceChanged(agent, "token \u{0}", accepts: ["clowns", "\u{1F921}"]),
            .sessionOpened(agent, SessionEpoch(rawValue: 9)),
            .pendingEnded("batch", in: "other"), .clockMoved("other"), .keysChanged, .faultsChanged, .reset("other"),
            .gap,
            .logged([1...1, 5...9], in: "other"),
        ] as [StoreEvent]
    )
    func eventIsTheSameAfterItsMessage(_ event: StoreEvent) throws {
        #expect(try passed([event]) == [event])
    }

    @Test func longChangesAreDivided() throws {
        var changes = StoreChanges()
        for number in 1...2_000 {
            let agent = AgentID(namespace: "other", number: number)
            let state = DeliveryState.allCases[number % DeliveryState.allCases.count]
            changes.nudges.insert(agent)
            changes.rewinds.insert(agent)
            changes.batches.insert(BatchNumber(rawValue: number))
            changes.removals.append(
                StoreChanges.Removal(agent: agent, sequence: number, batch: BatchNumber(rawValue: 1), state: state)
            )
        }
        var got = StoreChanges()
        for event in try passed([.changed(changes, in: "other")]) {
            guard case .changed(let part, in: "other") = event else {
                Issue.record("\(event)")
                continue
            }
            got.append(part)
        }
        #expect(got == changes)
    }

    @Test func eventThatIsTooLongBecomesAGap() throws {
        let topics = Set((0..<500).map { Topic(rawValue: "com.example.a-topic-with-a-long-name-\($0)") })
        #expect(try passed([.deviceChanged(Self.agent, "aa", accepts: topics)]) == [.gap])
    }

    @Test func messageOfAnotherKindIsNotRead() {
        #expect(EventMessage("[]") == nil)
        #expect(EventMessage(#"{"lane":1,"events":[{"kind":99}]}"#) == nil)
    }
}
