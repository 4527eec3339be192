internal import WaypostSchema

extension PushTypeContract {
    /// The table: a row for each push type, in alphabetical order, and one for Wallet passes.
    package static let all = [
        alert, background, complication, controls, fileProvider, liveActivity, location, mdm, nowPlaying, pushToTalk,
        voip, widgets, walletPass,
    ]

    private static let requests = Evidence.documented("Sending notification requests to APNs")
    private static let payloads = Evidence.documented("Generating a remote notification")
    private static let certificates = Evidence.documented("Establishing a certificate-based connection to APNs")
    private static let backgroundUpdates = Evidence.documented("Pushing background updates to your App")
    static let liveActivities = Evidence.documented(
        "Starting and updating Live Activities with ActivityKit push notifications"
    )
    static let fileChanges = Evidence.documented("Using push notifications to signal changes")
    static let locationPushes = Evidence.documented("Creating a location push service extension")
    static let pushToTalkApps = Evidence.documented("Creating a Push to Talk app")
    static let voipPushes = Evidence.documented("Responding to VoIP notifications from PushKit")
    static let complications = Evidence.documented("PKPushType.complication")
    static let widgetPushes = Evidence.documented("Updating widgets with WidgetKit push notifications")
    static let controlPushes = Evidence.documented("Updating controls locally and remotely")
    private static let mediaSessions = Evidence.documented("Now Playing: remote media sessions")
    private static let passes = Evidence.documented("Adding a Web Service to Update Passes")

    /// The size of a payload; only VoIP pushes may be larger.
    private static let usualSize = Rule(4_096, requests)

    /// The keys for what the user sees and hears.
    private static let visibleKeys = ["alert", "badge", "sound"]

    static let alert = PushTypeContract(
        name: "alert",
        pushType: .alert,
        topic: Rule(.bundleIdentifier, requests),
        authentication: Rule(.tokenOrCertificate, requests),
        priority: Rule(.any, requests),
        maximumSize: usualSize,
        aps: Rule(.required, payloads),
        requiredKeys: [
            Rule(
                RequiredKeys(
                    "alert",
                    "badge",
                    "sound",
                    advice: "the user notices nothing; a silent push has the push type background and priority 5"
                ),
                requests,
                payloads
            )
        ],
        ignoredKeys: [],
        expiration: Rule(.any, requests),
        systems: Rule("all", requests),
        receiver: Rule("the system; the service extension; the app in the foreground, or if the user taps", payloads),
        backgroundMode: nil,
        launch: Rule("only the extension", .documented("Modifying content in newly delivered notifications")),
        launchAfterForceQuit: Rule(
            "it is shown",
            .documented("Modifying content in newly delivered notifications")
        ),
        budget: Rule(nil, requests)
    )

    static let background = PushTypeContract(
        name: "background",
        pushType: .background,
        topic: Rule(.bundleIdentifier, requests),
        authentication: Rule(.tokenOrCertificate, requests),
        priority: Rule(.only(5), requests),
        maximumSize: usualSize,
        aps: Rule(.required, backgroundUpdates),
        requiredKeys: [
            Rule(
                RequiredKeys("content-available", advice: "without it, the app is not started"),
                backgroundUpdates
            )
        ],
        ignoredKeys: [
            Rule(
                IgnoredKeys(
                    .aps(visibleKeys),
                    severity: .error,
                    reason: "does not belong into a background push; what the user sees needs the push type alert"
                ),
                backgroundUpdates
            )
        ],
        expiration: Rule(.any, backgroundUpdates),
        systems: Rule("all", requests),
        receiver: Rule("the app, for 30 seconds", backgroundUpdates),
        backgroundMode: .remoteNotification,
        launch: Rule("if the system decides so", backgroundUpdates),
        launchAfterForceQuit: Rule("it is discarded", backgroundUpdates),
        budget: Rule(Budget(3, perSeconds: 3_600), backgroundUpdates)
    )

    static let complication = PushTypeContract(
        name: "complication",
        pushType: "complication",
        topic: Rule(.suffix(".complication"), requests),
        authentication: Rule(.tokenOrCertificate, requests, certificates),
        priority: Rule(.any, .inferred),
        maximumSize: usualSize,
        aps: Rule(.optional, .inferred),
        requiredKeys: [],
        ignoredKeys: [
            Rule(
                IgnoredKeys(
                    .aps(visibleKeys),
                    severity: .warning,
                    reason: "has no effect: a complication push shows nothing by itself"
                ),
                .inferred
            )
        ],
        expiration: Rule(.any, .inferred),
        systems: Rule("watchOS, iOS", requests),
        receiver: Rule("the app on the watch or the phone", complications),
        backgroundMode: nil,
        launch: Rule("yes", complications),
        launchAfterForceQuit: Rule("not known", .inferred),
        budget: Rule(Budget(50, perSeconds: 86_400), complications)
    )

