internal import WaypostSchema

extension TrialEvidence {
    /// The maximum number of streams that were open at once on a connection.
    private var highestStreams: Int {
        let recorded = observation.connections.map(\.highestStreams).max() ?? 0
        return max(recorded, observation.requests.compactMap(\.openStreams).max() ?? 0)
    }

    /// The connections that have an event of a kind, with the time of the first one.
    private func connections(
        with kind: ProviderConnectionEvent.Kind
    ) -> [(connection: ProviderConnectionRecord, at: Timestamp)] {
        observation.connections.compactMap { connection in
            guard let event = connection.events.first(where: { $0.kind == kind }) else { return nil }
            return (connection: connection, at: event.at)
        }
    }

    /// The connections that were opened at or after a time, in order.
    private func connections(openedFrom time: Timestamp) -> [ProviderConnectionRecord] {
        observation.connections.filter { $0.openedAt >= time }.sorted { $0.number < $1.number }
    }

    /// Returns the verdict on a provider that opens a connection for most messages.
    ///
    /// Such a provider opens as many connections without a fault; `no-churn` judges that.
    ///
    /// - Parameter time: the time of the fault.
    /// - Returns: the verdict; `nil` if the provider shares connections.
    private func verdictOnUnsharedConnections(before time: Timestamp) -> TrialVerdict? {
        let requests = observation.requests.count { $0.at < time }
        let opened = observation.connections.count { $0.openedAt < time && $0.requests > 0 }
        guard requests > 2, opened * 2 > requests else { return nil }
        return .notShown("the provider had opened \(opened) connections for \(requests) messages before; see no-churn")
    }

    /// Returns the first request on a connection.
    private func firstRequest(on connection: ProviderConnectionRecord) -> ProviderRequestRecord? {
        observation.requests.first { $0.connection == connection.number }
    }

    /// Returns the verdict on requests that exceeded a limit of streams that the provider had acknowledged.
    ///
    /// - Parameter isCounted: whether a request counts.
    /// - Returns: the verdict; `nil` if no request exceeded it.
    private func exceededLimit(where isCounted: (ProviderRequestRecord) -> Bool = { _ in true }) -> TrialVerdict? {
        let excess = observation.requests.filter { request in
            guard let open = request.openStreams, let limit = request.streamLimit else { return false }
            return open > limit && isCounted(request)
        }
        guard let first = excess.first, let open = first.openStreams, let limit = first.streamLimit else { return nil }
        return failed(
            "\(counted(excess.count, "request")) exceeded the limit, the first with \(open) open streams of \(limit)",
            ["excess": Double(excess.count), "streams": Double(excess.compactMap(\.openStreams).max() ?? 0)],
            request: first
        )
    }
}

// MARK: Streams

extension TrialEvidence {
    /// Judges `first-stream-alone`.
    ///
    /// Streams that a provider opens before it has read the limit are allowed (RFC 9113, section 5.1.2).
    func judgeFirstStreamAlone() -> TrialVerdict {
        if let verdict = missingRequests(inLoad: 0) { return verdict }
        if let verdict = exceededLimit() ?? doubled() ?? missingMessages(inLoad: 0) ?? lost(inLoads: 0...0) {
            return verdict
        }
        let highest = highestStreams
        guard highest > 1 else {
            return .notShown("the provider never had two open streams, so the limit did not matter")
        }
        let hasReadLimit = observation.connections.contains { connection in
            observation.requests.lazy.filter { $0.connection == connection.number }.dropFirst().first?.streamLimit
                != nil
        }
        guard hasReadLimit else {
            return .notShown("the provider opened its streams before it had read the limit of 1")
        }
        return passed("1 open stream until the first answer, and \(highest) afterward", ["streams": Double(highest)])
    }

    /// Judges `stream-limit`.
    func judgeStreamLimit() -> TrialVerdict {
        if let verdict = missingMessages(inLoad: 0) { return verdict }
        if let verdict = exceededLimit() ?? lost(inLoads: 0...max(0, loads.count - 1)) { return verdict }
        let reached = observation.requests.contains { $0.streamLimit == 5 && $0.openStreams == 5 }
        guard reached else {
            return .notShown("the provider never had 5 open streams while 5 was the limit")
        }
        let highest = observation.requests.filter { $0.streamLimit == 50 }.compactMap(\.openStreams).max() ?? 0
        return passed("5 open streams of 5, and then \(highest) of 50", ["streams": Double(highest)])
    }

