/// The importance and the timing of a notification (`UNNotificationInterruptionLevel`).
public enum InterruptionLevel: String, StringChoice, Hashable {
    /// The notification appears in the list only.
    case passive

    /// The notification appears immediately, and can play its sound.
    case active

    /// The notification also appears despite a Focus and a scheduled summary, if the user allows that.
    case timeSensitive = "time-sensitive"

    /// The notification also plays its sound if the device is muted, if the user allows that.
    case critical
}

/// The sound of a notification (`aps.sound`).
public struct NotificationSound: Codable, Sendable, Equatable {
    /// The name of the sound file; `default` is the sound of the system.
    public var name: String

    /// Whether the sound is that of a critical alert.
    public var isCritical: Bool

    /// The volume of a critical alert, from 0 to 1; absent for the full volume.
    public var volume: Double?

    /// Creates the value from its parts.
    public init(name: String, isCritical: Bool = false, volume: Double? = nil) {
        self.name = name
        self.isCritical = isCritical
        self.volume = volume
    }
}

/// The user's answer to the question whether an app may send notifications (`UNAuthorizationStatus`).
public enum NotificationAuthorization: String, StringChoice {
    /// The app has not asked yet.
    case notDetermined

    /// The user does not allow notifications.
    case denied

    /// The app may deliver notifications quietly, without a question.
    case provisional

    /// The user allows notifications.
    case authorized

    /// The app is an App Clip, which may send notifications for a limited time.
    case ephemeral
}

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
        func flag(_ key: CodingKeys, _ standard: Bool) throws -> Bool {
            try container.decodeIfPresent(Bool.self, forKey: key) ?? standard
        }
        let status = try container.decodeIfPresent(NotificationAuthorization.self, forKey: .authorizationStatus)
        self.init(
            authorizationStatus: status ?? .authorized,
            alertSetting: try flag(.alertSetting, true),
            soundSetting: try flag(.soundSetting, true),
            badgeSetting: try flag(.badgeSetting, true),
            timeSensitiveSetting: try flag(.timeSensitiveSetting, true),
            criticalAlertSetting: try flag(.criticalAlertSetting, false),
            scheduledDeliverySetting: try flag(.scheduledDeliverySetting, false)
        )
    }
}

/// A Focus that is on.
public struct Focus: Codable, Sendable, Equatable {
    /// The name, such as `Work`.
    public var name: String

    /// The apps whose notifications are not silenced; empty if absent.
    public var allowedApps: [BundleIdentifier]

    /// Whether time-sensitive notifications of other apps are not silenced; `true` if absent.
    public var allowsTimeSensitive: Bool

    /// The predicates of the apps' Focus filters by bundle identifier, for the text in `aps.filter-criteria`.
    public var notificationFilters: [String: String]?

    /// Creates the Focus.
    public init(
        name: String,
        allowedApps: [BundleIdentifier] = [],
        allowsTimeSensitive: Bool = true,
        notificationFilters: [String: String]? = nil
    ) {
        self.name = name
        self.allowedApps = allowedApps
        self.allowsTimeSensitive = allowsTimeSensitive
        self.notificationFilters = notificationFilters
    }

    /// Parses a Focus; its name is required.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            name: try container.decode(String.self, forKey: .name),
            allowedApps: try container.decodeIfPresent([BundleIdentifier].self, forKey: .allowedApps) ?? [],
            allowsTimeSensitive: try container.decodeIfPresent(Bool.self, forKey: .allowsTimeSensitive) ?? true,
            notificationFilters: try container.decodeIfPresent([String: String].self, forKey: .notificationFilters)
        )
    }
}