    static let controls = PushTypeContract(
        name: "controls",
        pushType: "controls",
        topic: Rule(.suffix(".push-type.controls"), controlPushes),
        authentication: Rule(.token, .inferred),
        priority: Rule(.any, .inferred),
        maximumSize: usualSize,
        aps: Rule(.required, controlPushes),
        requiredKeys: [Rule(RequiredKeys("content-changed"), controlPushes)],
        ignoredKeys: [Rule(reloadOnly, controlPushes)],
        expiration: Rule(.any, .inferred),
        systems: Rule("iOS 18 and its siblings", controlPushes),
        receiver: Rule("the control of the token, which is reloaded", controlPushes),
        backgroundMode: nil,
        launch: Rule("only the extension", controlPushes),
        launchAfterForceQuit: Rule("only the extension", .inferred),
        budget: Rule(nil, controlPushes)
    )

    static let fileProvider = PushTypeContract(
        name: "fileprovider",
        pushType: "fileprovider",
        topic: Rule(.suffix(".pushkit.fileprovider"), requests),
        authentication: Rule(.token, requests),
        priority: Rule(.any, .inferred),
        maximumSize: usualSize,
        aps: Rule(.absent, fileChanges),
        requiredKeys: [
            Rule(RequiredKeys("container-identifier", in: .payload), fileChanges),
            Rule(
                RequiredKeys("domain", in: .payload, severity: .note, advice: "the default domain is meant"),
                fileChanges,
                .stated(thread: 706_004)
            ),
        ],
        ignoredKeys: [
            Rule(
                IgnoredKeys(
                    .apsExcept([]),
                    severity: .error,
                    reason: "has no effect: a fileprovider push has its keys at the top level, and no 'aps'"
                ),
                fileChanges
            )
        ],
        expiration: Rule(.any, .inferred),
        systems: Rule("all but watchOS", requests),
        receiver: Rule("the file provider extension, whose enumerator the system signals", fileChanges),
        backgroundMode: nil,
        launch: Rule("only the extension", fileChanges),
        launchAfterForceQuit: Rule("only the extension", .inferred),
        budget: Rule(nil, fileChanges)
    )

    static let liveActivity = PushTypeContract(
        name: "liveactivity",
        pushType: "liveactivity",
        topic: Rule(.suffix(".push-type.liveactivity"), liveActivities),
        authentication: Rule(.token, .stated(thread: 712_499), .observed(1, "error 40182 of Ably")),
        priority: Rule(.budgeted, liveActivities),
        maximumSize: usualSize,
        aps: Rule(.required, liveActivities),
        requiredKeys: [
            Rule(RequiredKeys("event", advice: dropped), liveActivities),
            Rule(RequiredKeys("timestamp", advice: dropped), liveActivities),
            Rule(RequiredKeys("content-state", for: ["start", "update"], advice: dropped), liveActivities),
            Rule(RequiredKeys("attributes", for: ["start"], advice: dropped), liveActivities),
            Rule(RequiredKeys("attributes-type", for: ["start"], advice: dropped), liveActivities),
            Rule(RequiredKeys("alert", for: ["start"], severity: .warning), liveActivities),
        ],
        ignoredKeys: [
            Rule(
                IgnoredKeys(
                    .aps(["attributes", "attributes-type"]),
                    for: ["update", "end"],
                    severity: .note,
                    reason: "is fixed when the activity starts, so it is ignored"
                ),
                .inferred
            ),
            Rule(
                IgnoredKeys(
                    .aps(["dismissal-date"]),
                    for: ["start", "update"],
                    severity: .warning,
                    reason: "has an effect only with the event 'end'"
                ),
                .observed(1, "forum thread 836077")
            ),
            Rule(
                IgnoredKeys(
                    .payloadExcept([]),
                    severity: .note,
                    reason: "does not reach the Live Activity; its data is in 'content-state' and 'attributes'"
                ),
                .inferred
            ),
        ],
        expiration: Rule(.any, liveActivities),
        systems: Rule("iOS, iPadOS", liveActivities),
        receiver: Rule("the system; the app is woken when an activity starts", liveActivities),
        backgroundMode: nil,
        launch: Rule("when an activity starts", liveActivities),
        launchAfterForceQuit: Rule("the activity changes; the app is not woken", .observed(5, "forum thread 834934")),
        budget: Rule(liveActivityUpdates, liveActivityUpdatesReport)
    )

