/// The user's settings for the notifications of an app (`UNNotificationSettings`).
public struct NotificationSettings: Codable, Sendable, Equatable {
    /// Whether the app may send notifications; `authorized` if absent.
    public var authorizationStatus: NotificationAuthorization

    /// Whether alerts appear; `true` if absent.
    public var alertSetting: Bool

    /// Whether sounds are played; `true` if absent.
    public var soundSetting: Bool

    /// Whether the badge of the icon changes; `true` if absent.
    public var badgeSetting: Bool

    /// Whether time-sensitive notifications may interrupt; `true` if absent.
    public var timeSensitiveSetting: Bool

    /// Whether critical alerts may interrupt and play their sound; `false` if absent, because Apple must allow it.
    public var criticalAlertSetting: Bool

    /// Whether notifications wait for the scheduled summary; `false` if absent.
    public var scheduledDeliverySetting: Bool

    /// Creates the settings.
    public init(
        authorizationStatus: NotificationAuthorization = .authorized,
        alertSetting: Bool = true,
        soundSetting: Bool = true,
        badgeSetting: Bool = true,
        timeSensitiveSetting: Bool = true,
        criticalAlertSetting: Bool = false,
        scheduledDeliverySetting: Bool = false
    ) {
        self.authorizationStatus = authorizationStatus
        self.alertSetting = alertSetting
        self.soundSetting = soundSetting
        self.badgeSetting = badgeSetting
        self.timeSensitiveSetting = timeSensitiveSetting
        self.criticalAlertSetting = criticalAlertSetting
        self.scheduledDeliverySetting = scheduledDeliverySetting
    }

    /// Parses settings; an absent setting has its default.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        func readFlag(_ key: CodingKeys, default defaultValue: Bool) throws -> Bool {
            try container.decodeIfPresent(Bool.self, forKey: key) ?? defaultValue
        }
        let status = try container.decodeIfPresent(NotificationAuthorization.self, forKey: .authorizationStatus)
        self.init(
            authorizationStatus: status ?? .authorized,
            alertSetting: try readFlag(.alertSetting, default: true),
            soundSetting: try readFlag(.soundSetting, default: true),
            badgeSetting: try readFlag(.badgeSetting, default: true),
            timeSensitiveSetting: try readFlag(.timeSensitiveSetting, default: true),
            criticalAlertSetting: try readFlag(.criticalAlertSetting, default: false),
            scheduledDeliverySetting: try readFlag(.scheduledDeliverySetting, default: false)
        )
    }
}
