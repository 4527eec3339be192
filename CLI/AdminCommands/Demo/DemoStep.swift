internal import WaypostSchema

/// A step of a demo after the notifications: what the user does, and the expected result.
struct DemoStep: Codable, Sendable, Equatable {
    /// The result that a step must have.
    struct Expectation: Codable, Sendable, Equatable {
        /// The device that shows the result; the device of the step if absent.
        var device: String?

        /// The app that opens.
        var app: BundleIdentifier?

        /// The scene that opens.
        var scene: SceneIdentifier?

        /// The reason for the choice of the scene.
        var reason: SceneDecision.Reason?
    }

    /// The device that the user holds.
    var device: String

    /// The app that the user uses.
    var app: BundleIdentifier?

    /// The type of the quick action that the user performs.
    var quickAction: String?

    /// The URL that the user follows outside of any app.
    var openURL: String?

    /// The scene whose activity the user continues on the device `to`.
    var handOff: SceneIdentifier?

    /// The device on which the activity continues.
    var to: String?

    /// The URL of the link in the app whose attribution view the user taps, to reply with `text`.
    var replyTo: String?

    /// The text of the reply.
    var text: String?

    /// The expected result.
    var expected: Expectation

    /// An action, with everything that it needs.
    enum Action: Sendable, Equatable {
        case quickAction(BundleIdentifier, type: String)
        case openURL(String)
        case handOff(BundleIdentifier, SceneIdentifier, to: String)
        case reply(BundleIdentifier, url: String, text: String)
    }

    /// The action, or `nil` if the step has no action, or only a part of one.
    var action: Action? {
        if let app, let quickAction { return .quickAction(app, type: quickAction) }
        if let openURL { return .openURL(openURL) }
        if let app, let handOff, let to { return .handOff(app, handOff, to: to) }
        if let app, let replyTo, let text { return .reply(app, url: replyTo, text: text) }
        return nil
    }
}

/// The result of a step, with the expected one.
struct DemoStepResult: Codable, Sendable, Equatable {
    /// A description of the user's action.
    var action: String

    /// The content that the action is about.
    var about: String

    /// The device that shows the result.
    var device: String

    /// The app that opened.
    var app: BundleIdentifier?

    /// The scene that opened.
    var scene: SceneIdentifier?

    /// The reason for the choice of the scene.
    var reason: SceneDecision.Reason?

    /// A description of the result's reason.
    var explanation: String

    /// The expected result.
    var expected: DemoStep.Expectation

    /// Whether the result is the expected one.
    var isExpected: Bool {
        [nil, device].contains(expected.device) && [nil, app].contains(expected.app)
            && [nil, scene].contains(expected.scene) && [nil, reason].contains(expected.reason)
    }

    /// The app and the scene that opened, as text.
    var place: String {
        scene?.rawValue ?? app?.rawValue ?? "Messages"
    }

    /// A description of the difference from the expectation, or `nil` if there is none.
    var difference: String? {
        guard !isExpected else { return nil }
        let expectedParts = [
            expected.device, expected.app?.rawValue, expected.scene?.rawValue, expected.reason.map { "\($0.rawValue)" },
        ]
        let actualParts = [device, app?.rawValue, scene?.rawValue, reason.map { "\($0.rawValue)" }]
        func text(_ parts: [String?]) -> String { parts.compactMap(\.self).joined(separator: ", ") }
        return "\(action): expected \(text(expectedParts)), got \(text(actualParts))"
    }
}
