internal import GatewayStore
internal import WaypostSchema

/// The open event streams, at most one an agent, as a value.
///
/// What is now or never is here and nowhere else; it ends with the stream that it was meant for.
struct DeviceSessions: Sendable {
    typealias Signal = DeviceSession.Signal

    /// How to signal a stream.
    typealias SignalTo = @Sendable (Signal) -> Void

    private var sessions: [AgentID: DeviceSession] = [:]
    private var lastNumber = 0

    /// The agents whose streams are open.
    var openAgents: Set<AgentID> {
        Set(sessions.keys)
    }

    /// Opens a stream that resumes behind sequence `start`.
    ///
    /// - Returns: the stream's number, and how to signal the one whose place it takes.
    mutating func open(
        _ agent: AgentID,
        after start: Int,
        signal: @escaping SignalTo
    ) -> (number: Int, predecessor: SignalTo?) {
        lastNumber += 1
        let predecessor = sessions[agent]
        sessions[agent] = DeviceSession(
            number: lastNumber,
            after: start,
            inheriting: predecessor?.flights ?? [],
            signal: signal
        )
        return (lastNumber, predecessor?.signal)
    }

    /// Closes a stream.
    ///
    /// - Returns: what was now or never and is dropped with it; `nil` where the stream was not the agent's any more.
    mutating func close(_ agent: AgentID, number: Int) -> [FlightEnd]? {
        guard let session = sessions[agent], session.number == number else { return nil }
        sessions[agent] = nil
        return Self.ends(of: session.flights, as: .dropped)
    }

    /// Ends every stream of a namespace; returns how to signal them.
    mutating func endAll(in namespace: Namespace) -> [SignalTo] {
        let ended = sessions.filter { $0.key.namespace == namespace }
        for agent in ended.keys { sessions[agent] = nil }
        return ended.values.map(\.signal)
    }

    /// Takes what is now or never in; returns what is dropped, its stream having closed meanwhile.
    mutating func add(_ flights: [Flight]) -> [FlightEnd] {
        var dropped: [StoredNotification] = []
        for flight in flights {
            if sessions[flight.agent] == nil {
                dropped.append(flight.notification)
            } else {
                sessions[flight.agent]?.add(flight.notification)
            }
        }
        return Self.ends(of: dropped, as: .dropped)
    }

    /// Begins to read a page for a stream, and returns behind what; `nil` where the stream is not the agent's any more.
    mutating func beginReading(_ agent: AgentID, number: Int) -> DeviceSession.Position? {
        guard sessions[agent]?.number == number else { return nil }
        return sessions[agent]?.beginReading()
    }

    /// Returns what is to be sent on a stream, given a page that was read behind `position`, and notes it as sent.
    mutating func send(
        _ page: [StoredNotification],
        readBehind position: DeviceSession.Position,
        to agent: AgentID,
        number: Int
    ) -> [StoredNotification] {
        guard sessions[agent]?.number == number else { return [] }
        return sessions[agent]?.send(page, readBehind: position) ?? []
    }

    /// Lets an agent's stream read its inbox from the start again.
    mutating func rewind(_ agent: AgentID) {
        sessions[agent]?.rewind()
    }

    /// The sequences that a cumulative acknowledgement of an agent covers.
    func covered(_ agent: AgentID, upTo sequence: Int) -> [Int] {
        sessions[agent]?.covered(upTo: sequence) ?? []
    }

    /// Notes that an agent acknowledges `sequences`; returns what of it was now or never.
    ///
    /// All of them are forgotten, whether they were in the inbox or not: one may have left it while it was being sent.
    mutating func acknowledge(_ agent: AgentID, _ sequences: [Int]) -> [FlightEnd] {
        for sequence in sequences { sessions[agent]?.forget(sequence) }
        return Self.ends(of: sessions[agent]?.land(sequences) ?? [], as: .acknowledged)
    }

    /// Takes out of the air what is now or never and was meant for a device that does not take it any more.
    mutating func endFlights(
        of agent: AgentID,
        where isEnding: (NewNotification) -> Bool
    ) -> [FlightEnd] {
        let ended = sessions[agent]?.endFlights { isEnding($0.notification) } ?? []
        return Self.ends(of: ended, as: .unregistered)
    }

    /// Forgets what left an inbox.
    mutating func forget(_ departures: [StoreChanges.Departure]) {
        for departure in departures { sessions[departure.agent]?.forget(departure.sequence) }
    }

    /// How many notifications of a batch were sent and not acknowledged: out of inboxes, and of what is now or never.
    ///
    /// - Complexity: O(what was sent and not acknowledged).
    func sentCounts(of batch: BatchNumber) -> (stored: Int, flying: Int) {
        sessions.values.reduce((0, 0)) { sum, session in
            (
                sum.0 + session.sent.values.count { $0.batch == batch },
                sum.1 + session.flying.values.count { $0.notification.batch == batch }
            )
        }
    }

    /// How to signal the streams of `agents`.
    func signals(of agents: some Sequence<AgentID>) -> [SignalTo] {
        agents.compactMap { sessions[$0]?.signal }
    }

    private static func ends(of flights: [StoredNotification], as state: DeliveryState) -> [FlightEnd] {
        Dictionary(grouping: flights, by: \.batch).map { FlightEnd(batch: $0, state: state, count: $1.count) }
    }
}
