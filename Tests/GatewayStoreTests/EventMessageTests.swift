import GatewayStore
import PostgresStore
import PushRules
import Testing
import WaypostSchema
import WaypostTestSupport

/// Tests of the messages by which gateways notify each other.
@Suite struct EventMessageTests {
    private static let handleNumber = 7
    private static let agent = AgentID(namespace: "other", number: 3)

    private func passed(_ events: [StoreEvent]) throws -> [StoreEvent] {
        try passed(events.map(EventMessage.Part.event)).map { part in
            guard case .event(let event) = part else { throw NoEvent(part: part) }
            return event
        }
    }

    private struct NoEvent: Error {
        let part: EventMessage.Part
    }

    private func passed(_ parts: [EventMessage.Part]) throws -> [EventMessage.Part] {
        try EventMessage.messages(of: parts, from: Self.handleNumber).flatMap { text in
            #expect(text.utf8.count < 8_000)
            let message = try #require(EventMessage(text))
            #expect(message.handleNumber == Self.handleNumber)
            return message.parts
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

    @Test(arguments: [Acknowledgement.upTo(5), .sequences([1, 3])])
    func requestAndResponseAreTheSameAfterTheirMessages(_ acknowledgement: Acknowledgement) throws {
        let forwarded = ForwardedAcknowledgement(
            origin: Self.handleNumber,
            requestID: 4,
            agent: Self.agent,
            acknowledgement: acknowledgement
        )
        let parts: [EventMessage.Part] = [
            .request(forwarded, gateway: 2), .response(origin: 8, requestID: 5, count: 3),
            .response(origin: 8, requestID: 6, count: nil),
        ]
        #expect(try passed(parts) == parts)
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