    static let location = PushTypeContract(
        name: "location",
        pushType: "location",
        topic: Rule(.suffix(".location-query"), requests),
        authentication: Rule(.token, requests),
        priority: Rule(.any, requests),
        maximumSize: usualSize,
        aps: Rule(.optional, .observed(1, "forum thread 777258")),
        requiredKeys: [],
        ignoredKeys: [
            Rule(
                IgnoredKeys(
                    .aps(visibleKeys),
                    severity: .warning,
                    reason: "has no effect: the location extension gets the push"
                ),
                .inferred
            )
        ],
        expiration: Rule(.any, .inferred),
        systems: Rule("iOS, iPadOS", requests),
        receiver: Rule("the location extension", locationPushes),
        backgroundMode: nil,
        launch: Rule("only the extension", locationPushes),
        launchAfterForceQuit: Rule("only the extension", .inferred),
        budget: Rule(Budget(360, perSeconds: 86_400), locationPushes)
    )

    static let mdm = PushTypeContract(
        name: "mdm",
        pushType: "mdm",
        topic: Rule(.prefix("com.apple.mgmt."), .inferred),
        authentication: Rule(.certificate, .inferred),
        priority: Rule(.any, .inferred),
        maximumSize: usualSize,
        aps: Rule(.absent, .observed(2, "ostinelli/apnotic, fleetdm/fleet 51647")),
        requiredKeys: [
            Rule(
                RequiredKeys("mdm", in: .payload, advice: "it contains the push magic of the device"),
                .observed(2, "ostinelli/apnotic, fleetdm/fleet 51647")
            )
        ],
        ignoredKeys: [
            Rule(
                IgnoredKeys(
                    .apsExcept([]),
                    severity: .error,
                    reason: "has no effect: an mdm push has only 'mdm', with the push magic of the device"
                ),
                .observed(2, "ostinelli/apnotic, fleetdm/fleet 51647")
            ),
            Rule(
                IgnoredKeys(
                    .payloadExcept(["mdm"]),
                    severity: .error,
                    reason: "has no effect: an mdm push has only 'mdm', with the push magic of the device"
                ),
                .observed(2, "ostinelli/apnotic, fleetdm/fleet 51647")
            ),
        ],
        expiration: Rule(.any, .observed(1, "fleetdm/fleet 51647")),
        systems: Rule("all but watchOS", requests),
        receiver: Rule("the MDM client of the system", requests),
        backgroundMode: nil,
        launch: Rule("no app is involved", .inferred),
        launchAfterForceQuit: Rule("no app is involved", .inferred),
        budget: Rule(nil, requests)
    )

    static let nowPlaying = PushTypeContract(
        name: "nowplaying",
        pushType: "nowplaying",
        topic: Rule(.suffix(".push-type.nowplaying"), mediaSessions),
        authentication: Rule(.token, .inferred),
        priority: Rule(.any, .inferred),
        maximumSize: usualSize,
        aps: Rule(.required, mediaSessions),
        requiredKeys: [
            Rule(RequiredKeys("event"), mediaSessions),
            Rule(RequiredKeys("timestamp"), mediaSessions),
            Rule(RequiredKeys("attributes", advice: "all of them; for an end, only the 'id'"), mediaSessions),
        ],
        ignoredKeys: [
            Rule(
                IgnoredKeys(
                    .aps(["content-state"]),
                    severity: .warning,
                    reason: "has no effect: a nowplaying push has its data in 'attributes'"
                ),
                mediaSessions
            )
        ],
        expiration: Rule(.any, .inferred),
        systems: Rule("iOS 27", mediaSessions),
        receiver: Rule("the remote media session; the extension is woken at a start", mediaSessions),
        backgroundMode: nil,
        launch: Rule("only the extension", mediaSessions),
        launchAfterForceQuit: Rule("not known", .inferred),
        budget: Rule(nil, mediaSessions)
    )

