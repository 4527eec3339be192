import Consent
import Testing
import WaypostSchema
import WaypostTestSupport

@Suite struct PrecedenceRuleTests {
    private let question = ConsentQuestion.showFromFamily

    @Test func defaultIsSharingOnWithoutPermission() {
        let verdicts = ConsentChoices().verdicts(on: question)
        #expect(verdicts.rules == [.onEverywhere, .onForApp, .onInConversation, .noPermission, .notRemoved])
        #expect(verdicts.all.map(\.isAllowed) == [true, true, true, false, true])
        #expect(verdicts.all.compactMap(\.record).isEmpty)
    }

    @Test(.proves("B38"), arguments: [tv, news])
    func offEverywhereHidesTheLinksOfEveryApp(app: BundleIdentifier) {
        let consent = ConsentChoices {
            $0.setAutomaticSharing(of: app, isOn: true, at: .choice(1))
            $0.setSharing(.everywhere, isOn: false, at: .choice(2))
        }
        let verdicts = consent.verdicts(on: ConsentQuestion(key: show, app: app, conversation: friends))
        #expect(verdicts.everywhere.rule == .offEverywhere)
        #expect(verdicts.all.filter { !$0.isAllowed } == [verdicts.everywhere])
        #expect(verdicts.everywhere.record == .sharing(.everywhere, isOn: false, at: 2_000))
    }

    @Test(.proves("B37"))
    func offForAnAppHidesTheLinksOfThatAppOnly() {
        let consent = ConsentChoices {
            $0.setAutomaticSharing(of: tv, isOn: true, at: .choice(1))
            $0.setAutomaticSharing(of: news, isOn: true, at: .choice(2))
            $0.setSharing(.app(tv), isOn: false, at: .choice(3))
        }
        let verdicts = consent.verdicts(on: question)
        #expect(verdicts.app.rule == .offForApp)
        #expect(verdicts.all.filter { !$0.isAllowed } == [verdicts.app])
        #expect(verdicts.app.record == .sharing(.app(tv), isOn: false, at: 3_000))
        #expect(consent.allows(ConsentQuestion(key: show, app: news, conversation: family)))
    }

    @Test(.proves("B36"))
    func offForAConversationHidesTheLinksOfThatConversationOnly() {
        let consent = ConsentChoices {
            $0.setAutomaticSharing(of: tv, isOn: true, at: .choice(1))
            $0.setSharing(.conversation(family), isOn: false, at: .choice(2))
        }
        let verdicts = consent.verdicts(on: question)
        #expect(verdicts.conversation.rule == .offInConversation)
        #expect(verdicts.all.filter { !$0.isAllowed } == [verdicts.conversation])
        #expect(verdicts.conversation.record == .sharing(.conversation(family), isOn: false, at: 2_000))
        #expect(consent.allows(ConsentQuestion(key: show, app: tv, conversation: friends)))
    }

    @Test(.proves("B41", "B40", "B39"))
    func pinnedLinkSurfacesWhileAutomaticSharingIsOff() {
        let consent = ConsentChoices { $0.pin(show, in: family, message: "m1", at: .choice(1)) }
        #expect(consent.allows(question))
        let permission = consent.verdicts(on: question).permission
        #expect(permission.rule == .pinned)
        #expect(permission.record == .pin(family, "m1", at: 1_000))
        #expect(!consent.allows(ConsentQuestion(key: film, app: tv, conversation: family)))
    }

    @Test func pinIsPermissionForTheLinkInEveryConversationAndApp() {
        let consent = ConsentChoices { $0.pin(show, in: family, message: "m1", at: .choice(1)) }
        #expect(consent.allows(ConsentQuestion(key: show, app: news, conversation: friends)))
    }

    @Test(.proves("B42"), arguments: [true, false])
    func pinnedLinkSurfacesAlsoAfterAutomaticSharingIsTurnedOff(pinnedFirst: Bool) {
        let consent = ConsentChoices {
            if pinnedFirst { $0.pin(show, in: family, message: "m1", at: .choice(1)) }
            $0.setAutomaticSharing(of: tv, isOn: true, at: .choice(2))
            $0.setAutomaticSharing(of: tv, isOn: false, at: .choice(3))
            if !pinnedFirst { $0.pin(show, in: family, message: "m1", at: .choice(4)) }
        }
        #expect(consent.allows(question))
    }

    @Test(.proves("B44"))
    func automaticSharingMakesFurtherLinksAvailableToThatAppOnly() {
        let consent = ConsentChoices { $0.setAutomaticSharing(of: tv, isOn: true, at: .choice(7)) }
        #expect(consent.allows(question))
        #expect(consent.allows(ConsentQuestion(key: film, app: tv, conversation: friends)))
        #expect(!consent.allows(ConsentQuestion(key: show, app: news, conversation: family)))
        let permission = consent.verdicts(on: question).permission
        #expect(permission.rule == .automaticSharing)
        #expect(permission.record == .automaticSharing(tv, isOn: true, at: 7_000))
    }

    @Test(.proves("B45"))
    func unpinnedLinkIsNotAvailableWhileAutomaticSharingIsOff() {
        let consent = ConsentChoices {
            $0.setAutomaticSharing(of: tv, isOn: true, at: .choice(1))
            $0.setAutomaticSharing(of: tv, isOn: false, at: .choice(2))
        }
        let verdicts = consent.verdicts(on: question)
        #expect(!verdicts.isAllowed)
        #expect(verdicts.refusal == verdicts.permission)
        #expect(verdicts.permission.rule == .noPermission)
        #expect(verdicts.permission.record == .automaticSharing(tv, isOn: false, at: 2_000))
    }

    @Test func everyVerdictIsGivenIfSeveralGatesRefuse() {
        let consent = ConsentChoices {
            $0.setSharing(.everywhere, isOn: false, at: .choice(1))
            $0.setSharing(.app(tv), isOn: false, at: .choice(2))
            $0.setSharing(.conversation(family), isOn: false, at: .choice(3))
            $0.remove(show, at: .choice(4))
        }
        let verdicts = consent.verdicts(on: question)
        #expect(verdicts.rules == [.offEverywhere, .offForApp, .offInConversation, .noPermission, .removed])
        #expect(verdicts.all.allSatisfy { !$0.isAllowed })
        #expect(verdicts.refusal == verdicts.everywhere)
    }
}
