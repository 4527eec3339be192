internal import ArgumentParser
internal import GatewayClient
internal import TextBasics
internal import TextReports
internal import WaypostSchema

/// The `waypost device focus` command, which turns a Focus on or off.
struct DeviceFocusCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "focus",
        abstract: "Turn a Focus on, or the present one off: it silences the notifications of other apps."
    )

    @OptionGroup var device: DeviceOptions

    @Argument(help: "The name of the Focus, such as Work, or 'off'.")
    var name: String

    @Option(help: "An app whose notifications are not silenced; may be given several times.", completion: .apps)
    var allow: [String] = []

    @Option(
        help: """
            A person whose communication notifications are not silenced: the identifier of a card in Contacts, a phone \
            number or an email address; may be given several times.
            """
    )
    var allowPerson: [String] = []

    @Flag(help: "Silence time-sensitive notifications of other apps, too.")
    var silenceTimeSensitive = false

    @OptionGroup(title: "Output") var output: OutputOptions

    func validate() throws {
        guard name != "off" || allow.isEmpty && allowPerson.isEmpty && !silenceTimeSensitive else {
            throw ValidationError("'off' takes no other options")
        }
    }

    func perform() async throws {
        try await device.checkApps(allow)
        let focus = Focus(
            name: name,
            allowedApps: allow.map(BundleIdentifier.init(rawValue:)),
            allowedPeople: allowPerson.isEmpty ? nil : allowPerson,
            allowsTimeSensitive: !silenceTimeSensitive
        )
        try await device.apply(.setting(.focusSet(name == "off" ? nil : focus)), writingTo: output)
    }
}

/// The `waypost device lock` command, which locks or unlocks a device.
struct DeviceLockCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "lock",
        abstract: "Lock a device, or unlock it with 'off'."
    )

    @OptionGroup var device: DeviceOptions

    @Argument(help: "On or off.")
    var choice = NameArgument(OnOff.on)

    @OptionGroup(title: "Output") var output: OutputOptions

    func perform() async throws {
        try await device.apply(.setting(.lockSet(isOn: choice.value == .on)), writingTo: output)
    }
}

/// The `waypost device home` command, which shows the Home Screen.
struct DeviceHomeCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "home",
        abstract: "Go to the Home Screen: every scene in the foreground moves to the background."
    )

    @OptionGroup var device: DeviceOptions

    @OptionGroup(title: "Output") var output: OutputOptions

    func perform() async throws {
        let apps = try await device.withDevice { agent, device in try await agent.appDescriptions(on: device) }
        let scenes = apps.flatMap { app in
            app.scenes.filter { $0.state == .foregroundActive || $0.state == .foregroundInactive }
                .map { (app.bundleIdentifier, $0.persistentIdentifier) }
        }
        for (app, scene) in scenes { try await device.apply(.scene(.sceneBackgrounded(app, scene)), writingTo: output) }
        if scenes.isEmpty, !output.quiet { StandardError.write("the Home Screen is already shown") }
    }
}

