/// A wait of a trial, as a value: it is over if a condition is met, or if waiting longer shows nothing.
struct TrialWait: Sendable, Equatable {
    /// The conditions.
    enum Condition: Sendable, Equatable {
        /// The messages of a load are accepted.
        case load

        /// The messages are accepted, within seconds.
        case answers(maximumSeconds: Int)

        /// This many of the messages were requested.
        case requests(Int)

        /// Seconds are over.
        case pause(seconds: Int)
    }

    /// The maximum time without a request during a load.
    private static let maximumIdleTime = Duration.seconds(2)

    /// The maximum time before the first request of a trial: some programs take long to start.
    private static let maximumStartTime = Duration.seconds(15)

    /// The maximum time during a load in which requests arrive and nothing new is requested or accepted.
    private static let maximumStall = Duration.seconds(10)

    /// The maximum time of a load.
    private static let maximumLoadTime = Duration.seconds(120)

    /// The maximum time before a number of messages was requested.
    private static let maximumRequestTime = Duration.seconds(30)

    /// The condition.
    let condition: Condition

    /// The markers of the messages to wait for.
    let markers: Set<String>

    /// The time since which requests are expected; `nil` while the provider starts.
    private var startTime: Duration?

    private var lastRequestCount: Int?
    private var lastRequestTime = Duration.zero
    private var lastProgressCount = 0
    private var lastProgressTime = Duration.zero

    init(_ condition: Condition, for markers: [String] = []) {
        self.condition = condition
        self.markers = Set(markers)
    }

    /// Whether the wait depends on requests.
    var needsRequests: Bool {
        if case .pause = condition { !markers.isEmpty && startTime == nil } else { true }
    }

    /// Returns whether the wait is over.
    ///
    /// Seconds count from the first request of the trial, if the provider has messages: some programs take long to start.
    ///
    /// - Parameters:
    ///   - activity: the requests so far.
    ///   - elapsed: the time since the wait began.
    ///   - hasEnded: whether the provider has ended, so that no request will follow.
    /// - Returns: whether the wait is over.
    mutating func isOver(_ activity: TrialActivity, after elapsed: Duration, providerHasEnded hasEnded: Bool) -> Bool {
        record(activity, at: elapsed)
        guard !hasEnded else { return true }
        guard let startTime else { return elapsed >= Self.maximumStartTime }
        let time = elapsed - startTime
        switch condition {
        case .pause(let seconds): return time >= .seconds(seconds)
        case .requests(let count):
            let requested = markers.intersection(activity.requestedMarkers)
            return requested.count >= count || time >= Self.maximumRequestTime
        case .answers(let seconds): return hasAllAnswers(activity) || time >= .seconds(seconds)
        case .load:
            return hasAllAnswers(activity) || elapsed - lastRequestTime >= Self.maximumIdleTime
                || elapsed - lastProgressTime >= Self.maximumStall || time >= Self.maximumLoadTime
        }
    }

    private func hasAllAnswers(_ activity: TrialActivity) -> Bool {
        markers.isSubset(of: activity.acceptedMarkers)
    }

    private mutating func record(_ activity: TrialActivity, at time: Duration) {
        let lastCount = lastRequestCount ?? activity.requestCount
        if startTime == nil, markers.isEmpty || activity.requestCount > 0 { startTime = time }
        if activity.requestCount > lastCount { lastRequestTime = time }
        lastRequestCount = activity.requestCount
        let progress = activity.requestedMarkers.count + activity.acceptedMarkers.count
        if progress > lastProgressCount { (lastProgressCount, lastProgressTime) = (progress, time) }
    }
}
