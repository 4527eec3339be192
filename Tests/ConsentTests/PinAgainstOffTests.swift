import Consent
import Testing
import WaypostSchema
import WaypostTestSupport

/// The precedence between a pin and an *off*.
@Suite struct PinAgainstOffTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let scope: SharingScope
        let isPinLater: Bool
        let rule: ConsentRule

        init(_ scope: SharingScope, pinIsLater: Bool, _ rule: ConsentRule) {
            self.scope = scope
            self.isPinLater = pinIsLater
            self.rule = rule
        }

        var testDescription: String {
            "\(scope), pin \(isPinLater ? "after" : "before") off"
        }
    }

    private static func verdicts(_ rules: ConsentRules, _ example: Case) -> ConsentVerdicts {
        let consent = ConsentChoices(rules) {
            $0.setSharing(example.scope, isOn: false, at: .choice(5))
            $0.pin(show, in: family, message: "m1", at: .choice(example.isPinLater ? 6 : 4))
        }
        return consent.verdicts(on: .showFromFamily)
    }

    @Test(
        .proves("B42"),
        arguments: [
            Case(.everywhere, pinIsLater: false, .pinnedAlways),
            Case(.everywhere, pinIsLater: true, .pinnedAlways),
            Case(.app(tv), pinIsLater: false, .pinnedAlways),
            Case(.app(tv), pinIsLater: true, .pinnedAfterOffForApp),
            Case(.conversation(family), pinIsLater: false, .pinnedAlways),
            Case(.conversation(family), pinIsLater: true, .pinnedAfterOffInConversation),
        ]
    )
    func pinnedLinkIsAvailableWhateverIsOff(_ example: Case) {
        let verdicts = Self.verdicts(ConsentRules(), example)
        #expect(verdicts.verdict(for: example.scope).rule == example.rule)
        #expect(verdicts.verdict(for: example.scope).record?.kind == .pin)
        #expect(verdicts.isAllowed)
    }

    @Test(arguments: [
        Case(.everywhere, pinIsLater: false, .offEverywhere),
        Case(.everywhere, pinIsLater: true, .offEverywhere),
        Case(.app(tv), pinIsLater: false, .offForApp),
        Case(.app(tv), pinIsLater: true, .pinnedAfterOffForApp),
        Case(.conversation(family), pinIsLater: false, .offInConversation),
        Case(.conversation(family), pinIsLater: true, .pinnedAfterOffInConversation),
    ])
    func laterChoiceWinsInTheStricterReadingExceptAgainstOffEverywhere(_ example: Case) {
        let verdicts = Self.verdicts(.latestChoice, example)
        let verdict = verdicts.verdict(for: example.scope)
        let offs: [ConsentRule] = [.offEverywhere, .offForApp, .offInConversation]
        #expect(verdict.rule == example.rule)
        #expect(verdict.isAllowed == !offs.contains(example.rule))
        #expect(verdict.record?.kind == (verdict.isAllowed ? .pin : .sharing))
        #expect(verdicts.isAllowed == verdict.isAllowed, "the other gates allow the link")
    }

    @Test(arguments: [SharingScope.everywhere, .app(tv), .conversation(family)])
    func alwaysRuleChangesNothingWithoutAPin(scope: SharingScope) {
        let consent = ConsentChoices {
            $0.setAutomaticSharing(of: tv, isOn: true, at: .choice(1))
            $0.setSharing(scope, isOn: false, at: .choice(2))
        }
        #expect(!consent.verdicts(on: .showFromFamily).verdict(for: scope).isAllowed)
    }

    @Test func pinInAnyConversationOverridesAnEarlierOffForTheApp() {
        let consent = ConsentChoices {
            $0.setSharing(.app(tv), isOn: false, at: .choice(1))
            $0.pin(show, in: friends, message: "m1", at: .choice(2))
        }
        #expect(consent.verdicts(on: .showFromFamily).app.rule == .pinnedAfterOffForApp)
    }

    @Test(arguments: [ConsentRules(), .latestChoice])
    func pinInAnotherConversationDoesNotOverrideOffForThisOne(_ rules: ConsentRules) {
        let consent = ConsentChoices(rules) {
            $0.setSharing(.conversation(family), isOn: false, at: .choice(1))
            $0.pin(show, in: friends, message: "m1", at: .choice(2))
        }
        #expect(consent.verdicts(on: .showFromFamily).conversation.rule == .offInConversation)
        #expect(consent.allows(ConsentQuestion(key: show, app: tv, conversation: friends)))
    }

    @Test func pinOfThisConversationIsFoundAmongLaterPinsOfOthers() {
        let consent = ConsentChoices {
            $0.setSharing(.conversation(family), isOn: false, at: .choice(1))
            $0.pin(show, in: family, message: "m1", at: .choice(2))
            $0.pin(show, in: friends, message: "m2", at: .choice(3))
        }
        let verdict = consent.verdicts(on: .showFromFamily).conversation
        #expect(verdict.record == .pin(family, "m1", at: 2_000))
    }

    @Test(arguments: [SharingScope.app(tv), .conversation(family)])
    func turningOffAgainIsTheLaterChoice(scope: SharingScope) {
        let consent = ConsentChoices(.latestChoice) {
            $0.setSharing(scope, isOn: false, at: .choice(1))
            $0.pin(show, in: family, message: "m1", at: .choice(2))
            $0.setSharing(scope, isOn: false, at: .choice(3))
        }
        #expect(!consent.allows(.showFromFamily))
    }

    @Test(arguments: [SharingScope.app(tv), .conversation(family)])
    func pinningAgainIsTheLaterChoice(scope: SharingScope) {
        let consent = ConsentChoices(.latestChoice) {
            $0.pin(show, in: family, message: "m1", at: .choice(1))
            $0.setSharing(scope, isOn: false, at: .choice(2))
            $0.pin(show, in: family, message: "m1", at: .choice(3))
        }
        #expect(consent.allows(.showFromFamily))
    }

    @Test func numberDecidesIfTheClockWasSetBack() {
        let consent = ConsentChoices(.latestChoice) {
            $0.setSharing(.app(tv), isOn: false, at: EventMoment(at: Timestamp(milliseconds: 9_000), eventNumber: 1))
            $0.pin(show, in: family, message: "m1", at: EventMoment(at: Timestamp(milliseconds: 5_000), eventNumber: 2))
        }
        #expect(consent.allows(.showFromFamily))
    }

    @Test(arguments: [true, false])
    func numberDecidesWithinAMillisecond(pinIsLater: Bool) {
        let at = Timestamp(milliseconds: 1)
        let consent = ConsentChoices(.latestChoice) {
            $0.setSharing(.app(tv), isOn: false, at: EventMoment(at: at, eventNumber: 2))
            $0.pin(show, in: family, message: "m1", at: EventMoment(at: at, eventNumber: pinIsLater ? 3 : 1))
        }
        #expect(consent.allows(.showFromFamily) == pinIsLater)
    }
}

extension ConsentVerdicts {
    /// Returns the verdict of the gate for `scope`.
    fileprivate func verdict(for scope: SharingScope) -> ConsentVerdict {
        switch scope {
        case .everywhere: everywhere
        case .app: app
        case .conversation: conversation
        }
    }
}
