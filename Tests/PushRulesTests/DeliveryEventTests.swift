import PushRules
import Testing
import WaypostSchema

/// The state that each event leads to, for every pair of state and event.
@Suite struct DeliveryEventTests {
    @Test(arguments: TransitionTable.cases)
    func eventLeadsToTheStateInTheTable(_ example: TransitionTable.Case) {
        let delivery = DeliveryLife(isTransient: example.isTransient, state: example.state)
        #expect(delivery.state(after: example.event) == example.next)
    }

    @Test(arguments: TransitionTable.cases)
    func eventIsAppliedOrChangesNothing(_ example: TransitionTable.Case) throws {
        var delivery = DeliveryLife(isTransient: example.isTransient, state: example.state)
        if example.next == nil {
            let error = try #require(throws: ImpossibleDeliveryEvent.self) { try delivery.apply(example.event) }
            #expect(error.event == example.event)
            #expect(error.state == example.state)
        } else {
            try delivery.apply(example.event)
        }
        #expect(delivery == DeliveryLife(isTransient: example.isTransient, state: example.next ?? example.state))
    }

    @Test func everyPairIsInTheTable() {
        // Nine states and eight events, twice; but a transient notification is never `stored`.
        #expect(TransitionTable.cases.count == 9 * 8 * 2 - 8)
        #expect(DeliveryState.allCases.count == 9)
        #expect(DeliveryEvent.allCases.count == 8)
    }

    @Test(arguments: DeliveryState.allCases.filter(\.isFinal), [false, true])
    func nothingHappensInAFinalState(_ state: DeliveryState, _ isTransient: Bool) {
        let delivery = DeliveryLife(isTransient: isTransient, state: state)
        for event in DeliveryEvent.allCases { #expect(delivery.state(after: event) == nil) }
        #expect(delivery.stateAfterCrash == state)
    }

    @Test(
        arguments: [
            (false, [.accepted, .stored, .sent, .acknowledged, .collapsed, .expired, .unregistered]),
            (true, [.accepted, .sent, .acknowledged, .dropped, .unregistered]),
        ] as [(Bool, Set<DeliveryState>)]
    )
    func onlyTheseStatesAreReachable(_ isTransient: Bool, _ states: Set<DeliveryState>) {
        #expect(Self.states(after: DeliveryLife(isTransient: isTransient)) == states)
    }

    @Test(arguments: [false, true])
    func everyLiveStateLeadsToAFinalState(_ isTransient: Bool) {
        for state in Self.states(after: DeliveryLife(isTransient: isTransient)) {
            let states = Self.states(after: DeliveryLife(isTransient: isTransient, state: state))
            #expect(states.contains { $0.isFinal }, "\(state)")
        }
    }

    @Test(
        arguments: [
            (false, .stored, .stored), (false, .sent, .stored), (false, .accepted, .dropped),
            (true, .accepted, .dropped), (true, .sent, .dropped),
        ] as [(Bool, DeliveryState, DeliveryState)]
    )
    func crashDropsAllButStoredNotifications(_ isTransient: Bool, _ state: DeliveryState, _ next: DeliveryState) {
        let delivery = DeliveryLife(isTransient: isTransient, state: state)
        #expect(delivery.stateAfterCrash == next)
        #expect(DeliveryLife(isTransient: isTransient, state: next).stateAfterCrash == next)
    }

    @Test(arguments: [false, true])
    func newLifeIsInTheStateAccepted(_ isTransient: Bool) {
        #expect(DeliveryLife(isTransient: isTransient) == DeliveryLife(isTransient: isTransient, state: .accepted))
    }

    /// Returns the states that events can lead `delivery` to, including its own.
    private static func states(after delivery: DeliveryLife) -> Set<DeliveryState> {
        var found: Set = [delivery.state]
        var next = [delivery.state]
        while let state = next.popLast() {
            let delivery = DeliveryLife(isTransient: delivery.isTransient, state: state)
            next += DeliveryEvent.allCases.compactMap(delivery.state(after:)).filter { found.insert($0).inserted }
        }
        return found
    }
}
