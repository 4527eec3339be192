import WaypostSchema

@testable import SceneCallbacks

/// The parts of the page that are not in a table.
extension CallbacksDocument {
    static let introduction = """
        # Which code of the app runs

        Use this page to find out which methods of your app UIKit calls for an event, in which order, which argument
        has the event, and why an event is lost. [targeting.md](targeting.md) says which scene opens; this page begins
        after that choice. It is made from tables (`Core/SceneCallbacks/Rules`), and nothing here was run on a device.

        In short:

        - If the scene connects for the event, the event is in an option of `scene(_:willConnectTo:options:)`. If the
          scene is connected, the event is the argument of a method of its own. For links, URLs and quick actions it
          is never both.
        - A response to a notification is both: it is an option, and then the argument of
          `userNotificationCenter(_:didReceive:withCompletionHandler:)`, if the delegate is set before the launch
          ends.
        - A scene also connects while the process runs, if the system has disconnected it. Only the calls of the
          launch are missing then; the event is in the same option.
        - Of Handoff, only the type is an option. The activity comes later, with `scene(_:continue:)`.
        - In SwiftUI, a universal link reaches `onOpenURL(perform:)`, and not `onContinueUserActivity(_:perform:)`.
          Quick actions, silent pushes and shares need delegates.
        - An app that is built with the iOS 27 SDK and has no scenes does not launch on iOS 27.

        \(question)

        ## Read the tables

        For each life cycle there are two kinds of events: those that open the app, and those that only call it. For
        each kind, the first table has the calls around the event, and the second one those with the event and their
        arguments. **A**, **B** and **C** are the places in the first table at which the calls of the second one are;
        a call that both tables have is one call. The [names](#names) are short: `scene.willConnect` is
        `scene(_:willConnectTo:options:)`. Both tables together, for example:

        \(example)

        A number in brackets is [the source](#sources) of a call: a page of Apple, or reports if their count is before
        it (*3×*). *inferred* means that it follows from other rules, and that no source says it. The place of a call
        among the others can have another source than the call itself. *announced* is an argument without the event
        itself, and *again* one with an event that an earlier call had.
        """

    private static var example: String {
        let app = AppImplementation(sceneDelegate: [.willConnect, .continueUserActivity], reads: [.userActivities])
        return lines(of: CallbackSequence(for: .universalLink, in: .background, of: app))
    }

    /// The app of docs/examples/callbacks/plug-in.yaml.
    private static let plugIn = AppImplementation(
        sdk: 27,
        appDelegate: [.didFinishLaunching],
        sceneDelegate: [.willConnect],
        notificationCenter: CenterDelegate(methods: [.didReceive], setIn: .later),
        reads: []
    )

    private static var question: String {
        """
        ## Ask about your app

        If a plug-in loses a tap at a cold launch, or an app a link, write down which methods the code implements, and
        which values it reads. An [app file](#what-an-app-implements) has that as `callbacks`;
        [plug-in.yaml](examples/callbacks/plug-in.yaml) is one, of a plug-in that loses the tap:

            bundleIdentifier: com.example.clowntown
            scenes: []
            callbacks:
              sdk: 27
              appDelegate: [didFinishLaunching]
              sceneDelegate: [willConnect]
              notificationCenter: { methods: [didReceive], setIn: later }
              reads: []

        Then ask for a cause and a state:

            waypost callbacks --app plug-in.yaml --cause notificationTap --state notRunning

        \(lines(of: CallbackSequence(for: .notificationTap, in: .notRunning, of: plugIn)))

        The last line says what to change. With `setIn: didFinishLaunching`, the app receives the event, and the exit
        status is 0 instead of 1. `waypost check plug-in.yaml` finds the same mistake without an event.
        [cold-tap.yaml](examples/callbacks/cold-tap.yaml) is the same plug-in as a test to copy: a notification arrives,
        the user taps it, and the app must receive it. Run it as the plug-in was, and then corrected:

            waypost scenario run cold-tap.yaml --set setIn=later
            waypost scenario run cold-tap.yaml

        The first run fails with the lines above.

        Without `--cause` or `--state`, the command prints a row for each, with the calls that have the event, and
        whether it arrives. Without `--app`, it prints the calls for any app (`--life-cycle`). `waypost help callbacks`
        has the names of the causes and states, and `waypost schema app` describes the keys for editors. In a pipe, the
        command prints JSON; `--format table` prints text there, too.

        An absent key means "unknown", which is never a mistake, and the exit status is then 0; the first line names the
        key that is missing. Waypost does not read your code, so change the description in the commit that changes the
        methods.
        """
    }

    private static func lines(of sequence: CallbackSequence) -> String {
        sequence.text.split(separator: "\n").map { "    \($0)" }.joined(separator: "\n")
    }

