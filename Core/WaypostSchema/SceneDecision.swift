/// Which scene opens, and why.
public struct SceneDecision: Codable, Sendable, Equatable {
    /// What is done.
    public enum Outcome: String, Codable, Sendable {
        /// A scene that is there is activated.
        case activate

        /// A new scene is made.
        case create
    }

    /// The rule that decided; they are numbered in `docs/targeting.md`.
    public enum Reason: String, Codable, Sendable {
        /// The scene prefers the content.
        case prefers

        /// The scene can display the content and none prefers it.
        case can

        /// No scene can display the content.
        case noneCan

        /// There was no identifier, so that conditions have no say.
        case noIdentifier

        /// The app supports one scene only, so that conditions have no say.
        case singleScene
    }

    /// What decides between scenes that the rule holds equal, in this order.
    public enum TieBreak: String, Codable, Sendable {
        /// Foreground active before foreground inactive, background and disconnected.
        case state

        /// The most recently activated.
        case recency

        /// The persistent identifier, so that the choice is always the same.
        case identifier
    }

    /// The identifier that was asked for.
    public var targetContentIdentifier: TargetContentIdentifier?

    /// What the question was about: what conditions are evaluated on, where they have a say; absent for nothing.
    public var subject: SceneSubject?

    /// Whether a scene that is there is activated or a new one is made.
    public var outcome: Outcome

    /// The scene; absent where a new one is made.
    public var scene: SceneIdentifier?

    /// The rule that decided.
    public var reason: Reason

    /// What decided between scenes that the rule holds equal; absent where there was no tie.
    public var tieBreak: TieBreak?

    /// The decision for a person, in a sentence.
    public var explanation: String

    /// What is odd about the question or the conditions, for a person.
    public var findings: [String]

    /// Every scene of the app, in the order of the choice, and why it won or lost.
    public var trace: [SceneTrace]

    /// Creates the value from its parts.
    public init(
        targetContentIdentifier: TargetContentIdentifier? = nil,
        subject: SceneSubject? = nil,
        outcome: Outcome,
        scene: SceneIdentifier? = nil,
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
        self.reason = reason
        self.tieBreak = tieBreak
        self.explanation = explanation
        self.findings = findings
        self.trace = trace
    }
}

/// Why one scene won or lost.
public struct SceneTrace: Codable, Sendable, Equatable {
    /// The scene.
    public var scene: SceneIdentifier

    /// Whether it was chosen.
    public var won: Bool

    /// Its state before the choice.
    public var state: SceneState

    /// 2 where it prefers the content, 1 where it can display it, 0 where not; absent where conditions had no say.
    public var suitability: Int?

    /// How its *can* condition was answered.
    public var can: ConditionTrace?

    /// How its *prefers* condition was answered.
    public var prefers: ConditionTrace?

    /// Why it won or lost, for a person.
    public var explanation: String

    /// Creates the value from its parts.
    public init(
        scene: SceneIdentifier,
        won: Bool,
        state: SceneState,
        suitability: Int? = nil,
        can: ConditionTrace? = nil,
        prefers: ConditionTrace? = nil,
        explanation: String
    ) {
        self.scene = scene
        self.won = won
        self.state = state
        self.suitability = suitability
        self.can = can
        self.prefers = prefers
        self.explanation = explanation
    }
}

/// How one condition was answered.
public struct ConditionTrace: Codable, Sendable, Equatable {
    /// The condition, in canonical form.
    public var predicate: String

    /// The answer; false where the condition cannot be evaluated.
    public var result: Bool

    /// The part of the condition that decided.
    public var deciding: DecidingPredicate?

    /// Why the condition cannot be evaluated.
    public var error: ContentPredicateError?

    /// Creates the value from its parts.
    public init(
        predicate: String,
        result: Bool,
        deciding: DecidingPredicate? = nil,
        error: ContentPredicateError? = nil
    ) {
        self.predicate = predicate
        self.result = result
        self.deciding = deciding
        self.error = error
    }
}
