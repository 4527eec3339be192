/// An app on a device, and its scene sessions.
public struct AppDescription: Codable, Sendable, Equatable {
    /// The app's bundle identifier, which is also the topic of its notifications.
    public var bundleIdentifier: BundleIdentifier

    /// The app's name, as the user sees it; the bundle identifier if absent.
    public var displayName: String?

    /// The app's application identifier: a prefix, a period and the bundle identifier; required for universal links.
    public var applicationIdentifier: ApplicationIdentifier?

    /// The entries of the app's associated domains (`com.apple.developer.associated-domains`).
    public var associatedDomains: [String]

    /// Whether the app is managed, so that its entries with `?mode=managed` apply; `false` if absent.
    public var isManaged: Bool

    /// Whether the app has the Shared with You capability (`com.apple.developer.shared-with-you`); `false` if absent.
    public var sharedWithYou: Bool

    /// Whether the app supports multiple scenes; `true` if absent.
    public var supportsMultipleScenes: Bool

    /// The app's scene sessions.
    public var scenes: [SceneSession]

    /// The app's static quick actions (`UIApplicationShortcutItems`); empty if absent.
    public var shortcutItems: [ShortcutItem]

    /// The quick actions that the app set at run time, listed after the static ones; empty if absent.
    public var dynamicShortcutItems: [ShortcutItem]

    /// The strings of the app for notifications with a `loc-key`, by language (BCP 47) and key; absent for none.
    public var localizedStrings: [String: [String: String]]?

    /// The user's settings for the notifications of the app; everything but critical alerts is allowed if absent.
    public var notificationSettings: NotificationSettings?

    /// The categories with the actions of the app's notifications; absent for none.
    public var notificationCategories: [NotificationCategory]?

    /// The answer of the app to `willPresent` if no process of it gives one: what appears while the app is in the
    /// foreground; absent for nothing, or for everything if `callbacks` say that the app sets no delegate.
    public var foregroundPresentation: [PresentationOption]?

    /// Whether the app has a notification service extension; absent for no.
    public var notificationServiceExtension: Bool?

    /// The ways in which the app runs in the background (`UIBackgroundModes`); absent for none.
    public var backgroundModes: [BackgroundMode]?

    /// Whether the user allows Background App Refresh for the app; absent for yes.
    public var backgroundRefresh: Bool?

    /// Whether the app has Live Activities (`NSSupportsLiveActivities`); absent for no.
    public var supportsLiveActivities: Bool?

    /// Whether the app has frequent updates of Live Activities (`NSSupportsLiveActivitiesFrequentUpdates`), for which
    /// the budget is larger; updates have no budget if absent.
    public var supportsFrequentLiveActivityUpdates: Bool?

    /// Whether the system ends the app if it reports no call for a VoIP push, or no participant for a push to talk;
    /// absent for no.
    public var mustReportCalls: Bool?

    /// The receivers of pushes besides the app's process; absent for none, so that such pushes are discarded.
    public var pushReceivers: [PushReceiver]?

    /// The user's decision about the location, which location pushes need; `authorizedAlways` if absent.
    public var locationAuthorization: LocationAuthorization?

    /// The budgets for pushes; absent for those that are documented or were observed.
    public var budgets: PushBudgets?

    /// The user's choices and the state on which starts of the app's Live Activities and their tokens depend; if
    /// absent, nothing depends on them.
    public var liveActivities: LiveActivitySettings?

    /// The types of the app's Live Activities by their name (`attributes-type`); absent if they are not described, so
    /// that anything decodes.
    public var liveActivityTypes: [String: LiveActivityType]?

    /// The environment of the app's tokens (`aps-environment`); that of the device if absent.
    public var environment: PushEnvironment?

    /// How the app is signed; for development if absent.
    public var signing: AppSigning?

    /// The methods that the app implements, and the values that it reads; unknown if absent.
    public var callbacks: AppImplementation?

