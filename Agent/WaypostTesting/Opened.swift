public import Testing
public import WaypostSchema

/// The scene or the website that opened, and why.
public struct Opened: Sendable, Equatable {
    /// The app, unless the website opened.
    public let app: BundleIdentifier?

    /// The scene, unless the website opened.
    public let scene: SceneIdentifier?

    /// The reason for the choice of the scene.
    public let reason: SceneDecision.Reason?

    /// Whether the scene is a new one.
    public let isNewScene: Bool

    /// The destination.
    public let destination: OpenedURL.Destination

    /// The decision, on several lines.
    public let explanation: String

    init(_ answer: StepChannel.Answer) {
        let actual = answer.actual ?? .null
        app = (actual["app"]?.string).map(BundleIdentifier.init(rawValue:))
        scene = (actual["scene"]?.string).map(SceneIdentifier.init(rawValue:))
        reason = actual["reason"]?.string.flatMap(SceneDecision.Reason.init(rawValue:))
        isNewScene = actual["created"] == .bool(true)
        destination = actual["destination"]?.string.flatMap(OpenedURL.Destination.init(rawValue:)) ?? .app
        explanation = answer.explanation ?? ""
    }

    /// Expects a scene, and a reason if one is given; a failure has the explanation.
    ///
    /// - Parameters:
    ///   - expected: the scene.
    ///   - reason: the reason, or `nil` for any.
    ///   - sourceLocation: the place at which a failure is recorded.
    public func expect(
        scene expected: SceneIdentifier,
        reason: SceneDecision.Reason? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(scene == expected, "\(explanation)", sourceLocation: sourceLocation)
        guard let reason, scene == expected else { return }
        #expect(self.reason == reason, "\(explanation)", sourceLocation: sourceLocation)
    }
}

extension Opened {
    /// Expects that a URL opened in an app (`app`), or in the browser (`website`).
    ///
    /// - Parameters:
    ///   - expected: the destination.
    ///   - sourceLocation: the place at which a failure is recorded.
    public func expect(destination expected: OpenedURL.Destination, sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(destination == expected, "\(explanation)", sourceLocation: sourceLocation)
    }
}
