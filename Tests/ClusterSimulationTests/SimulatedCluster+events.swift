/// Events, and what gateways do if some may be missing.
extension SimulatedCluster {
    /// Sends an event to the other gateways.
    mutating func tellOthers(_ event: Event, from site: Int) {
        if case .nudge(let agents) = event, agents.isEmpty { return }
        for other in runningSites where other != site { messages.append(Message(site: other, event: event)) }
    }

    /// Delivers a message.
    mutating func deliver(_ message: Message) {
        note("  \(message)")
        receive(message.event, at: message.site)
    }

    /// Handles the next event of a gateway's own store.
    mutating func handleEvent(at site: Int) {
        guard let event = gateways[site]?.events.removeFirst() else { return }
        note("  \(event)")
        receive(event, at: site)
    }

    private mutating func receive(_ event: Event, at site: Int) {
        switch event {
        case .nudge(let agents):
            for agent in agents { gateways[site]?.streams[agent]?.recordNew() }
        case .sessionOpened(let agent, let epoch):
            if gateways[site]?.recordSession(agent, epoch) != nil { endStream(of: agent, at: site) }
        case .removed(let agent, let sequences): gateways[site]?.streams[agent]?.forget(sequences)
        case .behind(let sequences):
            seen.insert("behind")
            for (agent, sequence) in sequences { gateways[site]?.streams[agent]?.recordNew(upTo: sequence) }
        case .expelled:
            for agent in streamingAgents(at: site) { endStream(of: agent, at: site) }
            lookAtEverything(at: site)
        case .gap: lookAtEverything(at: site)
        }
    }

    /// Has a gateway remove what has expired; only the first one does so regularly, but several do no harm.
    mutating func sweep(at site: Int) {
        gateways[site]?.waiting.append(.sweep(at: clock))
    }

    private func streamingAgents(at site: Int) -> [Int] {
        (gateways[site]?.streams ?? [:]).keys.sorted()
    }

    /// Compares the streams with the database, and reads all inboxes again.
    private mutating func lookAtEverything(at site: Int) {
        endOutdatedStreams(at: site)
        for agent in streamingAgents(at: site) { gateways[site]?.streams[agent]?.rewind() }
        closeSessionsWithoutStreams(at: site)
        dropForgottenTransient(at: site)
    }

    /// Ends the streams whose sessions are not current.
    mutating func endOutdatedStreams(at site: Int) {
        for agent in streamingAgents(at: site)
        where gateways[site]?.streams[agent]?.epoch != database.tables.sessions[agent]?.epoch {
            seen.insert("outdated stream")
            endStream(of: agent, at: site)
        }
    }

    /// Closes the sessions that belong to a gateway, but have no stream there.
    mutating func closeSessionsWithoutStreams(at site: Int) {
        guard let gateway = gateways[site], !rules.has(.leftoversStay) else { return }
        for (agent, session) in database.tables.sessions.sorted(by: { $0.key < $1.key })
        where session.gateway == gateway.handle.gateway && gateway.streams[agent] == nil && !gateway.isOpening(agent) {
            seen.insert("session without stream")
            gateways[site]?.waiting.append(.close(agent: agent, epoch: session.epoch, ends: []))
        }
    }

    /// Drops the transient notifications that belong to a gateway, but that it does not have.
    private mutating func dropForgottenTransient(at site: Int) {
        guard let gateway = gateways[site], !rules.has(.leftoversStay) else { return }
        let pages = gateway.pages.values.filter { $0.phase == .read }
        let known = Set(gateway.streams.values.flatMap(\.transient) + pages.flatMap(\.notifications))
        let forgotten = database.tables.flights.values.filter {
            $0.gateway == gateway.handle.gateway && !$0.isUnread && !known.contains($0.notification)
        }
        if !forgotten.isEmpty { seen.insert("forgotten transient notification") }
        settle(forgotten.map(\.notification).sorted { $0.sequence < $1.sequence }, as: .dropped, at: site)
    }
}
