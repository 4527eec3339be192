internal import WaypostSchema

/// What opening a notification came to, beside what it had to.
struct DemoOutcome: Codable, Sendable, Equatable {
    var device: String
    var notification: String
    var targetContentIdentifier: TargetContentIdentifier?
    var scene: SceneIdentifier
    var reason: SceneDecision.Reason
    var explanation: String
    var expectedDevice: String
    var expectedScene: SceneIdentifier
    var expectedReason: SceneDecision.Reason

    init(_ opened: OpenedNotification, expectation: DemoScript.Expectation) {
        device = opened.device
        notification = opened.notification.title ?? "\(opened.notification.id)"
        targetContentIdentifier = opened.notification.targetContentIdentifier
        scene = opened.scene
        reason = opened.decision.reason
        explanation = opened.decision.explanation
        expectedDevice = expectation.device
        expectedScene = expectation.scene
        expectedReason = expectation.reason
    }

    /// Whether everything came as expected.
    var isExpected: Bool {
        device == expectedDevice && scene == expectedScene && reason == expectedReason
    }

    /// What came otherwise than expected, for a person; `nil` where nothing did.
    var difference: String? {
        guard !isExpected else { return nil }
        return "\(notification): expected \(expectedScene) on \(expectedDevice) (\(expectedReason)), "
            + "got \(scene) on \(device) (\(reason))"
    }
}