    /// Judges `shrink-to-one`.
    func judgeShrinkToOne() -> TrialVerdict {
        if let verdict = missingMessages(inLoad: 0) { return verdict }
        guard let shrunk = connectionFaultTimes.first, let restored = connectionFaultTimes.dropFirst().first else {
            return .notShown("the limit of streams never changed")
        }
        if let verdict = verdictOnUnsharedConnections(before: shrunk) { return verdict }
        if let verdict = exceededLimit(where: { $0.streamLimit == 1 && $0.at >= shrunk }) { return verdict }
        let new = connections(openedFrom: shrunk)
        if new.count > 2 {
            let summary = "\(new.count) new connections after the limit shrank to 1"
            return failed(summary, ["newConnections": Double(new.count)], request: firstRequest(on: new[2]))
        }
        guard highestStreams > 1 else { return .notShown("the provider never had two open streams") }
        if let verdict = doubled() { return verdict }
        let waiting = observation.messages.filter { message in
            !attempts(of: message).contains { $0.isAccepted && $0.request.at < restored }
        }
        if !waiting.isEmpty {
            let next = attempts.first { $0.request.at >= restored }?.request
            let wait = milliseconds(from: restored, to: next?.at ?? observation.endedAt)
            if wait >= 5_000 {
                let summary = "\(counted(waiting.count, "message")) waited for \(seconds(wait)) after the limit grew"
                return failed(summary, ["seconds": Double(wait) / 1_000], request: next)
            }
        }
        if let verdict = lost(inLoads: 0...max(0, loads.count - 1)) { return verdict }
        let limited = observation.requests.count { $0.at >= shrunk && $0.streamLimit == 1 }
        guard limited > 0 else { return .notShown("the provider sent nothing while 1 was the limit") }
        return passed("\(counted(limited, "request")) one at a time, and every message once")
    }
}

// MARK: GOAWAY

extension TrialEvidence {
    /// Judges `goaway-idle`.
    func judgeGoAwayIdle() -> TrialVerdict {
        if let verdict = missingMessages(inLoad: 0) { return verdict }
        guard !connections(with: .goAway).isEmpty, let start = loads.last?.at else {
            return .notShown("no connection was open for a GOAWAY")
        }
        let load = loads.count - 1
        guard let first = attempts(inLoad: load).first else {
            return failed("no message arrived after the GOAWAY", ["lost": Double(messages(inLoad: load).count)])
        }
        let wait = milliseconds(from: start, to: first.request.at)
        guard wait < 5_000 else {
            let summary = "the first message after the GOAWAY arrived after \(seconds(wait))"
            return failed(summary, ["seconds": Double(wait) / 1_000], request: first.request)
        }
        return lost(inLoads: load...load) ?? passed("a new connection after \(wait) ms", ["milliseconds": Double(wait)])
    }

    /// Judges `goaway-busy`.
    func judgeGoAwayBusy() -> TrialVerdict {
        if let verdict = missingMessages(inLoad: 0) { return verdict }
        let open = connections(with: .goAway).map { connection, time in
            observation.requests.count { request in
                guard request.connection == connection.number, request.at <= time else { return false }
                return (request.answeredAt ?? observation.endedAt) >= time
            }
        }
        .reduce(0, +)
        guard open > 0 else { return .notShown("no stream was open at the GOAWAY") }
        return doubled() ?? lost(inLoads: 0...max(0, loads.count - 1))
            ?? passed("every message once, \(counted(open, "open stream")) at the GOAWAY", ["streams": Double(open)])
    }

    /// Judges `goaway-twice`.
    func judgeGoAwayTwice() -> TrialVerdict {
        if let verdict = missingMessages(inLoad: 0) { return verdict }
        let hit = connections(with: .goAway)
        guard !hit.isEmpty, let time = connectionFaultTimes.first else {
            return .notShown("no connection was open for a GOAWAY")
        }
        if let verdict = verdictOnUnsharedConnections(before: time) { return verdict }
        let new = connections(openedFrom: time)
        let maximum = max(2, hit.count + 1)
        let counts = "\(counted(new.count, "new connection")) for \(hit.count)"
        let figures = ["newConnections": Double(new.count)]
        if new.count > maximum { return failed(counts, figures, request: firstRequest(on: new[maximum])) }
        let load = loads.count - 1
        if attempts(inLoad: load).isEmpty { return failed("no message arrived after the GOAWAY", figures) }
        return lost(inLoads: load...load) ?? passed(counts, figures)
    }
}

// MARK: Dead connections

