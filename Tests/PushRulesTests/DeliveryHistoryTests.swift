import PushRules
import Testing
import WaypostSchema
import WaypostTestSupport

/// The history of a notification, derived from its stored fields.
@Suite struct DeliveryHistoryTests {
    /// The stored fields of a notification, and the history that follows from them.
    struct Case: Sendable {
        var state: DeliveryState
        var isTransient = false
        var sent: Int?
        var ended: Int?
        var history: [DeliveryState]
    }

    private static let created = Timestamp(milliseconds: 100)

    private static let cases: [Case] = [
        Case(state: .rejected, ended: 100, history: [.rejected]),
        Case(state: .rejected, history: [.rejected]),
        Case(state: .stored, history: [.accepted, .stored]),
        Case(state: .stored, sent: 101, history: [.accepted, .stored, .sent]),
        Case(state: .sent, sent: 100, history: [.accepted, .stored, .sent]),
        Case(state: .acknowledged, sent: 101, ended: 105, history: [.accepted, .stored, .sent, .acknowledged]),
        Case(state: .acknowledged, ended: 105, history: [.accepted, .stored, .acknowledged]),
        Case(state: .collapsed, ended: 100, history: [.accepted, .stored, .collapsed]),
        Case(state: .unregistered, sent: 101, ended: 105, history: [.accepted, .stored, .sent, .unregistered]),
        Case(state: .expired, ended: 105, history: [.accepted, .stored, .expired]),
        Case(state: .expired, sent: 101, ended: 105, history: [.accepted, .stored, .sent, .expired]),
        // It had expired before it arrived.
        Case(state: .expired, ended: 100, history: [.accepted, .expired]),
        Case(state: .accepted, isTransient: true, history: [.accepted]),
        Case(state: .sent, isTransient: true, sent: 100, history: [.accepted, .sent]),
        Case(state: .dropped, isTransient: true, ended: 100, history: [.accepted, .dropped]),
        Case(state: .dropped, isTransient: true, sent: 100, ended: 105, history: [.accepted, .sent, .dropped]),
        Case(
            state: .acknowledged,
            isTransient: true,
            sent: 100,
            ended: 101,
            history: [.accepted, .sent, .acknowledged]
        ),
        Case(state: .unregistered, isTransient: true, ended: 105, history: [.accepted, .unregistered]),
    ]

    @Test(arguments: cases) func historyHasEachStateInOrder(_ expected: Case) {
        let steps = DeliveryHistory.steps(
            to: expected.state,
            createdAt: Self.created,
            isTransient: expected.isTransient,
            attempts: expected.sent.map { DeliveryAttempts(at: Timestamp(milliseconds: $0)) },
            endedAt: expected.ended.map(Timestamp.init(milliseconds:))
        )
        #expect(steps.map(\.state) == expected.history)
        for step in steps {
            let moment = step.state == .sent ? expected.sent : step.state.isFinal ? expected.ended : nil
            #expect(step.at.rawValue == moment ?? 100)
        }
    }

    @Test func stepSentHasTheTimeOfTheFirstAttempt() {
        let attempts = DeliveryAttempts(
            first: Timestamp(milliseconds: 101),
            last: Timestamp(milliseconds: 109),
            count: 3
        )
        let steps = DeliveryHistory.steps(
            to: .stored,
            createdAt: Self.created,
            isTransient: false,
            attempts: attempts,
            endedAt: nil
        )
        #expect(steps.last == DeliveryStep(.sent, at: Timestamp(milliseconds: 101)))
    }

    /// For any life of a notification, its stored fields determine each state that it was in and when it first reached
    /// it.
    @Test(arguments: Trials.seeds(200)) func storedFieldsDetermineTheWholeHistory(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var life = DeliveryLife(isTransient: seed % 3 == 0)
        var now = Self.created
        var expected = [DeliveryStep(life.state, at: now)]
        var attempts: DeliveryAttempts?
        for _ in 0..<8 {
            guard let event = possibleEvents(of: life).randomElement(using: &random) else { break }
            // A notification is stored, or expires, at the time at which it arrives.
            if life.isTransient || life.state != .accepted { now.rawValue += Int.random(in: 1...5, using: &random) }
            try life.apply(event)
            if event == .send {
                if attempts == nil { attempts = DeliveryAttempts(at: now) } else { attempts?.merge(.init(at: now)) }
            }
            if !expected.contains(where: { $0.state == life.state }) {
                expected.append(DeliveryStep(life.state, at: now))
            }
        }
        let steps = DeliveryHistory.steps(
            to: life.state,
            createdAt: Self.created,
            isTransient: life.isTransient,
            attempts: attempts,
            endedAt: life.state.isFinal ? now : nil
        )
        #expect(steps == expected)
    }

    private func possibleEvents(of life: DeliveryLife) -> [DeliveryEvent] {
        DeliveryEvent.allCases.filter { event in
            let isArrival = !life.isTransient && life.state == .accepted
            return life.state(after: event) != nil && !(isArrival && event == .unregister)
        }
    }
}
