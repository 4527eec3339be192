internal import WaypostSchema

extension String {
    /// The text, cut off with an ellipsis if it has more than a number of bytes.
    func shortened(to length: Int) -> String {
        utf8.count > length ? prefix(length) + "…" : self
    }
}

/// The size of results of trials in the report of a run.
extension ProviderTrialResult {
    /// The number of bytes of the texts and of the timeline, and some more for each part.
    var reportSize: Int {
        var texts = [trial, summary, rule, source, advice, request?.message ?? "", request?.body ?? ""]
        texts += figures.keys
        texts += (request?.findings ?? []).map(\.message)
        for (name, value) in request?.headers ?? [:] { texts += [name, value] }
        let size = texts.reduce(500) { $0 + $1.utf8.count + 50 }
        return size + (timeline?.reportSize ?? 0)
    }

    /// Returns the result with long texts cut off, and without the parts of a timeline that no console shows.
    func shortened(to length: Int) -> Self {
        var result = self
        result.summary = summary.shortened(to: length)
        result.rule = rule.shortened(to: length)
        result.source = source.shortened(to: length)
        result.advice = advice.shortened(to: length)
        // JSON has no infinity, and a report with one could not be sent.
        result.figures = figures.filter { $0.value.isFinite }
        result.request?.headers = request?.headers?.mapValues { $0.shortened(to: length / 10) }
        result.timeline = timeline?.shortened()
        return result
    }
}

extension ProviderTrialTimeline {
    private static let maximumPhases = 100
    private static let maximumConnections = 200

    /// The maximum number of uses of provider tokens on all connections, and that of events.
    private static let maximumConnectionParts = 500

    private static let maximumPhaseLength = 200

    /// The maximum length of a team or a key: Apple's have ten characters.
    private static let maximumIdentifierLength = 50

    /// The number of bytes, as JSON at most, and in memory.
    var reportSize: Int {
        let (tokens, events) = (connections.flatMap(\.tokens).count, connections.flatMap(\.events).count)
        let text = phases.reduce(0) { $0 + $1.text.utf8.count }
        // A character of an identifier may be six bytes of JSON.
        let parts = 50 * phases.count + 200 * connections.count + 900 * tokens + 110 * events + 480 * requests.count
        return text + parts
    }

    /// Returns the first parts, as many as a report has room for.
    ///
    /// The requests lose their headers, bodies, messages and findings, which the first wrong request keeps.
    fileprivate func shortened() -> Self {
        var (tokens, events) = (Self.maximumConnectionParts, Self.maximumConnectionParts)
        return ProviderTrialTimeline(
            phases: phases.prefix(Self.maximumPhases).map { phase in
                ProviderTrialPhase(text: phase.text.shortened(to: Self.maximumPhaseLength), at: phase.at)
            },
            connections: connections.prefix(Self.maximumConnections).map { connection in
                var connection = connection
                connection.tokens = connection.tokens.prefix(tokens).map { use in
                    use.shortened(to: Self.maximumIdentifierLength)
                }
                connection.events = Array(connection.events.prefix(events))
                tokens -= connection.tokens.count
                events -= connection.events.count
                return connection
            },
            requests: requests.prefix(Self.maximumRequests).map { request in
                var request = request
                (request.headers, request.body, request.message, request.findings) = (nil, nil, nil, nil)
                return request
            }
        )
    }
}

extension ProviderTokenUse {
    /// Returns the use with long identifiers cut off, which come from a token that nobody has verified.
    fileprivate func shortened(to length: Int) -> Self {
        var use = self
        use.team = team.map { TeamID(rawValue: $0.rawValue.shortened(to: length)) }
        use.key = key.map { ProviderKeyID(rawValue: $0.rawValue.shortened(to: length)) }
        return use
    }
}
