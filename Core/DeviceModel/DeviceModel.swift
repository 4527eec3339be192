internal import Attribution
internal import Consent
public import Highlights
internal import Targeting
internal import UniversalLinks
public import WaypostSchema

/// A device as a value: its apps, their scenes, its notifications, and the links from Messages for its apps.
///
/// Only `apply` changes it, and time passes only with the events, so the same journal gives the same device. A copy is
/// a snapshot: it costs little, and is independent.
public struct DeviceModel: Sendable, Codable {
    /// The device's name.
    public private(set) var name: String

    /// The version of the system; `nil` if nothing depends on it.
    public private(set) var system: SystemVersion?

    /// The links from Messages that each app has, with the reasons.
    public internal(set) var sharing: SharedWithYou

    /// The user's settings that affect attribution views.
    public private(set) var traits = AttributionTraits()

    var apps: [BundleIdentifier: InstalledApp] = [:]

    /// The attribution views that apps requested.
    var views = AttributionViews()

    /// The screen over an app that an attribution view opened; `nil` for none.
    var presentation: AttributionScreen?

    /// The notifications that the device received.
    var received = ReceivedNotifications()

    /// The scene activations that wait for processes of their apps.
    var waiting = ActivationQueue()

    /// The activities of other devices that the user can continue.
    var offered = OfferedActivities()

    var snapshots = DeviceSnapshots()

    /// The last description of the device.
    private(set) var origin: DeviceDescription?
    private(set) var associations = AssociationFiles([])

    /// The notifications that contained events of Messages.
    var messagesNotifications: Set<NotificationID> = []

    /// The Focus that is on; `nil` for none.
    public internal(set) var focus: Focus?

    /// The numbers on the icons of apps; an app without a badge is absent.
    var badges: [BundleIdentifier: Int] = [:]

    var calls = AppCalls()
    var activities = LiveActivities()
    var launches: [BundleIdentifier: BackgroundLaunches] = [:]

    /// The tokens of the apps that have tokens of their own.
    public internal(set) var tokens = DeviceTokens()

    /// The calls of the push receivers of apps.
    var receivers: [BundleIdentifier: ReceiverCalls] = [:]

    /// The apps that the user forced to quit, and has not opened since.
    var forceQuit: Set<BundleIdentifier> = []

    /// The apps whose shelves show all items, because the user tapped Show More; until the app ends.
    var expandedShelves: Set<BundleIdentifier> = []

    /// Whether the device is locked.
    public private(set) var isLocked = false

    /// Whether the mute switch is on, so that only critical alerts are heard.
    private(set) var isMuted = false

    /// Whether the user is in a call; `nil` for no.
    private(set) var hasActiveCall: Bool?

    /// The environment of the device's tokens; `nil` to accept pushes of both.
    public private(set) var environment: PushEnvironment?

    /// The replacements for domains during development, by domain; `nil` if the device does not allow them.
    private var development: [String: String]?
    private var pinnedIsAlwaysAvailable = true
    private var automaticSharingIncludesEarlier = false
    private var pinnedNeedsNoContact = false
    private(set) var prefersOnlyAmongCapable = false

    /// Whether a response for which a scene connects is delivered a second time.
    private(set) var isResponseRepeated = true

    /// Whether a badge of 0 clears the notifications of its app, too.
    private(set) var badgeZeroClears = false
    private(set) var language = "en"

    /// The number of scenes that the user sees at the same time.
    private(set) var layout = WindowLayout.fullScreen

    /// The number of times that a scene came to the front.
    ///
    /// Several scenes may come to the front at the same time, and even because of one event.
    var activationCount = 0

    /// The user's phone number or email address, from which the user's messages are sent.
    private(set) var handle: Handle?

    /// The user's other phone numbers and email addresses.
    private var handles: [Handle] = []

    /// The user's messages that the gateway has not accepted yet, the oldest first.
    public internal(set) var outbox: [OutgoingMessage] = []

    /// Whether power is low, so that deferrable work waits.
    public private(set) var isLowPowerModeEnabled = false

