internal import WaypostSchema

extension TokenContract {
    /// The table: a row for each kind, in the order of the kinds.
    package static let all = [
        app, voip, pushToTalk, location, fileProvider, complication, pushToStart, liveActivity, widgets, control,
    ]

    /// Reports that the user's switch for Live Activities decides about starts, and not that for notifications.
    package static let switchReports = Evidence.observed(
        4,
        "istornz/flutter_live_activities 156 and 164, eneskirca/nodeterm 390, braze-inc/braze-docs 8113"
    )

    /// The reports that the token of a Live Activity that a push started waits for the user.
    package static let lockScreenReports = Evidence.observed(
        4,
        "forum threads 801072, 800669 and 807976, and a blog with a confirmation of Apple's support"
    )

    /// The reports that the token of a Live Activity does not reach the server if the user forced the app to quit.
    package static let forceQuitReports = Evidence.observed(
        5,
        "forum thread 834934, kisimediaDE/capacitor-live-activity 11 and 13, istornz/flutter_live_activities 174, "
            + "xuguoxing/LiveActivityPushDemo 2"
    )

    /// The renewal of the push-to-start token after each start.
    package static let startTokenRenewal = pushToStart.rotation

    /// The answer to a push for a push-to-start token after which the app got another one.
    package static let earlierStartToken = pushToStart.oldToken

    /// The time in milliseconds for which APNs still answers 200 for an earlier push-to-start token.
    ///
    /// The report speaks of weeks; the number is a rule of Waypost.
    package static let earlierStartTokenTime = 14 * 86_400_000

    private static let registration = Evidence.documented("Registering your app with APNs")
    private static let registry = Evidence.documented("PKPushRegistryDelegate")
    private static let environments = Evidence.documented("APS Environment Entitlement")

    // The cells that several rows have.
    private static let perInstallation = Rule("installation and environment", .inferred)
    private static let unchanged = Rule("the same", .inferred)
    private static let ends = Rule("it ends", .inferred)
    private static let replaced = Rule("another one", .inferred)
    private static let otherEnvironment = Rule("another one", .inferred)
    private static let later410 = Rule("200 for hours to weeks, then 410 `Unregistered`", .inferred)
    private static let shortLength = Rule("64 digits", .inferred)
    private static let registryToken = Rule("when the registry is created, by the delegate", registry)
    private static let invalidation = Rule("the delegate is told that it is invalid; the server must stop", registry)
    private static let unknownLength = Rule("not known", .inferred)

    private static let app = TokenContract(
        kind: .app,
        call: Rule("`registerForRemoteNotifications()`", registration),
        needs: Rule(
            "the entitlement `aps-environment`; the user need not allow notifications",
            registration,
            .inferred
        ),
        scope: Rule("installation and environment", registration),
        appearance: Rule("at each launch, some time after the call", registration),
        length: Rule("64 digits, once 108; not fixed", registration, .observed(1, "dgilland/pushjack 32")),
        update: unchanged,
        uninstallation: Rule("it ends", .stated(thread: 747_482), .stated(thread: 670_868)),
        reinstallation: Rule("another one", .stated(thread: 747_482), .stated(thread: 670_868)),
        restoration: Rule(
            "another one, also on the same device; the backup copies identifiers of the app's own",
            registration,
            .observed(1, "the release notes of version 11.6.1 of the Braze Swift SDK")
        ),
        rotation: Rule(
            "when the system is erased or installed again, and by some major updates of it",
            registration,
            .stated(thread: 747_482)
        ),
        environment: Rule(
            "another one: sandbox for development and the Simulator, production for TestFlight, the App "
                + "Store and ad hoc builds",
            environments,
            .stated(thread: 699_088),
            .stated(thread: 710_061)
        ),
        oldToken: Rule(
            "200 for hours to weeks, then 410 `Unregistered`",
            .stated(thread: 670_868),
            .stated(thread: 780_156),
            .stated(thread: 747_482)
        )
    )

