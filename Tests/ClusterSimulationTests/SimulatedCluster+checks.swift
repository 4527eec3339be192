/// A property that does not hold.
struct Violation: Error, CustomStringConvertible {
    let description: String

    /// Creates a violation with the reason for people.
    init(_ description: String) {
        self.description = description
    }
}

/// The properties that hold once the cluster is at rest.
extension SimulatedCluster {
    /// Stops all faults, lets everything come to rest, and checks all properties.
    mutating func finish() throws(Violation) {
        note("faults stop")
        stopFaults()
        // Without this, a wake-up that was lost at the end stays lost.
        if isLucky(1, in: 3) { try recover() }
        try drain()
        // Gateways that have ended are noticed, and two thorough looks see what they have left.
        for _ in 0..<2 * GatewayHeartbeat.fullCheckInterval { try lookAround() }
        try sweepAll()
        try checkStreams()
        try sendToAll()
        try acknowledgeAll()
        try connectAll()
        try acknowledgeAll()
        try checkEnds()
    }

    /// Has everything removed that has expired; the clock stands until the end of the round.
    ///
    /// The first attempt of a gateway that was taken for dead fails.
    private mutating func sweepAll() throws(Violation) {
        for site in runningSites + runningSites where !database.tables.expired(at: clock).isEmpty {
            sweep(at: site)
            try drain()
        }
        guard let left = database.tables.expired(at: clock).first else { return }
        throw Violation("\(left) has expired, but is still in the inbox")
    }

    /// Has each agent get another notification, which shows streams that are not woken up anymore.
    private mutating func sendToAll() throws(Violation) {
        note("each agent gets another notification")
        for agent in devices.indices {
            if let site = element(of: runningSites) { append(1, for: [agent], at: site) }
        }
        try drain()
        try checkStreams()
    }

    /// Has all devices connect that are not connected.
    private mutating func connectAll() throws(Violation) {
        note("all devices connect")
        for agent in devices.indices where devices[agent].connection == nil {
            if let site = element(of: runningSites) { connect(agent, to: site) }
        }
        try drain()
        try checkStreams()
    }

    /// Has each gateway look at the others once.
    private mutating func lookAround() throws(Violation) {
        for site in runningSites {
            repeat { runHeartbeat(at: site) } while !isHeartbeatIdle(at: site)
            try drain()
        }
    }

    /// Checks that streams have sent everything, and that nothing waits for streams that do not exist.
    private func checkStreams() throws(Violation) {
        for (agent, device) in devices.enumerated() {
            let inbox = database.tables.inbox(of: agent)
            let unread = database.tables.unread(of: agent)
            guard let number = device.connection else {
                if let notification = unread.first { throw Violation("\(notification) waits for no stream") }
                if Tables.keepsOnlyNewest(agent), inbox.count > 1 {
                    throw Violation("the inbox of agent \(agent) has not collapsed")
                }
                continue
            }
            guard let stream = connections[number].flatMap({ gateways[$0.site]?.streams[agent] }),
                stream.connection == number
            else { throw Violation("connection \(number) of agent \(agent) has no stream") }
            if let lost = (inbox + unread).first(where: { !stream.identities.contains($0.identity) }) {
                throw Violation("lost wake-up: stream \(stream.epoch) has not sent \(lost)")
            }
        }
    }

    /// Has all devices acknowledge everything, and checks that the inboxes of connected ones are empty.
    private mutating func acknowledgeAll() throws(Violation) {
        for agent in devices.indices {
            guard let number = devices[agent].connection, let site = connections[number]?.site else { continue }
            let notifications = devices[agent].received
            gateways[site]?.waiting.append(.acknowledge(agent: agent, notifications))
        }
        try drain()
        for agent in devices.indices where devices[agent].connection != nil {
            guard let left = database.tables.inbox(of: agent).first else { continue }
            throw Violation("\(left) was acknowledged, but is still in the inbox")
        }
    }

    /// Checks that each notification has ended once.
    private func checkEnds() throws(Violation) {
        if let flight = database.tables.flights.min(by: { $0.key < $1.key })?.value {
            throw Violation("\(flight.notification) has not ended, at gateway \(flight.gateway)")
        }
        for (identity, notification) in accepted.sorted(by: { $0.key < $1.key }) {
            let ends = database.tables.ends[identity] ?? []
            guard ends.count == 1 else { throw Violation("\(notification) has ended \(ends.count) times: \(ends)") }
        }
    }
}