    /// Whether the device is in Airplane Mode.
    public private(set) var isInAirplaneMode = false

    /// The number of the last event, from 1.
    private(set) var eventNumber = 0

    /// Creates a device without any events, with which every journal begins.
    public init(ranking: RankingRules = RankingRules()) {
        name = ""
        sharing = SharedWithYou(ranking: ranking)
    }

    /// Creates a device from `description`.
    ///
    /// Its apps receive no updates of their lists, because an app reads its list when it starts.
    ///
    /// - Throws: `DescriptionError` that names the app and the scene that cannot be used.
    public init(_ description: DeviceDescription) throws(DescriptionError) {
        self.init()
        guard !description.name.isEmpty else { throw .noName }
        _ = try applyDescription(description)
    }

    /// The latest valid time: the end of the year 9999.
    public static let latestTime = Timestamp.endOfYear9999

    /// The topics of the notifications for the device's token, sorted.
    ///
    /// Apps that have tokens of their own do not use it.
    public var topics: [Topic] {
        (appsWithoutTokens.flatMap(\.topics) + [.messages, .activities]).sorted { $0.rawValue < $1.rawValue }
    }

    /// The apps that use the device's token.
    private var appsWithoutTokens: [AppDescription] {
        apps.values.map(\.description).filter { $0.tokens == nil }
    }

    /// The environments of the apps that use the device's token and have another one than the device, by bundle
    /// identifier.
    public var appEnvironments: [String: PushEnvironment] {
        let environments = appsWithoutTokens.compactMap { app in
            app.environment.map { (app.bundleIdentifier.rawValue, $0) }
        }
        return Dictionary(uniqueKeysWithValues: environments).filter { $0.value != environment }
    }

    /// The notifications on the device, in the order of their arrival.
    public var notifications: [DeviceNotification] {
        received.listedNotifications
    }

    /// Returns whether a notification was delivered, even if it was dismissed since.
    public func hasReceived(_ notification: NotificationID) -> Bool {
        received.wasDelivered(notification) || messagesNotifications.contains(notification)
            || offered.wasDelivered(notification)
    }

    /// The device as it is now; scenes have their current states.
    public var description: DeviceDescription {
        let descriptions = apps.values.map(\.description)
        let contacts = sharing.contacts
        return DeviceDescription(
            name: name,
            system: system,
            apps: descriptions.sorted { $0.bundleIdentifier.rawValue < $1.bundleIdentifier.rawValue },
            associatedDomainsDevelopment: development,
            pinnedIsAlwaysAvailable: pinnedIsAlwaysAvailable,
            automaticSharingIncludesEarlier: automaticSharingIncludesEarlier ? true : nil,
            pinnedNeedsNoContact: pinnedNeedsNoContact ? true : nil,
            prefersOnlyAmongCapable: prefersOnlyAmongCapable,
            responseAlsoAtConnect: isResponseRepeated ? nil : false,
            badgeZeroClears: badgeZeroClears ? true : nil,
            staleBehindShowMore: sharing.isStaleBehindShowMore ? nil : false,
            language: language,
            preferredContentSizeCategory: traits.preferredContentSizeCategory,
            lowPowerMode: isLowPowerModeEnabled,
            airplaneMode: isInAirplaneMode,
            focus: focus,
            locked: isLocked ? true : nil,
            muteSwitch: isMuted ? true : nil,
            activeCall: hasActiveCall,
            handle: handle,
            handles: handles.isEmpty ? nil : handles,
            contacts: contacts.isEmpty ? nil : contacts,
            environment: environment,
            layout: layout == .fullScreen ? nil : layout
        )
    }