extension TrialEvidence {
    /// Judges `blackhole`.
    func judgeBlackhole() -> TrialVerdict {
        if let verdict = missingMessages(inLoad: 0) { return verdict }
        guard !connections(with: .silenced).isEmpty, let start = loads.last?.at else {
            return .notShown("no connection was open to be silenced")
        }
        let load = loads.count - 1
        guard let last = messages(inLoad: load).compactMap({ attempts(of: $0).first?.request.at }).max() else {
            return failed("no message arrived within 60 s", ["lost": Double(messages(inLoad: load).count)])
        }
        let wait = milliseconds(from: start, to: last)
        return lost(inLoads: load...load)
            ?? passed("every message on another connection after \(seconds(wait))", ["seconds": Double(wait) / 1_000])
    }

    /// Judges `silent-stream`.
    func judgeSilentStream() -> TrialVerdict {
        if let verdict = missingMessages(inLoad: 0) { return verdict }
        guard let silent = attempts.first(where: { $0.request.fault == .hang }) else {
            return .notShown("no request was left without an answer")
        }
        let tries = attempts(of: silent.message)
        if tries.count > 3 {
            let summary = "the message without an answer was sent \(tries.count) times"
            return failed(summary, ["tries": Double(tries.count)], request: tries[3].request)
        }
        let load = loads.count - 1
        if let verdict = delayed(inLoad: load, after: silent.request.at) { return verdict }
        if attempts(inLoad: load).isEmpty {
            return failed("no other message arrived after the one without an answer", request: silent.request)
        }
        return lost(inLoads: load...load)
            ?? passed(
                "\(counted(tries.count, "try", plural: "tries")) without an answer, and other messages did not wait",
                ["tries": Double(tries.count)]
            )
    }

    /// Judges `no-churn`.
    ///
    /// The first loads may fill a pool; one connection more may replace one that was lost.
    func judgeNoChurn() -> TrialVerdict {
        let accepted = loads.indices.filter { missingMessages(inLoad: $0) == nil }
        let pooled = Self.pooledLoads
        guard accepted.count(where: { $0 >= pooled }) > 1 else {
            return .notShown("the gateway got messages of \(counted(accepted.count, "load")) only")
        }
        let late = lateConnections(from: pooled)
        let connections = observation.connections.count { $0.requests > 0 }
        let summary =
            "\(counted(connections, "connection")) for \(loads.count) loads, \(late.count) of them after load \(pooled)"
        let figures = ["lateConnections": Double(late.count)]
        guard late.count > 1 else { return passed(summary, figures) }
        return failed(summary, figures, request: late[1])
    }

    /// The number of the first loads, which may fill a pool of connections.
    private static let pooledLoads = 2

    /// Returns the first request on each connection that was opened for a message of a load or of a later one.
    ///
    /// A slow provider may open a connection of its pool during the load for a message of an earlier one.
    private func lateConnections(from load: Int) -> [ProviderRequestRecord] {
        let start = loads[load].at
        let opened = Set(connections(openedFrom: start).map(\.number))
        var seen: Set<Int> = []
        return attempts.compactMap { attempt in
            guard let number = attempt.request.connection, opened.contains(number), seen.insert(number).inserted,
                attempt.message.load >= load
            else { return nil }
            return attempt.request
        }
    }

    /// Judges `trust-change`.
    ///
    /// Messages that are lost with the connections count in other trials. The load after the restart with the same
    /// authority shows how many those are.
    func judgeTrustChange() -> TrialVerdict {
        if let verdict = missingMessages(inLoad: 0) { return verdict }
        guard loads.count > 2, let time = timeOfStep(where: { $0 == .restart(.second) }) else {
            return .notShown("the certificate of the gateway did not change")
        }
        guard !attempts(inLoad: 1).isEmpty else {
            return .notShown("no message arrived after the gateway had started again with the same authority")
        }
        guard !attempts(inLoad: 2).isEmpty else {
            return failed(
                "no message arrived after the gateway had a certificate of another authority",
                ["lost": Double(messages(inLoad: 2).count)]
            )
        }
        let (control, lost) = (messagesWithoutRequest(inLoad: 1), messagesWithoutRequest(inLoad: 2))
        let total = messages(inLoad: 2).count
        guard (lost - control) * 2 <= total else {
            let missing = "\(lost) of \(counted(total, "message"))"
            if isStillSending { return .notShown("the provider was still sending at the end: \(missing) missing") }
            return failed(
                "\(missing) never arrived with a certificate of another authority, and \(control) with the same one",
                ["lost": Double(lost)]
            )
        }
        let count = connections(openedFrom: time).count
        return passed("\(counted(count, "new connection")) with a certificate of another authority")
    }

    /// Returns the number of messages of a load that no request carries.
    private func messagesWithoutRequest(inLoad load: Int) -> Int {
        messages(inLoad: load).count { attempts(of: $0).isEmpty }
    }
}
