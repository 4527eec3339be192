/// A device, as a device file describes it.
public struct DeviceDescription: Codable, Sendable, Equatable {
    /// The device's name, unique among the devices of an agent.
    public var name: String

    /// The version of iOS, such as `26.4`; absent if nothing depends on it.
    public var system: SystemVersion?

    /// The apps on the device.
    public var apps: [AppDescription]

    /// The replacements for domains during development: for each domain, a file or the base URL of a server.
    ///
    /// If present, entries with `?mode=developer` apply (Settings > Developer > Associated Domains Development).
    public var associatedDomainsDevelopment: [String: String]?

    /// Whether a pinned link is available even if sharing is off; `true` if absent.
    public var pinnedIsAlwaysAvailable: Bool

    /// Whether automatic sharing also permits the links that came before it was turned on; absent for no.
    public var automaticSharingIncludesEarlier: Bool?

    /// Whether a pinned link is available even if nobody in the conversation of the pin is a contact; absent for no.
    public var pinnedNeedsNoContact: Bool?

    /// Whether a scene may prefer only what it can display; `false` if absent.
    public var prefersOnlyAmongCapable: Bool

    /// Whether a response for which a scene connects is delivered a second time; absent for yes.
    ///
    /// `userNotificationCenter(_:didReceive:withCompletionHandler:)` then receives it after
    /// `scene(_:willConnectTo:options:)`.
    public var responseAlsoAtConnect: Bool?

    /// Whether a badge of 0 clears the notifications of its app, too; absent for no.
    public var badgeZeroClears: Bool?

    /// Whether links that are too old, and not pinned, are shown only after Show More; absent for yes.
    public var staleBehindShowMore: Bool?

    /// The user's language, as a BCP 47 tag such as `ja`; English if absent.
    public var language: String

    /// The user's preferred text size; `large` if absent.
    public var preferredContentSizeCategory: ContentSizeCategory

    /// Whether Low Power Mode is on; `false` if absent.
    public var lowPowerMode: Bool

    /// Whether Airplane Mode is on, so that the device is offline; `false` if absent.
    public var airplaneMode: Bool

    /// The Focus that is on; absent for none.
    public var focus: Focus?

    /// Whether the device is locked; absent for no.
    public var locked: Bool?

    /// Whether the mute switch is on, so that only critical alerts are heard; absent for no.
    public var muteSwitch: Bool?

    /// Whether the user is in a call; absent for no.
    public var activeCall: Bool?

    /// The user's phone number or email address, from which the user's messages are sent; absent for none.
    public var handle: Handle?

    /// The user's other phone numbers and email addresses; absent for none.
    public var handles: [Handle]?

    /// The user's cards in Contacts; absent for none.
    public var contacts: [Contact]?

    /// The environment of the device's tokens; absent to accept pushes of both.
    public var environment: PushEnvironment?

    /// The number of scenes that the user sees at the same time; absent for one.
    public var layout: WindowLayout?

    /// Creates the value from its parts.
    public init(
        name: String,
        system: SystemVersion? = nil,
        apps: [AppDescription],
        associatedDomainsDevelopment: [String: String]? = nil,
        pinnedIsAlwaysAvailable: Bool = true,
        automaticSharingIncludesEarlier: Bool? = nil,
        pinnedNeedsNoContact: Bool? = nil,
        prefersOnlyAmongCapable: Bool = false,
        responseAlsoAtConnect: Bool? = nil,
        badgeZeroClears: Bool? = nil,
        staleBehindShowMore: Bool? = nil,
        language: String = "en",
        preferredContentSizeCategory: ContentSizeCategory = .large,
        lowPowerMode: Bool = false,
        airplaneMode: Bool = false,
        focus: Focus? = nil,
        locked: Bool? = nil,
        muteSwitch: Bool? = nil,
        activeCall: Bool? = nil,
        handle: Handle? = nil,
        handles: [Handle]? = nil,
        contacts: [Contact]? = nil,
        environment: PushEnvironment? = nil,
        layout: WindowLayout? = nil
    ) {
        self.name = name
        self.system = system
        self.apps = apps
        self.associatedDomainsDevelopment = associatedDomainsDevelopment
        self.pinnedIsAlwaysAvailable = pinnedIsAlwaysAvailable
        self.automaticSharingIncludesEarlier = automaticSharingIncludesEarlier
        self.pinnedNeedsNoContact = pinnedNeedsNoContact
        self.prefersOnlyAmongCapable = prefersOnlyAmongCapable
        self.responseAlsoAtConnect = responseAlsoAtConnect
        self.badgeZeroClears = badgeZeroClears
        self.staleBehindShowMore = staleBehindShowMore
        self.language = language
        self.preferredContentSizeCategory = preferredContentSizeCategory
        self.lowPowerMode = lowPowerMode
        self.airplaneMode = airplaneMode
        self.focus = focus
        self.locked = locked
        self.muteSwitch = muteSwitch
        self.activeCall = activeCall
        self.handle = handle
        self.handles = handles
        self.contacts = contacts
        self.environment = environment
        self.layout = layout
    }

    /// Parses a device; its name and its apps are required.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            name: try container.decode(String.self, forKey: .name),
            system: try container.decodeIfPresent(SystemVersion.self, forKey: .system),
            apps: try container.decode([AppDescription].self, forKey: .apps),
            associatedDomainsDevelopment: try container.decodeIfPresent(
                [String: String].self,
                forKey: .associatedDomainsDevelopment
            ),
            pinnedIsAlwaysAvailable: try container.decodeIfPresent(Bool.self, forKey: .pinnedIsAlwaysAvailable)
                ?? true,
            automaticSharingIncludesEarlier: try container.decodeIfPresent(
                Bool.self,
                forKey: .automaticSharingIncludesEarlier
            ),
            pinnedNeedsNoContact: try container.decodeIfPresent(Bool.self, forKey: .pinnedNeedsNoContact),
            prefersOnlyAmongCapable: try container.decodeIfPresent(Bool.self, forKey: .prefersOnlyAmongCapable)
                ?? false,
            responseAlsoAtConnect: try container.decodeIfPresent(Bool.self, forKey: .responseAlsoAtConnect),
            badgeZeroClears: try container.decodeIfPresent(Bool.self, forKey: .badgeZeroClears),
            staleBehindShowMore: try container.decodeIfPresent(Bool.self, forKey: .staleBehindShowMore),
            language: try container.decodeIfPresent(String.self, forKey: .language) ?? "en",
            preferredContentSizeCategory: try container.decodeIfPresent(
                ContentSizeCategory.self,
                forKey: .preferredContentSizeCategory
            ) ?? .large,
            lowPowerMode: try container.decodeIfPresent(Bool.self, forKey: .lowPowerMode) ?? false,
            airplaneMode: try container.decodeIfPresent(Bool.self, forKey: .airplaneMode) ?? false,
            focus: try container.decodeIfPresent(Focus.self, forKey: .focus),
            locked: try container.decodeIfPresent(Bool.self, forKey: .locked),
            muteSwitch: try container.decodeIfPresent(Bool.self, forKey: .muteSwitch),
            activeCall: try container.decodeIfPresent(Bool.self, forKey: .activeCall),
            handle: try container.decodeIfPresent(Handle.self, forKey: .handle),
            handles: try container.decodeIfPresent([Handle].self, forKey: .handles),
            contacts: try container.decodeIfPresent([Contact].self, forKey: .contacts),
            environment: try container.decodeIfPresent(PushEnvironment.self, forKey: .environment),
            layout: try container.decodeIfPresent(WindowLayout.self, forKey: .layout)
        )
    }
}