    /// Applies what the passing of time changes until `now`, and then `event`.
    ///
    /// - Parameters:
    ///   - event: the event.
    ///   - now: the time of the event; a time before that of an earlier event counts as that time.
    /// - Returns: the effects, and the next time when something changes without an event.
    /// - Complexity: the cost of a message does not grow with the number of messages before it; see `SharedWithYou`.
    public mutating func apply(_ event: DeviceEvent, at now: Timestamp) -> DeviceReaction {
        eventNumber += 1
        var effects = sharing.advanceTime(to: now)
        effects += advanceNotifications(to: sharing.clock)
        do throws(IgnoredEvent) {
            effects += try handle(event, at: sharing.clock)
        } catch {
            effects.append(.system(.eventIgnored(error)))
        }
        // An event may set a date in the past.
        effects += advanceNotifications(to: sharing.clock)
        forgetPreviews(after: effects)
        effects += updateViews(after: effects)
        effects += closeStalePresentation(at: sharing.clock)
        effects += reconsiderLaunches(at: sharing.clock)
        return DeviceReaction(effects: effects, nextDeadline: nextDeadline)
    }

    /// The next time at which something changes without an event; `nil` if there is none.
    public var nextDeadline: Timestamp? {
        [sharing.nextDeadline, nextNotificationDeadline].compactMap(\.self).min()
    }

    /// The time and the number of the current event.
    var eventMoment: EventMoment {
        EventMoment(at: sharing.clock, eventNumber: eventNumber)
    }

    private mutating func handle(_ event: DeviceEvent, at now: Timestamp) throws(IgnoredEvent) -> [DeviceEffect] {
        switch event {
        case .system(let event): try handle(event, at: now)
        case .sharing(let event): try applySharing(event)
        case .attribution(let event): try handle(event, at: now)
        case .notification(let event): try handle(event, at: now)
        case .scene(let event): try handle(event, at: now)
        case .setting(let event): try handle(event)
        case .token(let event): try handle(event)
        }
    }

    private mutating func handle(_ event: SystemEvent, at now: Timestamp) throws(IgnoredEvent) -> [DeviceEffect] {
        switch event {
        case .deviceDescribed(let description):
            let earlier = apps.mapValues(\.description)
            let effects = try Self.convertingErrors { () throws(DescriptionError) in try applyDescription(description) }
            for (id, app) in apps where app.description != earlier[id] {
                app.association.map { associations.requestAgain($0) }
            }
            return effects
        case .appInstalled(let app):
            let effects = try Self.convertingErrors { () throws(DescriptionError) in try install(app) }
            apps[app.bundleIdentifier]?.association.map { associations.requestAgain($0) }
            return effects
        case .appRemoved(let app): return try remove(app)
        case .appForceQuit(let app): try forceQuit(app)
        case .associationChecked(let domain, let source, let isDevelopment, let result):
            // An event that does not name the file counts for both, also for those that no app needs yet.
            return (isDevelopment.map { [$0] } ?? [false, true]).flatMap { isDevelopment in
                let request = AssociationRequest(domain: domain, isDevelopment: isDevelopment)
                return recordFetch(result, of: request, from: source, at: now)
            }
        case .deviceRenamed(let name): try rename(name)
        case .snapshotTaken(let name): try takeSnapshot(name)
        case .deviceRestored(let snapshot): return try restore(snapshot)
        case .backupRestored(let backup):
            let effects = try restoreBackup(backup)
            for app in apps.values { app.association.map { associations.requestAgain($0) } }
            return effects
        case .timePassed: break
        }
        return []
    }

    private mutating func handle(_ event: SettingEvent) throws(IgnoredEvent) -> [DeviceEffect] {
        switch event {
        case .lowPowerModeSet(let isOn): isLowPowerModeEnabled = isOn
        case .airplaneModeSet(let isOn): isInAirplaneMode = isOn
        case .lockSet(let isOn): isLocked = isOn
        case .muteSwitchSet(let isOn): isMuted = isOn
        case .activeCallSet(let isOn): hasActiveCall = isOn ? true : nil
        case .languageSet(let language): setTraits(language, traits.preferredContentSizeCategory)
        case .contentSizeCategorySet(let category): setTraits(language, category)
        case .prefersOnlyAmongCapableSet(let isOn): prefersOnlyAmongCapable = isOn
        case .layoutSet(let layout): return setLayout(layout)
        case .responseAlsoAtConnectSet(let isOn): isResponseRepeated = isOn
        case .badgeZeroClearsSet(let isOn): badgeZeroClears = isOn
        case .focusSet(let focus): try set(focus)
        case .notificationSettingsSet(let app, let settings): try set(settings, of: app)
        case .liveActivitySettingsSet(let app, let settings): return try set(settings, of: app)
        case .backgroundRefreshSet(let app, let isOn): try setBackgroundRefresh(isOn, of: app)
        }
        return []
    }

