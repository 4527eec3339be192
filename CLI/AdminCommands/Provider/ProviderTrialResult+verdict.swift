internal import ProviderTrials
internal import WaypostSchema

extension ProviderTrialResult {
    /// The maximum number of requests in a timeline.
    private static let maximumRequests = 1_000

    /// Creates the result of a trial.
    ///
    /// - Parameters:
    ///   - trial: the trial.
    ///   - verdict: the verdict.
    ///   - observation: the things that the gateway saw; `nil` if the trial was not run.
    ///   - failure: a sentence about the end of the provider's process, if that failed.
    ///   - milliseconds: the duration.
    init(
        _ trial: ProviderTrial,
        _ verdict: TrialVerdict,
        observation: TrialObservation? = nil,
        failure: String? = nil,
        milliseconds: Int = 0
    ) {
        self.init(
            trial: trial.name,
            outcome: .notShown,
            summary: "",
            rule: trial.rule,
            source: trial.source,
            advice: trial.advice,
            milliseconds: milliseconds
        )
        switch verdict {
        case .passed(let sentence, let figures): (outcome, summary, self.figures) = (.passed, sentence, figures)
        case .failed(let sentence, let figures, let request):
            (outcome, summary, self.figures) = (.failed, sentence, figures)
            self.request = request
            timeline = observation.map(Self.timeline)
        case .notShown(let sentence): summary = sentence
        }
        if let failure, outcome != .passed { summary += "; \(failure)" }
    }

    private static func timeline(of observation: TrialObservation) -> ProviderTrialTimeline {
        let requests = observation.requests.prefix(maximumRequests).map { request in
            var request = request
            (request.headers, request.body) = (nil, nil)
            return request
        }
        return ProviderTrialTimeline(
            phases: observation.steps.map { ProviderTrialPhase(text: $0.step.text, at: $0.at) },
            connections: observation.connections,
            requests: requests
        )
    }
}
