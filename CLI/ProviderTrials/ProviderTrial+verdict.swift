internal import WaypostSchema

extension ProviderTrial {
    /// Returns the verdict on what the gateway saw.
    ///
    /// A gateway lists only its last requests. If it has had more, `judge` would miss the first loads.
    package func verdict(on observation: TrialObservation) -> TrialVerdict {
        repetition(in: observation) ?? judge(observation)
    }

    /// Returns the verdict on a provider that sent too many requests to list the first ones; `nil` if all are listed.
    private func repetition(in observation: TrialObservation) -> TrialVerdict? {
        let (requests, messages) = (observation.requests, observation.messages.count)
        guard let first = requests.first, let last = requests.last, first.number > 1, requests.count > messages * 10
        else { return nil }
        return .failed(
            "\(last.number) requests for \(messages) messages: the provider repeats without a pause",
            figures: [
                "connections": Double(observation.connections.count),
                "messages": Double(messages),
                "requests": Double(last.number),
            ],
            request: first
        )
    }
}
