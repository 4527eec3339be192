internal import TextReports
internal import WaypostSchema

/// A row of the demo's output.
enum DemoRow: Encodable, Sendable, Equatable {
    /// A notification that was opened.
    case notification(DemoOutcome)

    /// A link on a shelf.
    case link(DemoLink)

    /// A step after the notifications.
    case step(DemoStepResult)

    func encode(to encoder: any Encoder) throws {
        switch self {
        case .notification(let outcome): try outcome.encode(to: encoder)
        case .link(let link): try link.encode(to: encoder)
        case .step(let result): try result.encode(to: encoder)
        }
    }

    /// A description of the difference from the expectation, or `nil` if there is none.
    var difference: String? {
        switch self {
        case .notification(let outcome): outcome.difference
        case .link(let link): link.difference
        case .step(let result): result.difference
        }
    }

    /// Returns rows as a table.
    static func table(_ rows: [Self]) -> String {
        let header = ["", "Device", "What", "About", "Where", "Why"]
        return TextTable(header: header, rows: rows.map(\.cells)).text
    }

    private var cells: [String] {
        switch self {
        case .notification(let outcome):
            [
                outcome.isExpected ? "✓" : "✗",
                outcome.device,
                outcome.notification,
                outcome.targetContentIdentifier.map { "\($0)" } ?? "–",
                "\(outcome.scene)",
                outcome.explanation,
            ]
        case .link(let link):
            [
                link.isExpected ? "✓" : "✗",
                link.device,
                link.attribution.map { "Link from \($0)" } ?? "–",
                link.url ?? "–",
                "shelf of \(link.app), place \(link.place)",
                link.explanation ?? "–",
            ]
        case .step(let result):
            [
                result.isExpected ? "✓" : "✗", result.device, result.action, result.about, result.place,
                result.explanation,
            ]
        }
    }
}

/// The result of opening a notification, with the expected one.
struct DemoOutcome: Codable, Sendable, Equatable {
    var device: String
    var notification: String
    var targetContentIdentifier: TargetContentIdentifier?
    var scene: SceneIdentifier
    var reason: SceneDecision.Reason?
    var explanation: String
    var expectedDevice: String
    var expectedScene: SceneIdentifier
    var expectedReason: SceneDecision.Reason

    init(_ openedScene: OpenedScene, expectation: DemoScript.Expectation) {
        device = openedScene.device
        notification = openedScene.notification?.title ?? "\(expectation.notification)"
        targetContentIdentifier = openedScene.notification?.targetContentIdentifier
        scene = openedScene.scene
        reason = openedScene.decision?.reason
        explanation = openedScene.decision?.explanation ?? ""
        expectedDevice = expectation.device
        expectedScene = expectation.scene
        expectedReason = expectation.reason
    }

    /// Whether the result is the expected one.
    var isExpected: Bool {
        device == expectedDevice && scene == expectedScene && reason == expectedReason
    }

    /// A description of the difference from the expectation, or `nil` if there is none.
    var difference: String? {
        guard !isExpected else { return nil }
        return "\(notification): expected \(expectedScene) on \(expectedDevice) (\(expectedReason)), "
            + "got \(scene) on \(device) (\(reason?.rawValue ?? "no reason"))"
    }
}

/// A place on an app's shelf, with its link and the expected one.
struct DemoLink: Codable, Sendable, Equatable {
    var device: String
    var app: BundleIdentifier

    /// The place, from 1.
    var place: Int

    /// The link, or `nil` if the shelf has fewer places.
    var url: String?

    /// The attribution that the device draws next to the link.
    var attribution: String?

    /// The reason for the link's place.
    var explanation: String?

    /// The expected link, or `nil` if there should be none.
    var expected: String?

    /// Whether the link is the expected one.
    var isExpected: Bool {
        url == expected
    }

    /// A description of the difference from the expectation, or `nil` if there is none.
    var difference: String? {
        guard !isExpected else { return nil }
        return
            "shelf of \(app) on \(device), place \(place): expected \(expected ?? "nothing"), got \(url ?? "nothing")"
    }
}
