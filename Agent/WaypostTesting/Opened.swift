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

    /// The calls with which the app receives the event, each as its method and argument; empty if it is lost, and `nil`
    /// if no scene opened.
    public let deliveries: [String]?

    /// The codes of the app's mistakes that concern the event; `nil` if no scene opened.
    public let findings: [String]?

    /// The calls of the app's methods, on several lines; empty if no scene opened.
    public let callbacks: String

    init(_ answer: StepChannel.Answer) {
        let actual = answer.actual ?? .null
        app = (actual["app"]?.string).map(BundleIdentifier.init(rawValue:))
        scene = (actual["scene"]?.string).map(SceneIdentifier.init(rawValue:))
        reason = actual["reason"]?.string.flatMap(SceneDecision.Reason.init(rawValue:))
        isNewScene = actual["created"] == .bool(true)
        destination = actual["destination"]?.string.flatMap(OpenedURL.Destination.init(rawValue:)) ?? .app
        explanation = answer.explanation ?? ""
        deliveries = actual["deliveries"]?.texts
        findings = actual["findings"]?.texts
        callbacks = answer.callbacks ?? ""
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

    /// Expects the calls with which the app receives the event.
    ///
    /// - Parameters:
    ///   - expected: the calls in order, each as its whole text: the method as Apple spells it, and the argument with
    ///     the event; empty if it is lost.
    ///   - sourceLocation: the place at which a failure is recorded.
    public func expect(deliveries expected: [String], sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(deliveries == expected, "\(callsText)", sourceLocation: sourceLocation)
    }

    /// Expects the app's mistakes that concern the event.
    ///
    /// - Parameters:
    ///   - expected: the codes, in any order.
    ///   - sourceLocation: the place at which a failure is recorded.
    public func expect(findings expected: Set<String>, sourceLocation: SourceLocation = #_sourceLocation) {
        let codes = findings.map { Set($0) }
        #expect(codes == expected, "\(callsText)", sourceLocation: sourceLocation)
    }

    private var callsText: String {
        deliveries == nil ? "no scene opened, so no method is called" : callbacks
    }
}

extension JSONValue {
    /// The strings of an array; `nil` if this is none.
    fileprivate var texts: [String]? {
        guard case .array(let elements) = self else { return nil }
        return elements.compactMap(\.string)
    }
}
