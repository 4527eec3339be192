internal import ProviderTrials
internal import WaypostSchema

/// The requests of a provider so far, as far as a wait needs them.
struct TrialActivity: Sendable {
    /// The number of requests.
    private(set) var requestCount = 0

    /// The markers of the messages that were requested.
    private(set) var requestedMarkers: Set<String> = []

    /// The markers of the messages that the gateway accepted, also if the answer is delayed.
    private(set) var acceptedMarkers: Set<String> = []

    /// The markers by the number of the request, because bodies do not change.
    private var markers: [Int: String] = [:]

    /// Replaces the requests by those that the gateway has now.
    mutating func update(_ requests: [ProviderRequestRecord]) {
        requestCount = max(requestCount, requests.count)
        for request in requests {
            guard let marker = marker(of: request) else { continue }
            requestedMarkers.insert(marker)
            if request.isAcceptedInTrial { acceptedMarkers.insert(marker) }
        }
    }

    private mutating func marker(of request: ProviderRequestRecord) -> String? {
        if let marker = markers[request.number] { return marker }
        let marker = request.trialMarker
        markers[request.number] = marker
        return marker
    }
}
