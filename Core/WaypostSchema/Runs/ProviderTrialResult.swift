/// The result of a trial of a provider.
public struct ProviderTrialResult: Codable, Sendable, Equatable {
    /// The outcomes of a trial.
    public enum Outcome: String, StringEnum {
        /// The provider met the condition, and kept the rule.
        case passed

        /// A request broke the rule.
        case failed

        /// The provider never met the condition, so nothing is shown.
        case notShown
    }

    /// The name of the trial, such as `token-reuse`.
    public var trial: String

    /// The outcome.
    public var outcome: Outcome

    /// The result in a sentence, with its numbers.
    public var summary: String

    /// The rule in a sentence.
    public var rule: String

    /// The source of the rule: the title of a page of Apple, or a public report.
    public var source: String

    /// The advice to the author of a provider that fails.
    public var advice: String

    /// The figures by name, such as `connections`.
    public var figures: [String: Double]

    /// The first request that broke the rule; absent unless a request did.
    public var request: ProviderRequestRecord?

    /// The duration in milliseconds.
    public var milliseconds: Int

    /// The timeline of a failed trial: its phases, requests and connections; absent for another outcome.
    public var timeline: ProviderTrialTimeline?

    /// Creates the value from its parts.
    public init(
        trial: String,
        outcome: Outcome,
        summary: String,
        rule: String,
        source: String,
        advice: String,
        figures: [String: Double] = [:],
        request: ProviderRequestRecord? = nil,
        milliseconds: Int = 0,
        timeline: ProviderTrialTimeline? = nil
    ) {
        self.trial = trial
        self.outcome = outcome
        self.summary = summary
        self.rule = rule
        self.source = source
        self.advice = advice
        self.figures = figures
        self.request = request
        self.milliseconds = milliseconds
        self.timeline = timeline
    }
}

/// The timeline of a trial: when each thing happened, by the system's clock.
public struct ProviderTrialTimeline: Codable, Sendable, Equatable {
    /// The maximum number of requests, which a gateway accepts for its console.
    public static let maximumRequests = 1_000

    /// The phases: what the gateway did, and the loads.
    public var phases: [ProviderTrialPhase]

    /// The connections.
    public var connections: [ProviderConnectionRecord]

    /// The requests, without their headers and bodies: at most 1,000.
    public var requests: [ProviderRequestRecord]

    /// Creates the value from its parts.
    public init(
        phases: [ProviderTrialPhase],
        connections: [ProviderConnectionRecord],
        requests: [ProviderRequestRecord]
    ) {
        self.phases = phases
        self.connections = connections
        self.requests = requests
    }
}

/// A phase of a trial.
public struct ProviderTrialPhase: Codable, Sendable, Equatable {
    /// The phase in words, such as `20 messages to 20 tokens`.
    public var text: String

    /// The time at which it began.
    public var at: Timestamp

    /// Creates the value from its parts.
    public init(text: String, at: Timestamp) {
        self.text = text
        self.at = at
    }
}
