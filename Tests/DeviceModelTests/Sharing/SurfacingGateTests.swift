import Testing
import WaypostSchema

/// The gates, one by one and in order.
@Suite struct SurfacingGateTests {
    @Test func gatesAreInOrder() {
        let expected: [SurfacingGate] = [
            .messageSeen, .linkDetected, .webScheme, .contentKey, .notFromMe, .contact, .appInstalled,
            .capability,
            .associatedDomain, .associationFile, .associationRule, .sharingEverywhere, .sharingWithApp,
            .sharingFromConversation, .permission, .notRemoved, .notSuperseded, .merged, .curation, .ranked, .delivered,
        ]
        #expect(SurfacingGate.allCases == expected)
    }

    @Test(arguments: GateVector.all)
    func verdictsAreInOrderOfTheGates(_ vector: GateVector) {
        let gates = vector.device.explanation(of: vector.url, for: vector.app).gates
        #expect(gates.map(\.gate) == SurfacingGate.allCases)
    }

    @Test(arguments: GateVector.all)
    func mergingAndRankingNeverStopALink(_ vector: GateVector) {
        for device in [vector.device, vector.mendedDevice] {
            let gates = device.explanation(of: vector.url, for: vector.app).gates
            #expect(!gates.contains { [.merged, .ranked].contains($0.gate) && $0.status == .fail })
        }
    }

    @Test func firstFailedGateDecides() {
        var device = SharingDevice(contacts: [])
        device.receive(Link.show)
        device.turnOff(.everywhere)
        device.apply(.sharing(.linkRemoved(url: Link.show)))
        let failures = device.explanation(of: Link.show).gates.filter { $0.status == .fail }.map(\.gate)
        #expect(failures == [.contact, .sharingEverywhere, .permission, .notRemoved])
        #expect(device.explanation(of: Link.show).decidedBy == .contact)
    }

    @Test func messageThatPassesTheMostGatesRepresentsTheLink() {
        var device = SharingDevice()
        device.shareAutomatically(with: .tv)
        device.receive(Link.show, from: .stranger, in: .stranger)
        let open = device.receive(Link.show, from: .enrique, in: .enrique)
        device.receive(Link.show, from: nil, in: .enrique)
        let explanation = device.explanation(of: Link.show)
        #expect(explanation.isSurfaced)
        #expect(explanation.message == open)
        #expect(explanation.messages.map(\.decidedBy) == [.notFromMe, nil, .contact])
    }

    @Test(arguments: [
        "https://tv.example/shows/lasso-2", "https://tv.example/shows/lasso/cast", "https://tv.example/shows/lasso?s=2",
    ])
    func prefixOfASentLinkWasNotSent(_ sent: String) {
        var device = SharingDevice()
        device.shareAutomatically(with: .tv)
        device.receive("Watch \(sent) tonight")
        #expect(device.explanation(of: Link.show).decidedBy == .messageSeen)
        #expect(device.explanation(of: sent).isSurfaced)
    }
}