    static let pushToTalk = PushTypeContract(
        name: "pushtotalk",
        pushType: "pushtotalk",
        topic: Rule(.suffix(".voip-ptt"), pushToTalkApps),
        authentication: Rule(.tokenOrCertificate, certificates, pushToTalkApps),
        priority: Rule(.advised(10), pushToTalkApps),
        maximumSize: usualSize,
        aps: Rule(.optional, pushToTalkApps),
        requiredKeys: [],
        ignoredKeys: [
            Rule(
                IgnoredKeys(
                    .aps(visibleKeys),
                    severity: .warning,
                    reason: "has no effect: the app gets the push, and returns the participant"
                ),
                .inferred
            )
        ],
        expiration: Rule(.within(seconds: 60), pushToTalkApps),
        systems: Rule("iOS, iPadOS", pushToTalkApps),
        receiver: Rule("the delegate of the channel manager", pushToTalkApps),
        backgroundMode: .pushToTalk,
        launch: Rule("yes, in the background", pushToTalkApps),
        launchAfterForceQuit: Rule(
            "the session is over, and pushes are discarded",
            .observed(2, "forum threads 780822, 760506")
        ),
        budget: Rule(nil, pushToTalkApps)
    )

    static let voip = PushTypeContract(
        name: "voip",
        pushType: "voip",
        topic: Rule(.suffix(".voip"), requests),
        otherPushType: Rule(
            .invalidPushType,
            .observed(6, "Pr0Ger/PyAPNs2 87, ostinelli/apnotic 87, sideshow/apns2 148, codedge-llc/pigeon 193")
        ),
        authentication: Rule(.tokenOrCertificate, requests, certificates),
        priority: Rule(.any, .inferred),
        maximumSize: Rule(5_120, requests),
        aps: Rule(.optional, voipPushes, .observed(1, "flutter-webrtc/callkeep 162")),
        requiredKeys: [],
        ignoredKeys: [
            Rule(
                IgnoredKeys(
                    .aps(["alert"]),
                    severity: .note,
                    reason: "is not shown by the system: the app reports the call"
                ),
                .observed(1, "flutter-webrtc/callkeep 162")
            )
        ],
        expiration: Rule(.within(seconds: 60), voipPushes),
        systems: Rule("all but watchOS", requests),
        receiver: Rule("the delegate of the push registry", voipPushes),
        backgroundMode: .voip,
        launch: Rule("yes, at once", voipPushes),
        launchAfterForceQuit: Rule("yes", .inferred),
        budget: Rule(nil, voipPushes)
    )

    static let widgets = PushTypeContract(
        name: "widgets",
        pushType: "widgets",
        topic: Rule(.suffix(".push-type.widgets"), widgetPushes),
        authentication: Rule(.token, .inferred),
        priority: Rule(.any, .inferred),
        maximumSize: usualSize,
        aps: Rule(.required, widgetPushes),
        requiredKeys: [Rule(RequiredKeys("content-changed"), widgetPushes)],
        ignoredKeys: [Rule(reloadOnly, widgetPushes)],
        expiration: Rule(.any, .inferred),
        systems: Rule("iOS 26 and its siblings", widgetPushes),
        receiver: Rule("all widgets with a push handler, which are reloaded", widgetPushes),
        backgroundMode: nil,
        launch: Rule("only the extension", widgetPushes),
        launchAfterForceQuit: Rule("only the extension", .inferred),
        budget: Rule(nil, widgetPushes)
    )

    static let walletPass = PushTypeContract(
        name: "a Wallet pass",
        pushType: nil,
        topic: Rule(.prefix("pass."), passes),
        authentication: Rule(.tokenOrCertificate, passes, .observed(1, "alexalok/dotAPNS 99")),
        priority: Rule(.any, passes),
        maximumSize: usualSize,
        aps: Rule(.optional, passes),
        requiredKeys: [],
        ignoredKeys: [
            Rule(
                IgnoredKeys(
                    .aps(visibleKeys),
                    severity: .warning,
                    reason: "has no effect: the pass itself says what changed"
                ),
                .observed(3, "jpasskit 567, node-apn/node-apn 469, PyAPNs 28")
            )
        ],
        expiration: Rule(.any, passes),
        systems: Rule("iOS, iPadOS, watchOS", passes),
        receiver: Rule("Wallet, which asks the web service of the pass", passes),
        backgroundMode: nil,
        launch: Rule("no app is involved", passes),
        launchAfterForceQuit: Rule("no app is involved", passes),
        budget: Rule(nil, passes)
    )

    /// The consequence of a wrong push for a Live Activity.
    private static let dropped = "APNs answers 200, and the device drops the push"

    /// The keys of a push that only reloads something.
    private static let reloadOnly = IgnoredKeys(
        .apsExcept(["content-changed"]),
        severity: .warning,
        reason: "has no effect: the push only reloads, and brings no data"
    )
}
