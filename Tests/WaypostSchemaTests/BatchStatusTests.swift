import Testing
import WaypostSchema

@Suite struct BatchStatusTests {
    @Test(
        arguments: [
            (.accepted, false), (.stored, false), (.sent, false), (.acknowledged, true), (.collapsed, true),
            (.expired, true), (.dropped, true), (.unregistered, true), (.rejected, true),
        ] as [(DeliveryState, Bool)]
    )
    func stateIsFinalIfItCannotChange(_ state: DeliveryState, _ isFinal: Bool) {
        #expect(state.isFinal == isFinal)
    }

    @Test(
        arguments: [
            (nil, [:], true),
            (.committed, [:], true),
            (.refused, [:], true),
            (.pending, [:], false),
            (.pending, [.acknowledged: 1], false),
            (nil, [.acknowledged: 2, .expired: 1], true),
            (.committed, [.dropped: 1, .unregistered: 1, .collapsed: 1], true),
            (.committed, [.acknowledged: 2, .stored: 1], false),
            (nil, [.sent: 1], false),
            (nil, [.accepted: 1], false),
        ] as [(BatchStatus.Phase?, [DeliveryState: Int], Bool)]
    )
    func batchIsSettledWhenItIsStoredAndAllItsStatesAreFinal(
        _ phase: BatchStatus.Phase?,
        _ states: [DeliveryState: Int],
        _ isSettled: Bool
    ) {
        let accepted = states.values.reduce(0, +)
        let status = BatchStatus(id: "a batch", phase: phase, accepted: accepted, rejected: 0, states: states)
        #expect(status.isSettled == isSettled)
    }

    @Test func batchOfAnEarlierGatewayHasNoPhase() throws {
        let status = try BatchStatus(json: #"{"id":"a batch","accepted":1,"rejected":0,"states":{"stored":1}}"#)
        #expect(status == BatchStatus(id: "a batch", accepted: 1, rejected: 0, states: [.stored: 1]))
        #expect(try status.json() == #"{"accepted":1,"id":"a batch","rejected":0,"states":{"stored":1}}"#)
    }
}
