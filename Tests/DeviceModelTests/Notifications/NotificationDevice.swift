import DeviceModel
import Foundation
import WaypostSchema

/// A device with one app, to which notifications come, and a clock.
struct NotificationDevice {
    static let app: BundleIdentifier = "com.example.tv"
    static let hour = 3_600_000

    var model: DeviceModel
    var now = Timestamp(milliseconds: 1_790_000_000_000)

    /// Creates the device.
    init(
        app: AppDescription = Self.description(),
        focus: Focus? = nil,
        lowPowerMode: Bool = false,
        locked: Bool? = nil,
        system: SystemVersion? = nil
    ) throws {
        model = try DeviceModel(
            DeviceDescription(
                name: "iPad",
                system: system,
                apps: [app],
                lowPowerMode: lowPowerMode,
                focus: focus,
                locked: locked
            )
        )
    }

    /// An app with everything that its notifications may need; its scene is in the background.
    static func description(
        state: SceneState = .background,
        settings: NotificationSettings? = nil,
        categories: [NotificationCategory]? = nil,
        presents: [PresentationOption]? = nil,
        hasExtension: Bool? = nil,
        modes: [BackgroundMode]? = [.remoteNotification, .voip, .pushToTalk],
        refresh: Bool? = nil,
        hasFrequentUpdates: Bool? = nil,
        mustReportCalls: Bool? = nil,
        receivers: [PushReceiver]? = nil,
        location: LocationAuthorization? = nil,
        budgets: PushBudgets? = nil,
        sounds: [String]? = nil
    ) -> AppDescription {
        AppDescription(
            bundleIdentifier: app,
            scenes: [SceneSession(persistentIdentifier: "main", state: state)],
            notificationSettings: settings,
            notificationCategories: categories,
            foregroundPresentation: presents,
            notificationServiceExtension: hasExtension,
            backgroundModes: modes,
            backgroundRefresh: refresh,
            supportsLiveActivities: true,
            supportsFrequentLiveActivityUpdates: hasFrequentUpdates,
            mustReportCalls: mustReportCalls,
            pushReceivers: receivers,
            locationAuthorization: location,
            budgets: budgets,
            sounds: sounds
        )
    }

    static func payload(_ aps: String) throws -> JSONValue {
        try JSONDecoder().decode(JSONValue.self, from: Data("{\"aps\":{\(aps)}}".utf8))
    }

    /// Delivers a notification, and returns the effects.
    @discardableResult
    mutating func deliver(
        _ id: NotificationID,
        _ aps: String,
        suffix: String = "",
        pushType: PushType = .alert,
        priority: Int = 10,
        expiration: Int? = nil,
        collapseID: CollapseIdentifier? = nil
    ) throws -> [DeviceEffect] {
        deliver(
            id,
            payload: try Self.payload(aps),
            suffix: suffix,
            pushType: pushType,
            priority: priority,
            expiration: expiration,
            collapseID: collapseID
        )
    }

    /// Delivers a notification with a whole payload, and returns the effects.
    @discardableResult
    mutating func deliver(
        _ id: NotificationID,
        payload: JSONValue,
        suffix: String,
        pushType: PushType,
        priority: Int = 10,
        expiration: Int? = nil,
        collapseID: CollapseIdentifier? = nil
    ) -> [DeviceEffect] {
        apply(
            .notification(
                .notificationDelivered(
                    DeliveredNotification(
                        sequence: 1,
                        id: id,
                        token: "00",
                        topic: Topic(rawValue: Self.app.rawValue + suffix),
                        pushType: pushType,
                        priority: priority,
                        expiration: expiration,
                        collapseID: collapseID,
                        payload: payload
                    )
                )
            )
        )
    }

    @discardableResult
    mutating func apply(_ event: DeviceEvent) -> [DeviceEffect] {
        model.apply(event, at: now).effects
    }

    /// Lets time pass.
    @discardableResult
    mutating func wait(_ milliseconds: Int) -> [DeviceEffect] {
        now = Timestamp(milliseconds: now.rawValue + milliseconds)
        return apply(.system(.timePassed))
    }

    /// The functions that wait for the app, in their order.
    var calls: [AppCall.Function] {
        model.calls(of: Self.app).map(\.function)
    }

    /// Finishes the first call that waits.
    @discardableResult
    mutating func finish(_ result: AppCallResult) -> [DeviceEffect] {
        guard let call = model.calls(of: Self.app).first else { return [] }
        return apply(.notification(.appCallFinished(Self.app, call: call.number, result)))
    }

    /// The gate that failed among those of a launch or of a Live Activity.
    static func failure(_ gates: [NotificationVerdict]?) -> [NotificationGate] {
        (gates ?? []).filter { $0.status == .fail }.map(\.gate)
    }
}
