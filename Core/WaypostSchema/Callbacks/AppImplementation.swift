/// The methods that an app implements, and the values that it reads.
///
/// It is the object `callbacks` of an app file. An absent member means "unknown" and never leads to a finding,
/// except that an absent `lifeCycle` is `uiScene`.
public struct AppImplementation: Codable, Sendable, Equatable {
    /// The life cycle; `uiScene` if absent.
    public var lifeCycle: LifeCycle

    /// The major version of the iOS SDK with which the app is built.
    public var sdk: Int?

    /// Whether the app supports several scenes (`UIApplicationSupportsMultipleScenes`).
    public var supportsMultipleScenes: Bool?

    /// The methods of the app delegate.
    public var appDelegate: [AppDelegateMethod]?

    /// The methods of the scene delegate.
    public var sceneDelegate: [SceneDelegateMethod]?

    /// The delegate of the notification center.
    public var notificationCenter: CenterDelegate?

    /// The modifiers of the views, in an app of SwiftUI.
    public var views: [ViewMethod]?

    /// The methods of the App Intents that the system routes to a scene.
    public var appIntents: [AppIntentMethod]?

    /// The values that the app reads when it is launched or a scene connects.
    public var reads: [StartOption]?

    /// The values whose event the app handles once, although a later call has it again.
    public var deduplicates: [StartOption]?

    /// The habits of the app's code that matter here.
    public var practices: [Practice]?

    /// Creates the value from its parts.
    public init(
        lifeCycle: LifeCycle = .uiScene,
        sdk: Int? = nil,
        supportsMultipleScenes: Bool? = nil,
        appDelegate: [AppDelegateMethod]? = nil,
        sceneDelegate: [SceneDelegateMethod]? = nil,
        notificationCenter: CenterDelegate? = nil,
        views: [ViewMethod]? = nil,
        appIntents: [AppIntentMethod]? = nil,
        reads: [StartOption]? = nil,
        deduplicates: [StartOption]? = nil,
        practices: [Practice]? = nil
    ) {
        self.lifeCycle = lifeCycle
        self.sdk = sdk
        self.supportsMultipleScenes = supportsMultipleScenes
        self.appDelegate = appDelegate
        self.sceneDelegate = sceneDelegate
        self.notificationCenter = notificationCenter
        self.views = views
        self.appIntents = appIntents
        self.reads = reads
        self.deduplicates = deduplicates
        self.practices = practices
    }

    /// Parses the value; every member may be absent.
    ///
    /// - Throws: `DecodingError` if a member has another form, or `sdk` is less than 1.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let sdk = try container.decodeIfPresent(Int.self, forKey: .sdk)
        guard sdk.map({ $0 >= 1 }) ?? true else {
            throw DecodingError.dataCorruptedError(forKey: .sdk, in: container, debugDescription: "must be at least 1")
        }
        self.init(
            lifeCycle: try container.decodeIfPresent(LifeCycle.self, forKey: .lifeCycle) ?? .uiScene,
            sdk: sdk,
            supportsMultipleScenes: try container.decodeIfPresent(Bool.self, forKey: .supportsMultipleScenes),
            appDelegate: try container.decodeIfPresent([AppDelegateMethod].self, forKey: .appDelegate),
            sceneDelegate: try container.decodeIfPresent([SceneDelegateMethod].self, forKey: .sceneDelegate),
            notificationCenter: try container.decodeIfPresent(CenterDelegate.self, forKey: .notificationCenter),
            views: try container.decodeIfPresent([ViewMethod].self, forKey: .views),
            appIntents: try container.decodeIfPresent([AppIntentMethod].self, forKey: .appIntents),
            reads: try container.decodeIfPresent([StartOption].self, forKey: .reads),
            deduplicates: try container.decodeIfPresent([StartOption].self, forKey: .deduplicates),
            practices: try container.decodeIfPresent([Practice].self, forKey: .practices)
        )
    }
}

/// The delegate of the notification center of an app.
public struct CenterDelegate: Codable, Sendable, Equatable {
    /// The methods that it implements.
    public var methods: [CenterDelegateMethod]?

    /// The method in which the app sets it.
    public var setIn: DelegateSetting?

    /// Creates the value from its parts.
    public init(methods: [CenterDelegateMethod]? = nil, setIn: DelegateSetting? = nil) {
        self.methods = methods
        self.setIn = setIn
    }
}
