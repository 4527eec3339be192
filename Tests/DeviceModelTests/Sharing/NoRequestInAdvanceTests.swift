import Attribution
import DeviceModel
import Testing
import WaypostSchema
import WaypostTestSupport

/// No app asks the user for permission before the user has pinned something.
@Suite struct NoRequestInAdvanceTests {
    /// Everything that an app, or a user who opens it, does before a link is available; nothing of it is permission.
    private static let beginnings: [DeviceEvent] = [
        .system(.appInstalled(scenic)), .scene(.appOpened(.tv)), .scene(.sceneCreated(.tv, nil)),
        .attribution(.attributionRequested(.tv, .first, url: Link.show, AttributionPreferences())),
        .attribution(.attributionAttached(.tv, .first, url: Link.show, .summary)),
        .attribution(.attributionContextChanged(.tv, .first, .detail)),
        .attribution(.attributionTapped(.tv, .first, nil)),
        .attribution(.menuItemChosen(.tv, .first, .reply, nil)), .attribution(.attributionDetached(.tv, .first)),
        .attribution(.attributionReleased(.tv, .first)), .sharing(.highlightInteracted(.tv, url: Link.show)),
        .sharing(.contentFinished(.tv, url: Link.show)),
        .scene(.activationConditionsSet(.tv, "main", ActivationConditions())),
        .scene(.restorationActivitySet(.tv, "main", UserActivity(activityType: "show"))),
        .scene(.shortcutItemsSet(.tv, [])),
        .attribution(.previewSupplied(.tv, LinkPreview(url: Link.show, title: "Lasso"))),
        .scene(.activationTaken(.tv, number: 1)),
        .scene(.urlOpened(Link.show, from: nil)), .system(.timePassed),
    ]

    /// The TV app with a scene.
    private static var scenic: AppDescription {
        var app = AppDescription.tv
        app.scenes = [SceneSession(persistentIdentifier: "main")]
        return app
    }

    private var device = SharingDevice(apps: [scenic])

    @Test(.proves("B39")) mutating func nothingThatAnAppDoesAsksForPermission() {
        let message = device.receive(Link.show)
        for event in Self.beginnings {
            let effects = device.apply(event)
            #expect(effects.offers.isEmpty, "\(event)")
            #expect(effects.presentations.isEmpty, "\(event)")
            #expect(device.model.presentationEffect == nil, "\(event)")
        }
        #expect(device.shelf().isEmpty)
        #expect(device.explanation(of: Link.show).decidedBy == .permission)
        // The first pin is the user's own act, and brings the offer.
        #expect(device.pin(message).offers.map(\.isOffered) == [true])
        #expect(device.shelf() == [Link.show])
    }

    @Test(.proves("B39")) mutating func sharingIsOnForAllAppsAndConversationsWithoutAQuestion() {
        device.receive(Link.show)
        device.receive(Link.otherShow, from: .sarah, in: .sarah)
        for url in [Link.show, Link.otherShow] {
            for gate in [SurfacingGate.sharingEverywhere, .sharingWithApp, .sharingFromConversation] {
                #expect(device.verdict(at: gate, on: url)?.status == .pass, "\(gate)")
            }
        }
    }
}

extension [DeviceEffect] {
    /// The effects that put something over an app.
    fileprivate var presentations: [DeviceEffect] {
        filter { effect in
            switch effect {
            case .attribution(.conversationPresented), .attribution(.disambiguationPresented),
                .attribution(.presentationChanged):
                true
            default: false
            }
        }
    }
}
