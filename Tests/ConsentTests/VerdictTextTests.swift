import Consent
import Testing
import WaypostSchema

/// The explanations of the verdicts, rule by rule.
@Suite struct VerdictTextTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let rule: ConsentRule
        let explanation: String
        let eventNumber: Int?
        let choices: @Sendable (inout ConsentChoices) -> Void

        init(
            _ rule: ConsentRule,
            _ explanation: String,
            eventNumber: Int? = nil,
            _ choices: @escaping @Sendable (inout ConsentChoices) -> Void = { _ in }
        ) {
            self.rule = rule
            self.explanation = explanation
            self.eventNumber = eventNumber
            self.choices = choices
        }

        var testDescription: String { rule.rawValue }
    }

    private static let sharing = [
        Case(.onEverywhere, "sharing is on everywhere"),
        Case(.offEverywhere, "sharing is off everywhere") { $0.setSharing(.everywhere, isOn: false, at: .choice(1)) },
        Case(
            .pinnedAlways,
            "sharing is off, but the link is pinned, and pinned links are always available"
        ) {
            $0.setSharing(.everywhere, isOn: false, at: .choice(1))
            $0.pin(show, in: family, message: "m1", at: .choice(2))
        },
        Case(.onForApp, "sharing is on for com.example.tv"),
        Case(.offForApp, "sharing is off for com.example.tv, and the link is not pinned") {
            $0.setSharing(.app(tv), isOn: false, at: .choice(1))
        },
        Case(.pinnedAfterOffForApp, "sharing is off for com.example.tv, but the link was pinned after that") {
            $0.setSharing(.app(tv), isOn: false, at: .choice(1))
            $0.pin(show, in: family, message: "m1", at: .choice(2))
        },
        Case(.onInConversation, "sharing is on for the conversation"),
        Case(
            .offInConversation,
            "sharing is off for the conversation, and the link is not pinned in it"
        ) {
            $0.setSharing(.conversation(family), isOn: false, at: .choice(1))
        },
        Case(
            .pinnedAfterOffInConversation,
            "sharing is off for the conversation, but the link was pinned in it after that"
        ) {
            $0.setSharing(.conversation(family), isOn: false, at: .choice(1))
            $0.pin(show, in: family, message: "m1", at: .choice(2))
        },
    ]

    private static let permission = [
        Case(.pinned, "the link is pinned, which gives permission to share it") {
            $0.pin(show, in: family, message: "m1", at: .choice(1))
        },
        Case(.automaticSharing, "automatic sharing is on for com.example.tv") {
            $0.setAutomaticSharing(of: tv, isOn: true, at: .choice(1))
        },
        Case(
            .beforeAutomaticSharing,
            "the link is not pinned, and came before automatic sharing was turned on for com.example.tv; pin it",
            eventNumber: 1
        ) {
            $0.setAutomaticSharing(of: tv, isOn: true, at: .choice(2))
        },
        Case(
            .noPermission,
            """
            the link is not pinned, and automatic sharing was never turned on for com.example.tv; pin it, or turn \
            that on for later links
            """
        ),
        Case(
            .noPermission,
            """
            the link is not pinned, and automatic sharing was turned off for com.example.tv; pin it, or turn that \
            on for later links
            """
        ) {
            $0.setAutomaticSharing(of: tv, isOn: false, at: .choice(1))
        },
    ]

    private static let removal = [
        Case(.notRemoved, "the link is not removed"),
        Case(.removed, "the link was removed and has not been pinned since then") { $0.remove(show, at: .choice(1)) },
        Case(.pinnedAfterRemoval, "the link was removed, but it was pinned after that") {
            $0.remove(show, at: .choice(1))
            $0.pin(show, in: family, message: "m1", at: .choice(2))
        },
    ]

    @Test(arguments: sharing + permission + removal)
    func verdictExplainsItself(_ example: Case) {
        var question = ConsentQuestion.showFromFamily
        question.eventNumber = example.eventNumber
        let verdicts = ConsentChoices(ConsentRules(), example.choices).verdicts(on: question)
        let verdict = verdicts.all.first { $0.rule == example.rule }
        #expect(verdict?.explanation == example.explanation)
    }

    @Test(
        arguments: [
            (.app(tv), "sharing is off for com.example.tv, and the link was pinned before that, not after it"),
            (
                .conversation(family),
                "sharing is off for the conversation, and the link was pinned in it before that, not after it"
            ),
        ] as [(SharingScope, String)]
    )
    func pinBeforeAnOffIsNamedIfTheLaterChoiceWins(_ scope: SharingScope, _ explanation: String) {
        let consent = ConsentChoices(.latestChoice) {
            $0.pin(show, in: family, message: "m1", at: .choice(1))
            $0.setSharing(scope, isOn: false, at: .choice(2))
        }
        #expect(consent.verdicts(on: .showFromFamily).all.first { !$0.isAllowed }?.explanation == explanation)
    }

    @Test func everyRuleHasACase() {
        let tested = (Self.sharing + Self.permission + Self.removal).map(\.rule)
        #expect(Set(tested) == Set(ConsentRule.allCases))
    }

    @Test func verdictsAreInOrderOfTheGates() {
        let verdicts = ConsentChoices().verdicts(on: .showFromFamily)
        #expect(
            verdicts.all == [
                verdicts.everywhere, verdicts.app, verdicts.conversation, verdicts.permission, verdicts.removal,
            ]
        )
    }
}