    /// The declarations of the app's scenes, in their order; unknown if absent.
    public var declarations: [SceneDeclaration]?

    /// The schemes of the app's custom URLs (`CFBundleURLSchemes`); absent for none.
    public var urlSchemes: [String]?

    /// The names of the app's sound files, with their extensions; if absent, every file exists.
    public var sounds: [String]?

    /// The kinds of tokens that the app has, each a token of its own; absent if it uses the device's token.
    public var tokens: [TokenPurpose.Kind]?

    /// The values of the app that arguments of conditions name; absent for none.
    public var values: [String: JSONValue]?

    /// The context menu of the app's content; absent if it is not described.
    public var contextMenu: ContentMenu?

    /// Creates the value from its parts.
    public init(
        bundleIdentifier: BundleIdentifier,
        displayName: String? = nil,
        applicationIdentifier: ApplicationIdentifier? = nil,
        associatedDomains: [String] = [],
        isManaged: Bool = false,
        sharedWithYou: Bool = false,
        supportsMultipleScenes: Bool = true,
        scenes: [SceneSession],
        shortcutItems: [ShortcutItem] = [],
        dynamicShortcutItems: [ShortcutItem] = [],
        localizedStrings: [String: [String: String]]? = nil,
        notificationSettings: NotificationSettings? = nil,
        notificationCategories: [NotificationCategory]? = nil,
        foregroundPresentation: [PresentationOption]? = nil,
        notificationServiceExtension: Bool? = nil,
        backgroundModes: [BackgroundMode]? = nil,
        backgroundRefresh: Bool? = nil,
        supportsLiveActivities: Bool? = nil,
        supportsFrequentLiveActivityUpdates: Bool? = nil,
        mustReportCalls: Bool? = nil,
        pushReceivers: [PushReceiver]? = nil,
        locationAuthorization: LocationAuthorization? = nil,
        budgets: PushBudgets? = nil,
        liveActivities: LiveActivitySettings? = nil,
        liveActivityTypes: [String: LiveActivityType]? = nil,
        environment: PushEnvironment? = nil,
        signing: AppSigning? = nil,
        callbacks: AppImplementation? = nil,
        declarations: [SceneDeclaration]? = nil,
        urlSchemes: [String]? = nil,
        sounds: [String]? = nil,
        tokens: [TokenPurpose.Kind]? = nil,
        values: [String: JSONValue]? = nil,
        contextMenu: ContentMenu? = nil
    ) {
        self.bundleIdentifier = bundleIdentifier
        self.displayName = displayName
        self.applicationIdentifier = applicationIdentifier
        self.associatedDomains = associatedDomains
        self.isManaged = isManaged
        self.sharedWithYou = sharedWithYou
        self.supportsMultipleScenes = supportsMultipleScenes
        self.scenes = scenes
        self.shortcutItems = shortcutItems
        self.dynamicShortcutItems = dynamicShortcutItems
        self.localizedStrings = localizedStrings
        self.notificationSettings = notificationSettings
        self.notificationCategories = notificationCategories
        self.foregroundPresentation = foregroundPresentation
        self.notificationServiceExtension = notificationServiceExtension
        self.backgroundModes = backgroundModes
        self.backgroundRefresh = backgroundRefresh
        self.supportsLiveActivities = supportsLiveActivities
        self.supportsFrequentLiveActivityUpdates = supportsFrequentLiveActivityUpdates
        self.mustReportCalls = mustReportCalls
        self.pushReceivers = pushReceivers
        self.locationAuthorization = locationAuthorization
        self.budgets = budgets
        self.liveActivities = liveActivities
        self.liveActivityTypes = liveActivityTypes
        self.environment = environment
        self.signing = signing
        self.callbacks = callbacks
        self.declarations = declarations
        self.urlSchemes = urlSchemes
        self.sounds = sounds
        self.tokens = tokens
        self.values = values
        self.contextMenu = contextMenu
    }