    static let namesIntroduction = """
        ## Names

        The tables name an object and a method: `app` is the app delegate, `scene` a scene delegate, `center` the
        delegate of the notification center, `view` a modifier of a view of SwiftUI, and `intent` an App Intent.
        """

    /// Returns the heading of the tables of an effect.
    static func matrixHeading(_ effect: EventEffect) -> String {
        switch effect {
        case .opensApp: "### The event opens the app"
        case .callsApp: "### The event only calls the app"
        }
    }

    /// Returns the text before the tables of a life cycle.
    static func matrixIntroduction(_ lifeCycle: LifeCycle) -> String {
        switch lifeCycle {
        case .uiScene:
            """
            ## An app with scenes

            The app has a scene manifest or configures its scenes in code, and each scene has a delegate. "New scene"
            means that no session can display the event, or that there is none; a saved session keeps its
            configuration. An action opens the app if it has the option `.foreground`, and otherwise calls it in the
            background. A dismissal needs the option `.customDismissAction` of the category.

            - If the manifest names a storyboard, UIKit creates the window first: `viewDidLoad` runs before
              `scene.willConnect` (three reports).
            - A saved state can come together with an event; the event should win (*inferred*).
            - `session.stateRestorationActivity` is `nil` while the device is locked, and is deleted if the user forces
              the app to quit or the app crashes while it launches (Apple: Restoring your app's state).
            - A banner or Control Center over an active scene can add `scene.willResignActive` before the calls and
              `scene.didBecomeActive` after them (*inferred*).
            - The tap on an alert push with `content-available` is one on any notification; UIKit may then call
              `app.didReceiveRemoteNotification` a second time
              (Apple: application(_:didReceiveRemoteNotification:fetchCompletionHandler:)).
            - The system routes an App Intent to a scene only if it adopts `UISceneAppIntent` or
              `TargetContentProvidingIntent`, and if the app supports several scenes, even for one window
              (Apple: Directing App Intents to your app's scenes). Of any other intent, only `intent.perform` is
              called; it has to change the user interface itself.
            - If a scene is closed for good, `scene.didDisconnect` and then `app.didDiscardSceneSessions` are called. If
              the app does not run then, only `app.didDiscardSceneSessions` is, after `app.didFinishLaunching` of the
              next launch (Apple: application(_:didDiscardSceneSessions:)). If the system only reclaims its memory,
              only `scene.didDisconnect` is called, and the session stays (Apple: sceneDidDisconnect(_:)).
            - CarPlay may connect first. Then the scene of the phone connects later, or never (five reports).
            """
        case .swiftUI, .swiftUIWithAdaptor, .swiftUIWithSceneDelegate:
            """
            ## An app with SwiftUI

            The tables have the calls of an app with an adaptor (`UIApplicationDelegateAdaptor`) whose
            `app.configurationForConnecting` gives each scene a delegate class (`swiftUIWithSceneDelegate`). Without
            that class (`swiftUIWithAdaptor`), the calls of `scene` are missing, and without an adaptor (`swiftUI`)
            those of `app` too. Then the first call that is left has the event, also if the table says *again*; if none
            is left, the event is lost. Most of this is from OpenSwiftUI, a re-implementation that is checked against
            SwiftUI 6.5.4: it is good evidence, not documentation.

            - SwiftUI gives views only the first activity and the first URL, about 0.1 s after the scene connected. If
              no view has the modifier yet, the event waits. Every view of the scene with the modifier gets it
              (OpenSwiftUIProject/OpenSwiftUI, partout-io/passepartout#637). Whether that is before or after the scene
              is active is *inferred*.
            - In iOS 18.4, a universal link that launches the app reaches no view: feedback-assistant/reports#650. A
              scene delegate can read `connectionOptions.userActivities`. With `--system 18`, that is a mistake.
            - One report says that the method of a custom scene delegate, `scene.willConnect`, is not called for a
              quick action: read `options.shortcutItem` in `app.configurationForConnecting`.
            - `UIApplication.shared.delegate` is an object of SwiftUI that forwards calls to the adaptor; a cast to the
              class of the app fails (two reports).
            - An app without an adaptor can set the delegate of the notification center in the initializer of its
              `App`; for an app file, that is as early as `willFinishLaunching` (*inferred*).
            - A `DocumentGroup` opens documents itself.
            """
        case .appDelegate:
            """
            ## An app without scenes

            The app has only an app delegate. Its launch options are an argument of both launch methods; the tables
            show them at the second one. If a launch method returns false, UIKit does not call the method for the
            event. If both return true, an app that handles a quick action in both places performs it twice. If
            `application(_:continue:restorationHandler:)` returns false, the system tries to open the URL as a document.
            A local notification is not in the launch options (*inferred*).
            """
        }
    }

    static let delegateIntroduction = """
        ## The delegate of the notification center

        A response that launches the app reaches the delegate only if the app sets it in time. An app is right if it
        sets the delegate in `app.didFinishLaunching` and handles only `center.didReceive`, or if it handles both
        calls and removes the duplicate by the identifiers of the request and of the action.
        """