    /// Copies the state that a snapshot does not restore from the current device.
    ///
    /// It consists of the name, the time, the snapshots, the outbox, the tokens, and the records of association files.
    mutating func adoptUnrestoredState(of currentDevice: DeviceModel) {
        name = currentDevice.name
        eventNumber = currentDevice.eventNumber
        snapshots = currentDevice.snapshots
        origin = currentDevice.origin
        outbox = currentDevice.outbox
        tokens.replaceTokens(with: currentDevice.tokens)
        calls.continueNumbering(after: currentDevice.calls)
        // Notifications that were delivered before have no effect again.
        received.markAsDelivered(currentDevice.received)
        offered.markAsDelivered(currentDevice.offered)
        messagesNotifications.formUnion(currentDevice.messagesNotifications)
        _ = sharing.advanceTime(to: currentDevice.sharing.clock)
        associations.replaceRecords(with: currentDevice.associations.records)
        for request in associations.records.requests {
            _ = sharing.setRecords(associations.records, changed: request)
        }
    }

    // MARK: The user's settings

    private mutating func setTraits(_ language: String, _ category: ContentSizeCategory) {
        self.language = language
        traits = AttributionTraits(language: language, preferredContentSizeCategory: category)
    }

    private mutating func setLayout(_ layout: WindowLayout) -> [DeviceEffect] {
        self.layout = layout
        return hideScenesWithoutRoom().map { window in
            .scene(.sceneLeft(SceneDeparture(app: window.app, scene: window.scene, state: .background)))
        }
    }

    private mutating func rename(_ name: String) throws(IgnoredEvent) {
        guard !name.isEmpty else { throw .noName }
        self.name = name
        tokens.requestAgain()
    }

    /// Removes previews whose highlights were removed.
    private mutating func forgetPreviews(after effects: [DeviceEffect]) {
        for case .sharing(.highlightsChanged(let update)) in effects where apps[update.app]?.previews.isEmpty == false {
            apps[update.app]?.removePreviews(
                of: Set(update.changes.filter { $0.change == .removed }.map(\.highlight.id))
            )
        }
    }

    private mutating func recordFetch(
        _ result: Result<[UInt8], AssociationFailure>,
        of request: AssociationRequest,
        from source: String,
        at now: Timestamp
    ) -> [DeviceEffect] {
        let status = associations.recordFetch(result, of: request, from: source, at: now)
        let updates = sharing.setRecords(associations.records, changed: request)
        return (associations.lists(request) ? [.system(.associationUpdated(status))] : []) + updates
    }

    // MARK: Apps

