internal import ProviderTrials
internal import WaypostSchema

extension ProviderTrialResult {
    /// Creates the result of a trial.
    ///
    /// - Parameters:
    ///   - trial: the trial.
    ///   - verdict: the verdict.
    ///   - observation: the things that the gateway saw; `nil` if the trial was not run.
    ///   - url: the base URL of the gateway for providers.
    ///   - failure: a sentence about the end of the provider's process, if that failed.
    ///   - milliseconds: the duration.
    init(
        _ trial: ProviderTrial,
        _ verdict: TrialVerdict,
        observation: TrialObservation? = nil,
        at url: String? = nil,
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
            timeline = observation.map { Self.timeline(of: $0, with: request) }
        case .notShown(let sentence):
            let reason = failure == nil ? observation?.reasonForMissingMessages(at: url) : nil
            summary = [sentence, reason].compactMap(\.self).joined(separator: "; ")
        }
        if let failure, outcome != .passed { summary += "; \(failure)" }
    }

    /// Returns the timeline with the first requests, or else with those that end with the first wrong one.
    private static func timeline(
        of observation: TrialObservation,
        with wrongRequest: ProviderRequestRecord?
    ) -> ProviderTrialTimeline {
        let maximum = ProviderTrialTimeline.maximumRequests
        let wrongIndex = wrongRequest.flatMap { wrong in
            observation.requests.firstIndex { $0.number == wrong.number }
        }
        let end = max(maximum, wrongIndex.map { $0 + 1 } ?? 0)
        let requests = observation.requests.prefix(end).suffix(maximum).map { request in
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

extension TrialObservation {
    /// Returns why the gateway got no message, and what to do; `nil` if it got one, or there was none to send.
    ///
    /// - Parameter url: the base URL of the gateway for providers.
    /// - Returns: the sentence.
    fileprivate func reasonForMissingMessages(at url: String?) -> String? {
        guard !messages.isEmpty else { return nil }
        guard !requests.isEmpty else {
            let place = url.map { " at \($0)" } ?? ""
            return "no request arrived\(place); does the provider use WAYPOST_URL and WAYPOST_CA_FILE?"
        }
        var activity = TrialActivity()
        activity.update(requests)
        guard activity.requestedMarkers.isDisjoint(with: messages.map(\.marker)) else { return nil }
        let count = requests.count == 1 ? "1 request" : "\(requests.count) requests"
        return "\(count) arrived, none with the marker of a message in its payload"
    }
}