/// The `waypost device setting` command, which changes one of the user's settings.
struct DeviceSettingCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "setting",
        abstract: "Change one of the user's settings.",
        discussion: """
            For the device: low-power and mute-switch on or off, language with a tag such as ar, text-size with a name \
            such as extraLarge, layout with fullScreen, twoWindows or manyWindows, and \
            prefers-only-among-capable on or off. For an app, with --app: background-refresh, alerts, sounds, badges, \
            time-sensitive, critical-alerts and scheduled-summary, each on or off. A Focus, the lock and Airplane Mode \
            have commands of their own.
            """
    )

    enum Setting: String, CaseIterable, Sendable {
        case lowPower = "low-power"
        case muteSwitch = "mute-switch"
        case language
        case textSize = "text-size"
        case layout
        case prefersOnlyAmongCapable = "prefers-only-among-capable"
        case backgroundRefresh = "background-refresh"
        case alerts
        case sounds
        case badges
        case timeSensitive = "time-sensitive"
        case criticalAlerts = "critical-alerts"
        case scheduledSummary = "scheduled-summary"

        var isOfApp: Bool {
            switch self {
            case .lowPower, .muteSwitch, .language, .textSize, .layout, .prefersOnlyAmongCapable: false
            default: true
            }
        }
    }

    @OptionGroup var device: DeviceOptions

    @Argument(help: "The setting.")
    var setting: NameArgument<Setting>

    @Argument(help: "The value: on or off, a language, a text size, or a layout.")
    var value: String

    @Option(help: "The app.", completion: .apps)
    var app: String?

    @OptionGroup(title: "Output") var output: OutputOptions

    func validate() throws {
        guard setting.value.isOfApp == (app != nil) else {
            let problem = app == nil ? "needs --app" : "is one of the device; leave out --app"
            throw ValidationError("the setting \(setting.value.rawValue) \(problem)")
        }
        switch setting.value {
        case .language: break
        case .textSize:
            guard ContentSizeCategory(rawValue: value) != nil else {
                let names = ContentSizeCategory.allCases.map(\.rawValue).joined(separator: ", ")
                throw ValidationError("'\(value)' is not a text size; use one of \(names)")
            }
        case .layout:
            guard WindowLayout(rawValue: value) != nil else {
                let names = WindowLayout.allCases.map(\.rawValue).joined(separator: ", ")
                throw ValidationError("'\(value)' is not a layout; use one of \(names)")
            }
        default:
            guard OnOff(rawValue: value) != nil else { throw ValidationError("'\(value)' is neither on nor off") }
        }
    }

    func perform() async throws {
        try await device.checkApps(app.map { [$0] } ?? [])
        try await device.apply(try await event(), writingTo: output)
    }

    private func event() async throws -> DeviceEvent {
        let isOn = value == OnOff.on.rawValue
        switch setting.value {
        case .lowPower: return .setting(.lowPowerModeSet(isOn: isOn))
        case .muteSwitch: return .setting(.muteSwitchSet(isOn: isOn))
        case .language: return .setting(.languageSet(value))
        case .textSize: return .setting(.contentSizeCategorySet(ContentSizeCategory(rawValue: value) ?? .large))
        case .layout: return .setting(.layoutSet(WindowLayout(rawValue: value) ?? .fullScreen))
        case .prefersOnlyAmongCapable: return .setting(.prefersOnlyAmongCapableSet(isOn: isOn))
        case .backgroundRefresh:
            return .setting(.backgroundRefreshSet(BundleIdentifier(rawValue: app ?? ""), isOn: isOn))
        default: break
        }
        let apps = try await device.withDevice { agent, device in try await agent.appDescriptions(on: device) }
        guard let description = apps.first(where: { $0.bundleIdentifier.rawValue == app }) else {
            throw CommandFailure.failed("the app was removed meanwhile")
        }
        var settings = description.notificationSettings ?? NotificationSettings()
        switch setting.value {
        case .alerts: settings.alertSetting = isOn
        case .sounds: settings.soundSetting = isOn
        case .badges: settings.badgeSetting = isOn
        case .timeSensitive: settings.timeSensitiveSetting = isOn
        case .criticalAlerts: settings.criticalAlertSetting = isOn
        default: settings.scheduledDeliverySetting = isOn
        }
        return .setting(.notificationSettingsSet(description.bundleIdentifier, settings))
    }
}

/// The `waypost device apps` command, which shows the apps on a device.
struct DeviceAppsCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "apps",
        abstract:
            "Show the apps on a device: whether they run, their scenes, their badges, what waits for them, and settings.",
        discussion: """
            The table has the settings that differ from the defaults; JSON has all. 'waypost device setting' \
            changes them.
            """
    )

    @OptionGroup var device: DeviceOptions

    @OptionGroup(title: "Output") var output: OutputOptions

    func perform() async throws {
        let apps = try await device.withDevice { agent, device in try await agent.apps(of: device) }
        try output.write(apps) { apps in
            guard !apps.isEmpty else { return "There are no apps." }
            let rows = apps.map { app in
                [
                    app.app.rawValue, app.displayName, app.isRunning ? "running" : "", "\(app.scenes)",
                    app.badge.map { "\($0)" } ?? "", app.activations == 0 ? "" : "\(app.activations)",
                    app.changedSettings.joined(separator: ", "),
                ]
            }
            return TextTable(
                header: ["App", "Name", "Process", "Scenes", "Badge", "Waiting", "Settings"],
                rows: rows,
                droppableColumns: [3, 1]
            )
        }
    }
}

extension AppStatus {
    /// The settings that differ from the defaults, such as `badges off`, by the names of
    /// `waypost device setting`.
    fileprivate var changedSettings: [String] {
        let (actual, standard) = (notificationSettings ?? NotificationSettings(), NotificationSettings())
        let switches: [(name: String, isOn: Bool, standard: Bool)] = [
            ("alerts", actual.alertSetting, standard.alertSetting),
            ("sounds", actual.soundSetting, standard.soundSetting),
            ("badges", actual.badgeSetting, standard.badgeSetting),
            ("time-sensitive", actual.timeSensitiveSetting, standard.timeSensitiveSetting),
            ("critical-alerts", actual.criticalAlertSetting, standard.criticalAlertSetting),
            ("scheduled-summary", actual.scheduledDeliverySetting, standard.scheduledDeliverySetting),
            ("background-refresh", backgroundRefresh ?? true, true),
        ]
        let permission = actual.authorizationStatus
        return (permission == standard.authorizationStatus ? [] : ["permission \(permission.rawValue)"])
            + switches.filter { $0.isOn != $0.standard }.map { "\($0.name) \($0.isOn ? "on" : "off")" }
    }
}