    private static let voip = TokenContract(
        kind: .voip,
        call: Rule("`PKPushRegistry` with `.voIP`", registry),
        needs: Rule("the background mode `voip`", PushTypeContract.voipPushes),
        scope: Rule("installation and environment; not the value of the app's token", registry),
        appearance: registryToken,
        length: shortLength,
        update: unchanged,
        uninstallation: ends,
        reinstallation: replaced,
        restoration: replaced,
        rotation: invalidation,
        environment: otherEnvironment,
        oldToken: later410
    )

    private static let pushToTalk = TokenContract(
        kind: .pushToTalk,
        call: Rule("`PTChannelManager`, when a channel is joined", PushTypeContract.pushToTalkApps),
        needs: Rule(
            "the background mode `push-to-talk`, and the app in the foreground to join; one channel at a time",
            PushTypeContract.pushToTalkApps
        ),
        scope: Rule("one join of a channel", PushTypeContract.pushToTalkApps),
        appearance: Rule(
            "after the channel is joined, by the delegate of the manager",
            PushTypeContract.pushToTalkApps
        ),
        length: Rule("it varies", PushTypeContract.pushToTalkApps),
        update: Rule("the session is over, so the next join has another one", .inferred),
        uninstallation: ends,
        reinstallation: Rule("none before the next join", .inferred),
        restoration: Rule("none before the next join", .inferred),
        rotation: Rule("another one at each join; valid while joined", PushTypeContract.pushToTalkApps),
        environment: otherEnvironment,
        oldToken: Rule("200, and the push is discarded", .observed(2, "forum threads 780822 and 760506"))
    )

    private static let location = TokenContract(
        kind: .location,
        call: Rule("`startMonitoringLocationPushes(completion:)`", PushTypeContract.locationPushes),
        needs: Rule(
            "the permission *Always*, and the entitlement for location pushes",
            PushTypeContract.locationPushes
        ),
        scope: perInstallation,
        appearance: Rule("when the monitoring starts", PushTypeContract.locationPushes),
        length: shortLength,
        update: unchanged,
        uninstallation: ends,
        reinstallation: replaced,
        restoration: replaced,
        rotation: Rule(
            "the system unregisters the app for a while after too many pushes",
            PushTypeContract.locationPushes
        ),
        environment: otherEnvironment,
        oldToken: later410
    )

    private static let fileProvider = TokenContract(
        kind: .fileProvider,
        call: Rule("`PKPushRegistry` with `.fileProvider`", registry),
        needs: Rule(
            "a file provider extension, which registers, too: with the app alone, changes are missed",
            PushTypeContract.fileChanges,
            .stated(thread: 706_004)
        ),
        scope: Rule("installation and environment; not the value of the app's token", registry),
        appearance: registryToken,
        length: shortLength,
        update: unchanged,
        uninstallation: ends,
        reinstallation: replaced,
        restoration: replaced,
        rotation: invalidation,
        environment: otherEnvironment,
        oldToken: later410
    )

    private static let complication = TokenContract(
        kind: .complication,
        call: Rule("`PKPushRegistry` with `.complication`", PushTypeContract.complications),
        needs: Rule("a complication on the active face of the watch", PushTypeContract.complications),
        scope: Rule("the watch; before watchOS 6, the phone", PushTypeContract.complications),
        appearance: registryToken,
        length: shortLength,
        update: unchanged,
        uninstallation: ends,
        reinstallation: replaced,
        restoration: replaced,
        rotation: invalidation,
        environment: otherEnvironment,
        oldToken: later410
    )

