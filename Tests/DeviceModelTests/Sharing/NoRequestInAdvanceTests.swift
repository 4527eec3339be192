import Attribution
import DeviceModel
import Testing
import WaypostSchema
import WaypostTestSupport

/// No app asks the user for permission before the user has pinned something.
@Suite struct NoRequestInAdvanceTests {
    /// Everything that an app, or a user who opens it, does before a link is available; nothing of it is permission.
    private static let beginnings: [DeviceEvent] = [
        .appInstalled(scenic), .appOpened(.tv), .sceneCreated(.tv, nil),
        .attributionRequested(.tv, .first, url: Link.show, AttributionPreferences()),
        .attributionAttached(.tv, .first, url: Link.show, .summary),
        .attributionContextChanged(.tv, .first, .detail), .attributionTapped(.tv, .first, nil),
        .menuItemChosen(.tv, .first, .reply, nil), .attributionDetached(.tv, .first),
        .attributionReleased(.tv, .first), .highlightInteracted(.tv, url: Link.show),
        .contentFinished(.tv, url: Link.show),
        .activationConditionsSet(.tv, "main", ActivationConditions()),
        .restorationActivitySet(.tv, "main", UserActivity(activityType: "show")), .shortcutItemsSet(.tv, []),
        .previewSupplied(.tv, LinkPreview(url: Link.show, title: "Lasso")), .activationTaken(.tv, number: 1),
        .urlOpened(Link.show, from: nil), .timePassed,
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
            let effects = device.happen(event)
            #expect(effects.offers.isEmpty, "\(event)")
            #expect(effects.presentations.isEmpty, "\(event)")
            #expect(device.model.presented == nil, "\(event)")
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
            case .conversationPresented, .disambiguationPresented, .presentationChanged: true
            default: false
            }
        }
    }
}