    /// Parses an app; its bundle identifier and its scenes are required.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            bundleIdentifier: try container.decode(BundleIdentifier.self, forKey: .bundleIdentifier),
            displayName: try container.decodeIfPresent(String.self, forKey: .displayName),
            applicationIdentifier: try container.decodeIfPresent(
                ApplicationIdentifier.self,
                forKey: .applicationIdentifier
            ),
            associatedDomains: try container.decodeIfPresent([String].self, forKey: .associatedDomains) ?? [],
            isManaged: try container.decodeIfPresent(Bool.self, forKey: .isManaged) ?? false,
            sharedWithYou: try container.decodeIfPresent(Bool.self, forKey: .sharedWithYou) ?? false,
            supportsMultipleScenes: try container.decodeIfPresent(Bool.self, forKey: .supportsMultipleScenes) ?? true,
            scenes: try container.decode([SceneSession].self, forKey: .scenes),
            shortcutItems: try container.decodeIfPresent([ShortcutItem].self, forKey: .shortcutItems) ?? [],
            dynamicShortcutItems: try container.decodeIfPresent([ShortcutItem].self, forKey: .dynamicShortcutItems)
                ?? [],
            localizedStrings: try container.decodeIfPresent([String: [String: String]].self, forKey: .localizedStrings),
            notificationSettings: try container.decodeIfPresent(
                NotificationSettings.self,
                forKey: .notificationSettings
            ),
            notificationCategories: try container.decodeIfPresent(
                [NotificationCategory].self,
                forKey: .notificationCategories
            ),
            foregroundPresentation: try container.decodeIfPresent(
                [PresentationOption].self,
                forKey: .foregroundPresentation
            ),
            notificationServiceExtension: try container.decodeIfPresent(
                Bool.self,
                forKey: .notificationServiceExtension
            ),
            backgroundModes: try container.decodeIfPresent([BackgroundMode].self, forKey: .backgroundModes),
            backgroundRefresh: try container.decodeIfPresent(Bool.self, forKey: .backgroundRefresh),
            supportsLiveActivities: try container.decodeIfPresent(Bool.self, forKey: .supportsLiveActivities),
            supportsFrequentLiveActivityUpdates: try container.decodeIfPresent(
                Bool.self,
                forKey: .supportsFrequentLiveActivityUpdates
            ),
            mustReportCalls: try container.decodeIfPresent(Bool.self, forKey: .mustReportCalls),
            pushReceivers: try container.decodeIfPresent([PushReceiver].self, forKey: .pushReceivers),
            locationAuthorization: try container.decodeIfPresent(
                LocationAuthorization.self,
                forKey: .locationAuthorization
            ),
            budgets: try container.decodeIfPresent(PushBudgets.self, forKey: .budgets),
            liveActivities: try container.decodeIfPresent(LiveActivitySettings.self, forKey: .liveActivities),
            liveActivityTypes: try container.decodeIfPresent(
                [String: LiveActivityType].self,
                forKey: .liveActivityTypes
            ),
            environment: try container.decodeIfPresent(PushEnvironment.self, forKey: .environment),
            signing: try container.decodeIfPresent(AppSigning.self, forKey: .signing),
            callbacks: try container.decodeIfPresent(AppImplementation.self, forKey: .callbacks),
            declarations: try container.decodeIfPresent([SceneDeclaration].self, forKey: .declarations),
            urlSchemes: try container.decodeIfPresent([String].self, forKey: .urlSchemes),
            sounds: try container.decodeIfPresent([String].self, forKey: .sounds),
            tokens: try container.decodeIfPresent([TokenPurpose.Kind].self, forKey: .tokens),
            values: try container.decodeIfPresent([String: JSONValue].self, forKey: .values),
            contextMenu: try container.decodeIfPresent(ContentMenu.self, forKey: .contextMenu)
        )
    }
}
