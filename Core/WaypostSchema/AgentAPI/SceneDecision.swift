/// The choice of the scene that opens, and its reason.
public struct SceneDecision: Codable, Sendable, Equatable {
    /// The outcomes of a decision.
    public enum Outcome: String, Codable, Sendable {
        /// An existing scene is activated.
        case activate

        /// A new scene is created.
        case create

        /// Nothing opens, because no declaration of the app accepts the content.
        case nothing
    }

    /// The rules that decide; `docs/targeting.md` numbers them.
    public enum Reason: String, Codable, Sendable {
        /// The scene prefers the content.
        case prefers

        /// The scene can display the content, and no scene prefers it.
        case can

        /// No scene can display the content.
        case noneCan

        /// There is no identifier, so conditions are ignored.
        case noIdentifier

        /// The app supports only one scene, so conditions are ignored.
        case singleScene
    }

    /// The criteria between scenes that are equal by the rule, in this order.
    public enum TieBreak: String, Codable, Sendable {
        /// The state: foreground active before foreground inactive, background and disconnected.
        case state

        /// The latest activation.
        case recency

        /// The persistent identifier, which makes the choice deterministic.
        case identifier
    }

    /// The requested identifier.
    public var targetContentIdentifier: TargetContentIdentifier?

    /// The subject of the query, on which conditions are evaluated; absent if there is none.
    public var subject: SceneSubject?

    /// The outcome: whether an existing scene is activated or a new one is created.
    public var outcome: Outcome

    /// The scene; absent if a new one is created.
    public var scene: SceneIdentifier?

    /// The name of the declaration of which the new scene is; absent if no scene is created, or the app does not say
    /// what it declares.
    public var declaration: String?

    /// The rule that decided.
    public var reason: Reason

    /// The criterion that decided between scenes that are equal by the rule; absent if there was no tie.
    public var tieBreak: TieBreak?

    /// A human-readable sentence that explains the decision.
    public var explanation: String

    /// Human-readable findings about the query or the conditions.
    public var findings: [String]

    /// All scenes of the app, in order of preference, each with the reason why it was chosen or not.
    public var trace: [SceneTrace]

    /// Creates the value from its parts.
    public init(
        targetContentIdentifier: TargetContentIdentifier? = nil,
        subject: SceneSubject? = nil,
        outcome: Outcome,
        scene: SceneIdentifier? = nil,
        declaration: String? = nil,
        reason: Reason,
        tieBreak: TieBreak? = nil,
        explanation: String,
        findings: [String],
        trace: [SceneTrace]
    ) {
        self.targetContentIdentifier = targetContentIdentifier
        self.subject = subject
        self.outcome = outcome
        self.scene = scene
        self.declaration = declaration
        self.reason = reason
        self.tieBreak = tieBreak
        self.explanation = explanation
        self.findings = findings
        self.trace = trace
    }
}
