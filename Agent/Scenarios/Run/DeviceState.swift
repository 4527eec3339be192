internal import LocalProcesses
internal import WaypostSchema

/// The state of a device, as far as a run needs it.
struct DeviceState {
    /// Whether the device is in Airplane Mode.
    var isOffline = false

    /// Whether the device is in Low Power Mode.
    var isLowPowerModeEnabled = false

    /// Whether something was sent to the device since it last had everything.
    var isUnsettled = false

    /// The messages that the run sent to the device or from it.
    var messages: [Message] = []

    /// The first handle of each contact, by its identifier and its names.
    var handles: [String: Handle] = [:]

    /// The conversation that is shown over an app.
    var presentedConversation: PresentedConversation?

    /// The disambiguation menu that is shown over an app.
    var menu: DisambiguationMenu?

    /// The processes of apps that the run started.
    var appProcesses: [BundleIdentifier: SupervisedProcess] = [:]

    /// Whether an app may have tokens of its own.
    var mayHaveAppTokens = false

    /// The tokens of apps that the run has seen.
    var tokens = SeenTokens()

    /// The apps that the run removed, as they were then.
    var removedApps: [BundleIdentifier: AppDescription] = [:]

    /// Records whether an app in a description has tokens of its own.
    mutating func recordTokens(in description: DeviceDescription) {
        if description.apps.contains(where: { $0.tokens != nil }) { mayHaveAppTokens = true }
    }

    /// Adds the first handle of a contact.
    mutating func add(_ contact: Contact) {
        guard let handle = contact.handles.first else { return }
        for name in [contact.id.rawValue, contact.givenName, contact.nickname].compactMap(\.self) {
            handles[name] = handle
        }
    }

    /// Records a change of the network, of power or of the apps; other events have no effect here.
    mutating func record(_ event: DeviceEvent) {
        switch event {
        case .setting(.airplaneModeSet(let isOn)): isOffline = isOn
        case .setting(.lowPowerModeSet(let isOn)): isLowPowerModeEnabled = isOn
        case .system(.appInstalled), .system(.deviceDescribed), .system(.deviceRestored), .system(.backupRestored):
            mayHaveAppTokens = true
        default: break
        }
    }

    /// Records what the device shows after an effect.
    mutating func record(_ effect: DeviceEffect) {
        switch effect {
        case .attribution(.conversationPresented(let conversation)): (presentedConversation, menu) = (conversation, nil)
        case .attribution(.disambiguationPresented(let shown)): menu = shown
        case .attribution(.contentReturned): (presentedConversation, menu) = (nil, nil)
        default: break
        }
    }
}
