/// A change of one of the user's settings.
public enum SettingEvent: Sendable, Equatable {
    /// The user turned Low Power Mode on or off.
    case lowPowerModeSet(isOn: Bool)

    /// The user turned Airplane Mode on or off; while it is on, the device is offline.
    case airplaneModeSet(isOn: Bool)

    /// The user locked or unlocked the device.
    case lockSet(isOn: Bool)

    /// The user turned the mute switch on or off; while it is on, only critical alerts are heard.
    case muteSwitchSet(isOn: Bool)

    /// A call of the user began or ended.
    case activeCallSet(isOn: Bool)

    /// The user chose a language, as a BCP 47 tag.
    case languageSet(String)

    /// The user chose a text size.
    case contentSizeCategorySet(ContentSizeCategory)

    /// A scene may now prefer only what it can display, or anything.
    case prefersOnlyAmongCapableSet(isOn: Bool)

    /// The device now shows this many scenes at the same time.
    case layoutSet(WindowLayout)

    /// A response for which a scene connects is now delivered a second time, or only once.
    case responseAlsoAtConnectSet(isOn: Bool)

    /// A badge of 0 now also clears the notifications of its app, or only the badge.
    case badgeZeroClearsSet(isOn: Bool)

    /// The user turned a Focus on, or the present one off.
    case focusSet(Focus?)

    /// The user changed the settings for the notifications of an app.
    case notificationSettingsSet(BundleIdentifier, NotificationSettings)

    /// The user's choices about the Live Activities of an app changed, or its state did.
    case liveActivitySettingsSet(BundleIdentifier, LiveActivitySettings)

    /// The user turned Background App Refresh of an app on or off.
    case backgroundRefreshSet(BundleIdentifier, isOn: Bool)
}

extension SettingEvent {
    /// The names of the events.
    public enum Kind: String, StringEnum {
        case lowPowerModeSet, airplaneModeSet, lockSet, muteSwitchSet, activeCallSet, languageSet,
            contentSizeCategorySet, prefersOnlyAmongCapableSet, layoutSet, responseAlsoAtConnectSet,
            badgeZeroClearsSet, focusSet, notificationSettingsSet, liveActivitySettingsSet, backgroundRefreshSet
    }

    init(_ kind: Kind, in fields: TaggedFields<DeviceEvent.Field>) throws {
        self =
            switch kind {
            case .lowPowerModeSet: try .lowPowerModeSet(isOn: fields.read(.isOn))
            case .airplaneModeSet: try .airplaneModeSet(isOn: fields.read(.isOn))
            case .lockSet: try .lockSet(isOn: fields.read(.isOn))
            case .muteSwitchSet: try .muteSwitchSet(isOn: fields.read(.isOn))
            case .activeCallSet: try .activeCallSet(isOn: fields.read(.isOn))
            case .languageSet: try .languageSet(fields.read(.language))
            case .contentSizeCategorySet: try .contentSizeCategorySet(fields.read(.category))
            case .prefersOnlyAmongCapableSet: try .prefersOnlyAmongCapableSet(isOn: fields.read(.isOn))
            case .layoutSet: try .layoutSet(fields.read(.layout))
            case .responseAlsoAtConnectSet: try .responseAlsoAtConnectSet(isOn: fields.read(.isOn))
            case .badgeZeroClearsSet: try .badgeZeroClearsSet(isOn: fields.read(.isOn))
            case .focusSet: try .focusSet(fields.readIfPresent(.focus))
            case .notificationSettingsSet: try .notificationSettingsSet(fields.read(.app), fields.read(.settings))
            case .liveActivitySettingsSet: try .liveActivitySettingsSet(fields.read(.app), fields.read(.settings))
            case .backgroundRefreshSet: try .backgroundRefreshSet(fields.read(.app), isOn: fields.read(.isOn))
            }
    }

    var taggedValues: TaggedValues<Kind, DeviceEvent.Field> {
        switch self {
        case .lowPowerModeSet(let isOn): (.lowPowerModeSet, [.isOn: isOn])
        case .airplaneModeSet(let isOn): (.airplaneModeSet, [.isOn: isOn])
        case .lockSet(let isOn): (.lockSet, [.isOn: isOn])
        case .muteSwitchSet(let isOn): (.muteSwitchSet, [.isOn: isOn])
        case .activeCallSet(let isOn): (.activeCallSet, [.isOn: isOn])
        case .languageSet(let language): (.languageSet, [.language: language])
        case .contentSizeCategorySet(let category): (.contentSizeCategorySet, [.category: category])
        case .prefersOnlyAmongCapableSet(let isOn): (.prefersOnlyAmongCapableSet, [.isOn: isOn])
        case .layoutSet(let layout): (.layoutSet, [.layout: layout])
        case .responseAlsoAtConnectSet(let isOn): (.responseAlsoAtConnectSet, [.isOn: isOn])
        case .badgeZeroClearsSet(let isOn): (.badgeZeroClearsSet, [.isOn: isOn])
        case .focusSet(let focus): (.focusSet, [.focus: focus])
        case .notificationSettingsSet(let app, let settings):
            (.notificationSettingsSet, [.app: app, .settings: settings])
        case .liveActivitySettingsSet(let app, let settings):
            (.liveActivitySettingsSet, [.app: app, .settings: settings])
        case .backgroundRefreshSet(let app, let isOn): (.backgroundRefreshSet, [.app: app, .isOn: isOn])
        }
    }
}