    private static let pushToStart = TokenContract(
        kind: .pushToStart,
        call: Rule(
            "`pushToStartTokenUpdates`; the property `pushToStartToken` has it if the sequence stays silent",
            PushTypeContract.liveActivities,
            .observed(
                4,
                "kylebshr/luka-ios 146, istornz/flutter_live_activities 124, forum thread 835188, "
                    + "software-mansion-labs/expo-live-activity 74"
            )
        ),
        needs: Rule(
            "iOS 17.2, `NSSupportsLiveActivities`, and that the app ran once; the user need not allow notifications",
            PushTypeContract.liveActivities,
            switchReports,
            .inferred
        ),
        scope: Rule(
            "each type of attributes by Apple's text; the whole app in reports",
            PushTypeContract.liveActivities,
            .observed(2, "forum thread 785281, home-assistant/mobile-apps-fcm-push 331")
        ),
        appearance: Rule("at a launch, later, or only after a first Live Activity", PushTypeContract.liveActivities),
        length: Rule("160 digits", .observed(1, "istornz/flutter_live_activities 146")),
        update: unchanged,
        uninstallation: ends,
        reinstallation: replaced,
        restoration: replaced,
        rotation: Rule(
            "after each start, sometimes without a sign",
            PushTypeContract.liveActivities,
            .observed(2, "forum thread 785281, home-assistant/mobile-apps-fcm-push 331")
        ),
        environment: otherEnvironment,
        oldToken: Rule("200, and nothing appears", .observed(1, "kylebshr/luka-ios 146"))
    )

    private static let liveActivity = TokenContract(
        kind: .liveActivity,
        call: Rule("`pushTokenUpdates` of the Live Activity", PushTypeContract.liveActivities),
        needs: Rule(
            "nothing if the app started it; after a start by a push, that the user allows it on the Lock "
                + "Screen, and `input-push-token` (iOS 18)",
            PushTypeContract.liveActivities,
            lockScreenReports
        ),
        scope: Rule("one Live Activity; one that listens to a channel has none", PushTypeContract.liveActivities),
        appearance: Rule(
            "some time after the start; for an app that the user forced to quit, not before it runs",
            PushTypeContract.liveActivities,
            forceQuitReports
        ),
        length: Rule(
            "160 digits; it varies",
            .observed(2, "forum thread 712499, ZhukV/AppleApnPush 80"),
            PushTypeContract.liveActivities
        ),
        update: Rule("it may become stale", .observed(1, "home-assistant/iOS 4830")),
        uninstallation: ends,
        reinstallation: Rule("none before the next start", .inferred),
        restoration: Rule("none before the next start", .inferred),
        rotation: Rule("at any time; the app gets time to send it to its server", PushTypeContract.liveActivities),
        environment: otherEnvironment,
        oldToken: Rule(
            "200 at first, then 410; often and normal",
            .stated(thread: 806_522),
            .observed(1, "loopandlearn/LoopFollow 657")
        )
    )

    private static let widgets = TokenContract(
        kind: .widgets,
        call: Rule("`WidgetPushHandler`", PushTypeContract.widgetPushes),
        needs: Rule("iOS 26, and a widget with a push handler", PushTypeContract.widgetPushes),
        scope: Rule("all widgets of the app with a push handler", PushTypeContract.widgetPushes),
        appearance: Rule("with the first token, in the extension", PushTypeContract.widgetPushes),
        length: unknownLength,
        update: unchanged,
        uninstallation: ends,
        reinstallation: replaced,
        restoration: replaced,
        rotation: Rule(
            "the handler is called if the token or the placed widgets change",
            PushTypeContract.widgetPushes
        ),
        environment: otherEnvironment,
        oldToken: later410
    )

    private static let control = TokenContract(
        kind: .control,
        call: Rule("`ControlPushHandler`", PushTypeContract.controlPushes),
        needs: Rule("iOS 18, and a placed control with a push handler", PushTypeContract.controlPushes),
        scope: Rule("one placed control", PushTypeContract.controlPushes),
        appearance: Rule("when the control is added or configured again", PushTypeContract.controlPushes),
        length: unknownLength,
        update: unchanged,
        uninstallation: ends,
        reinstallation: Rule("none before a control is placed", .inferred),
        restoration: replaced,
        rotation: Rule("the handler gets the whole list at each change", PushTypeContract.controlPushes),
        environment: otherEnvironment,
        oldToken: later410
    )
}