    mutating func applyDescription(_ description: DeviceDescription) throws(DescriptionError) -> [DeviceEffect] {
        var describedApps: Set<BundleIdentifier> = []
        for app in description.apps where !describedApps.insert(app.bundleIdentifier).inserted {
            throw .repeatedApp(app.bundleIdentifier)
        }
        if let system = description.system, system.numbers == nil { throw .unusableSystem(system) }
        // The changes are made to a copy first, so that an unusable description changes nothing.
        var next = self
        next.origin = description
        next.name = description.name
        next.system = description.system
        next.development = description.associatedDomainsDevelopment
        next.pinnedIsAlwaysAvailable = description.pinnedIsAlwaysAvailable
        next.automaticSharingIncludesEarlier = description.automaticSharingIncludesEarlier ?? false
        next.pinnedNeedsNoContact = description.pinnedNeedsNoContact ?? false
        next.prefersOnlyAmongCapable = description.prefersOnlyAmongCapable
        next.isResponseRepeated = description.responseAlsoAtConnect ?? true
        next.badgeZeroClears = description.badgeZeroClears ?? false
        next.sharing.isStaleBehindShowMore = description.staleBehindShowMore ?? true
        next.setTraits(description.language, description.preferredContentSizeCategory)
        next.isLowPowerModeEnabled = description.lowPowerMode
        next.isInAirplaneMode = description.airplaneMode
        try next.applyFocus(description.focus)
        next.isLocked = description.locked ?? false
        next.isMuted = description.muteSwitch ?? false
        next.hasActiveCall = description.activeCall == true ? true : nil
        next.handle = description.handle
        next.handles = description.handles ?? []
        next.environment = description.environment
        next.layout = description.layout ?? .fullScreen
        let removedApps = next.apps.keys.filter { !describedApps.contains($0) }.sorted { $0.rawValue < $1.rawValue }
        var effects = removedApps.flatMap { next.uninstall($0) }
        effects += next.sharing.changeConsentRules { rules in
            rules.pinnedIsAlwaysAvailable = description.pinnedIsAlwaysAvailable
            rules.automaticSharingIncludesEarlier = description.automaticSharingIncludesEarlier ?? false
            rules.pinnedNeedsNoContact = description.pinnedNeedsNoContact ?? false
        }
        effects += next.sharing.setOwnHandles([next.handle].compactMap(\.self) + next.handles)
        for app in description.apps { effects += try next.install(app) }
        for contact in description.contacts ?? [] {
            try Self.checkPhoto(of: contact)
            effects += next.sharing.set(contact)
        }
        self = next
        return effects
    }

    private mutating func install(_ description: AppDescription) throws(DescriptionError) -> [DeviceEffect] {
        let app = try InstalledApp(description, allowsDevelopment: development != nil, at: eventNumber)
        waiting.removeAll(of: description.bundleIdentifier)
        expandedShelves.remove(description.bundleIdentifier)
        removeCalls(of: description.bundleIdentifier)
        forceQuit.remove(description.bundleIdentifier)
        apps[description.bundleIdentifier] = app
        associations.setRequired(apps.values.compactMap(\.association))
        let sharingApp = SharingApp(
            bundleIdentifier: description.bundleIdentifier,
            hasCapability: description.sharedWithYou,
            association: app.association
        )
        return sharing.install(sharingApp) + updateTokens(of: description)
    }

    private mutating func remove(_ app: BundleIdentifier) throws(IgnoredEvent) -> [DeviceEffect] {
        guard apps[app] != nil else { throw .unknown(app) }
        return uninstall(app)
    }

    private mutating func uninstall(_ app: BundleIdentifier) -> [DeviceEffect] {
        apps[app] = nil
        associations.setRequired(apps.values.compactMap(\.association))
        sharing.remove(app)
        views.removeAll(of: app)
        expandedShelves.remove(app)
        waiting.removeAll(of: app)
        offered.removeAll(of: app)
        badges[app] = nil
        // A notification that waits for the service extension of the app is never shown.
        for call in calls.pendingCalls(for: app) where call.function == .didReceiveRequest {
            _ = received.dismiss(call.notification.id)
        }
        calls.removeAll(of: app, where: { _ in true })
        received.forgetCollapseIdentifiers(of: app)
        activities.removeAll(of: app)
        receivers[app] = nil
        dropWaitingNotification(launches.removeValue(forKey: app)?.held, reason: "\(app) was removed")
        forceQuit.remove(app)
        return endTokens { $0.app == app }
    }

    /// Applies a description, and converts its error to an ignored event, because an entry of a journal cannot be
    /// refused.
    static func convertingErrors(
        _ change: () throws(DescriptionError) -> [DeviceEffect]
    ) throws(IgnoredEvent) -> [DeviceEffect] {
        do throws(DescriptionError) {
            return try change()
        } catch {
            throw IgnoredEvent(reason: .unusableDescription, explanation: "\(error)")
        }
    }
}
