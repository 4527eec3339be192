import Targeting
import Testing
import WaypostSchema
import WaypostTestSupport

/// The option of row 1 of targeting.md 1.2: *prefers* only "amongst the capable scenes", as the talk says.
@Suite struct NarrowerReadingTests {
    private static let narrow = SelectionRules(prefersOnlyAmongCapable: true)

    @Test(.proves("T19")) func sceneThatPrefersWhatItCannotDisplayLoses() throws {
        let scenes = [
            try SceneCandidate.named("odd", .foregroundActive, can: "FALSEPREDICATE", prefers: "SELF == 'crusty'"),
            try SceneCandidate.named("can", .disconnected),
        ]
        let decision = SceneSelection.decide(for: .notification("crusty"), among: scenes, Self.narrow)
        #expect(decision.scene == "can")
        #expect(decision.trace(of: "odd")?.suitability == 0)
        #expect(decision.trace(of: "odd")?.explanation == "lost: prefers the content, but cannot display it")
    }

    /// A decision that depends on the reading names it, whether the scene wins or loses.
    @Test(.proves("T19"), arguments: [(false, "counts"), (true, "does not count")])
    func decisionNamesTheReading(_ isNarrow: Bool, _ verdict: String) throws {
        let scenes = [
            try SceneCandidate.named("odd", .foregroundActive, can: "FALSEPREDICATE", prefers: "SELF == 'crusty'"),
            try SceneCandidate.named("can", .disconnected),
        ]
        let rules = SelectionRules(prefersOnlyAmongCapable: isNarrow)
        let decision = SceneSelection.decide(for: .notification("crusty"), among: scenes, rules)
        let switchState = isNarrow ? "on" : "off"
        #expect(
            decision.findings == [
                "odd prefers the content, but its can condition says that it cannot display it: "
                    + "this \(verdict), because prefersOnlyAmongCapable is \(switchState)"
            ]
        )
    }

    @Test func defaultOfTheRulesIsThatOfADevice() {
        let device = DeviceDescription(name: "iPad", apps: [])
        #expect(SelectionRules().prefersOnlyAmongCapable == device.prefersOnlyAmongCapable)
        #expect(!SelectionRules().prefersOnlyAmongCapable)
    }

    @Test func newSceneIsCreatedIfNoPreferringSceneCanDisplayTheContent() throws {
        let scene = try SceneCandidate.named("odd", can: "FALSEPREDICATE", prefers: "TRUEPREDICATE")
        let decision = SceneSelection.decide(for: .notification("crusty"), among: [scene], Self.narrow)
        #expect(decision.outcome == .create)
    }

    @Test(.proves("T19", "T45")) func sceneThatCanAndPrefersWins() throws {
        let scenes = [
            try SceneCandidate.named("can", .foregroundActive),
            try SceneCandidate.named("both", .disconnected, can: "SELF == 'crusty'", prefers: "SELF == 'crusty'"),
        ]
        let decision = SceneSelection.decide(for: .notification("crusty"), among: scenes, Self.narrow)
        #expect(decision.scene == "both")
        #expect(decision.reason == .prefers)
    }
}
