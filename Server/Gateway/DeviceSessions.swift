internal import WaypostSchema

/// The open event streams, at most one an agent, as a value.
struct DeviceSessions: Sendable {
    /// One open stream.
    private struct Session {
        var number: Int
        var start: Int
        var sentThrough: Int
        var signal: @Sendable (Signal) -> Void
    }

    /// What the gateway tells a stream.
    enum Signal {
        /// The inbox has something new.
        case somethingNew

        /// The agent has opened another stream, which takes this one's place.
        case takenOver
    }

    private var sessions: [AgentSecret: Session] = [:]
    private var lastNumber = 0

    /// The agents whose streams are open.
    var openAgents: Set<AgentSecret> {
        Set(sessions.keys)
    }

    /// Opens a stream that resumes behind sequence `start`.
    ///
    /// - Returns: the stream's number, and how to signal the one whose place it takes.
    mutating func open(
        _ agent: AgentSecret,
        after start: Int,
        signal: @escaping @Sendable (Signal) -> Void
    ) -> (number: Int, predecessor: (@Sendable (Signal) -> Void)?) {
        lastNumber += 1
        let session = Session(number: lastNumber, start: start, sentThrough: start, signal: signal)
        let predecessor = sessions.updateValue(session, forKey: agent)
        return (lastNumber, predecessor?.signal)
    }

    /// Closes a stream; says whether it was the agent's, rather than one that had been taken over.
    mutating func close(_ agent: AgentSecret, number: Int) -> Bool {
        guard sessions[agent]?.number == number else { return false }
        sessions[agent] = nil
        return true
    }

    /// Notes that everything up to and with `sequence` was sent on a stream.
    mutating func noteSent(_ agent: AgentSecret, number: Int, through sequence: Int) {
        guard sessions[agent]?.number == number else { return }
        sessions[agent]?.sentThrough = sequence
    }

    /// The sequences that a cumulative acknowledgement up to `sequence` covers: what was sent on the open stream.
    func covered(_ agent: AgentSecret, upTo sequence: Int) -> ClosedRange<Int>? {
        guard let session = sessions[agent] else { return nil }
        let last = min(sequence, session.sentThrough)
        return last > session.start ? (session.start + 1)...last : nil
    }

    /// How to signal the streams of `agents`.
    func signals(of agents: Set<AgentSecret>) -> [@Sendable (Signal) -> Void] {
        agents.compactMap { sessions[$0]?.signal }
    }
}
