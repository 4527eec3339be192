import DeviceModel
import WaypostSchema

extension DeviceDescription {
    /// A device with two apps of two scenes each, and an app with a single scene.
    static let example = DeviceDescription(
        name: "tablet",
        apps: [
            AppDescription(
                bundleIdentifier: "com.example.camera",
                supportsMultipleScenes: false,
                scenes: [SceneSession(persistentIdentifier: "only", state: .disconnected)]
            ),
            AppDescription(
                bundleIdentifier: "com.example.clowntown",
                scenes: [
                    .example("overview", .foregroundActive, at: 2),
                    .example("crusty", .disconnected, at: 3, can: "SELF == 'crusty'", prefers: "SELF == 'crusty'"),
                ],
                foregroundPresentation: PresentationOption.allCases
            ),
            AppDescription(
                bundleIdentifier: "com.example.notes",
                scenes: [
                    .example("left", .foregroundInactive, can: "SELF BEGINSWITH 'note/'", prefers: "SELF == 'note/1'"),
                    .example("right", .background, at: 1, can: "SELF BEGINSWITH 'note/'", prefers: "SELF == 'note/2'"),
                ]
            ),
        ]
    )
}

extension SceneSession {
    static func example(
        _ identifier: SceneIdentifier,
        _ state: SceneState = .background,
        at milliseconds: Int? = nil,
        can: String = "TRUEPREDICATE",
        prefers: String = "FALSEPREDICATE"
    ) -> SceneSession {
        SceneSession(
            persistentIdentifier: identifier,
            state: state,
            lastActivated: milliseconds.map(Timestamp.init(milliseconds:)),
            activationConditions: ActivationConditions(can: can, prefers: prefers)
        )
    }
}

extension DeliveredNotification {
    /// Returns a notification about `content`.
    static func example(
        _ id: NotificationID = "n1",
        for topic: Topic = "com.example.clowntown",
        about content: String? = nil,
        title: String? = nil
    ) -> DeliveredNotification {
        var aps: [String: JSONValue] = [:]
        aps["alert"] = title.map { .object(["title": .string($0)]) }
        aps["target-content-id"] = content.map(JSONValue.string)
        return DeliveredNotification(
            sequence: 1,
            id: id,
            token: "token",
            topic: topic,
            pushType: .alert,
            priority: 10,
            payload: .object(["aps": .object(aps)])
        )
    }
}

extension DeviceModel {
    /// Delivers a notification and opens it at once.
    mutating func deliverAndOpen(_ notification: DeliveredNotification, at now: Timestamp) -> [DeviceEffect] {
        _ = apply(.notification(.notificationDelivered(notification)), at: now)
        return apply(.notification(.notificationOpened(notification.id)), at: now).effects
    }

    func scene(_ identifier: SceneIdentifier, of app: BundleIdentifier) -> SceneSession? {
        description.apps
            .first { $0.bundleIdentifier == app }?
            .scenes.first { $0.persistentIdentifier == identifier }
    }

    /// The identifiers of the scenes in the foreground.
    var foreground: [SceneIdentifier] {
        description.apps
            .flatMap(\.scenes)
            .filter { $0.state == .foregroundActive || $0.state == .foregroundInactive }
            .map(\.persistentIdentifier)
    }
}

extension [DeviceEffect] {
    /// The opened notification, or `nil` unless its opening is the only effect.
    var opened: OpenedScene? {
        guard count == 1, case .scene(.sceneActivated(let opened)) = self[0] else { return nil }
        return opened
    }
}