    static let migrationIntroduction = """
        ## You migrate to scenes: what breaks

        UIKit does not call these methods any more, even if the app delegate has them. Each row is also a step of a
        scenario, with an app before and after the migration:
        [URLs, links, quick actions and shares](examples/callbacks/migration-events.yaml),
        [Handoff](examples/callbacks/migration-handoff.yaml), and
        [the launch, restoration and the life cycle](examples/callbacks/migration-launch.yaml).
        [scenarios.md](scenarios.md#calls-of-your-apps-methods) says how to test your own app.
        """

    static let migrationRest = """
        Besides:

        - `launchOptions` is `nil` in both launch methods.
        - `sceneWillEnterForeground(_:)` is called at the first launch too; `applicationWillEnterForeground(_:)` was
          not.
        - Still called are the launch methods, `application(_:configurationForConnecting:options:)`,
          `application(_:didDiscardSceneSessions:)` and
          `application(_:didReceiveRemoteNotification:fetchCompletionHandler:)`; those for device tokens and
          background sessions are, too (*inferred*).
        - `UIApplication` posts its notifications, such as `didBecomeActiveNotification`, for all scenes together.
        - A framework may forward events of scenes to the old methods. That is not UIKit, and no part of this page.

        | system | without scenes | source |
        | --- | --- | --- |
        | iOS 18.4 | the system logs that the app will have to adopt scenes | TN3187 |
        | iOS 26 | the system logs it in other words | TN3187 |
        | SDK of iOS 26 | the old methods and all keys of the launch options are deprecated | `UIApplicationDelegate` |
        | iOS 26, app built with the SDK of iOS 27 | the app runs | one report: wordpress-mobile/WordPress-iOS#25930 |
        | iOS 27, app built with the SDK of iOS 27 | the app does not launch | TN3187 |
        | iOS 27, app built with an older SDK | the app runs | *inferred* |

        Several scenes stay optional.
        """

    static let mistakesIntroduction = """
        ## Frequent mistakes

        A finding needs an app that says [what it implements](#what-an-app-implements); what is absent there is not
        known, and never a finding. `noDeclarationMatches` and `windowPerEvent` are mistakes in what the app
        [declares](targeting.md#declarations).
        """

    static let appFiles = """
        ## What an app implements

        An app file has the object `callbacks` beside `bundleIdentifier` and `scenes`, with the names of this page
        without their objects. An absent key means "unknown", and never leads to a finding,
        except that an absent `lifeCycle` is `uiScene`:

            callbacks:
              lifeCycle: uiScene                 # uiScene if absent; or appDelegate, swiftUI and others
              sdk: 27
              supportsMultipleScenes: true
              appDelegate: [didFinishLaunching, didReceiveRemoteNotification]
              sceneDelegate: [willConnect, openURLContexts, continueUserActivity, performAction]
              notificationCenter: { methods: [didReceive, willPresent], setIn: didFinishLaunching }
              views: [onOpenURL, onContinueUserActivity]           # in an app of SwiftUI
              appIntents: [performNavigation, perform]
              reads: [urlContexts, userActivities, shortcutItem]   # in willConnect; or launchOptions
              deduplicates: [notificationResponse]                 # handled once, although it comes twice
              practices: []

        `setIn` is `willFinishLaunching`, `didFinishLaunching`, `willConnect`, `later` or `never`. `practices` are
        habits of the code; each is a finding, most of them only in an app of UIKit with scenes: \(practiceNames).
        """

    private static let practiceNames = Practice.allCases.map { "`\($0.rawValue)`" }.joined(separator: ", ")

    static let openQuestions = """
        ## Open questions

        Nobody has published an answer. The tables have the likely one, as *inferred*.

        1. A tap that launches the app: is `center.didReceive` called before or after `scene.willEnterForeground`? Is
           `connectionOptions.notificationResponse` set if the payload has `content-available`? One project reports
           that it was missing.
        2. A scene in the background: do a quick action, a search result and Handoff arrive before or after
           `scene.willEnterForeground`?
        3. Does a background action or a silent push connect a scene, and does the number of scenes matter?
        4. A second event while the app launches: does one `scene.willConnect` have both, or does a method follow?
        5. SwiftUI: is a universal link that launches the app still lost in iOS 26 and 27?
        6. Is a response delivered twice, as a tap at launch, if it connects a scene of a running process, or is an
           action?
        7. A scene that the app requests for an activity, and that is connected already: does it get
           `scene.continueUserActivity`, and before or after `scene.willEnterForeground`?

        Two answers rest on one test suite, which runs on simulators: a custom URL arrives before
        `scene.willEnterForeground`, a universal link after it. That a response comes twice at launch is reported by
        authors of plug-ins, for iOS 17 to 26; two reports say that the option was `nil`.
        """
}
