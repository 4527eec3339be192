/// The streams of the gateways.
extension SimulatedCluster {
    /// Returns the agents whose streams have something to send or to read.
    func agentsWithWork(at site: Int) -> [Int] {
        (gateways[site]?.streams.filter { $0.value.hasWork } ?? [:]).keys.sorted()
    }

    /// Returns the pages whose next statement can run.
    func pagesToRead(at site: Int) -> [Int] {
        (gateways[site]?.pages.filter { $0.value.phase != .taking } ?? [:]).keys.sorted()
    }

    /// Returns the agents whose devices have left their streams.
    func agentsThatHaveLeft(_ site: Int) -> [Int] {
        let left = gateways[site]?.streams.filter { connections[$0.value.connection]?.isLeft != false }
        return (left ?? [:]).keys.sorted()
    }

    /// Opens the stream of a session, unless the session is outdated.
    mutating func openStream(at site: Int) {
        guard let session = gateways[site]?.opened.removeFirst() else { return }
        guard gateways[site]?.isOutdated(session) == false else {
            seen.insert("outdated opening")
            return abandon(session, at: site)
        }
        let predecessor = gateways[site]?.streams[session.agent]
        _ = gateways[site]?.recordSession(session.agent, session.epoch)
        gateways[site]?.streams[session.agent] = DeviceStream(
            session.agent,
            session.epoch,
            session.connection,
            from: predecessor
        )
        gateways[site]?.endOpening(session.agent)
        if let predecessor { connections[predecessor.connection]?.isEnded = true }
    }

    private mutating func abandon(_ session: GatewayProcess.Opened, at site: Int) {
        let earlier = gateways[site]?.recordSession(session.agent, session.epoch)
        gateways[site]?.endOpening(session.agent)
        if earlier != nil { endStream(of: session.agent, at: site) }
        connections[session.connection]?.isEnded = true
        gateways[site]?.waiting.append(.close(agent: session.agent, epoch: session.epoch, ends: []))
    }

    /// Ends a stream, and has its session closed.
    mutating func endStream(of agent: Int, at site: Int) {
        guard let stream = gateways[site]?.streams.removeValue(forKey: agent) else { return }
        note("  stream \(stream.epoch) ends")
        connections[stream.connection]?.isEnded = true
        let ends = stream.transient.map { Settlement(notification: $0, end: .dropped) }
        gateways[site]?.waiting.append(.close(agent: agent, epoch: stream.epoch, ends: ends))
    }

    /// Passes accepted notifications to their streams.
    mutating func handOver(_ notifications: [Notification], at site: Int) {
        for notification in notifications {
            if gateways[site]?.streams[notification.agent] == nil, notification.isTransient {
                settle([notification], as: .dropped, at: site)
            }
            gateways[site]?.streams[notification.agent]?.add(notification)
        }
    }

    /// Sends the queue of a stream, or begins to read a page of its inbox.
    mutating func pump(_ agent: Int, at site: Int) throws(Violation) {
        guard var stream = gateways[site]?.streams[agent] else { return }
        if !rules.has(.expirationIsNotCheckedAgain), stream.returnExpired(at: clock) {
            seen.insert("expired in the queue")
        }
        if !stream.queue.isEmpty {
            let queue = try stream.takeQueue()
            try write(queue, to: stream)
        } else if stream.canRead {
            lastPage += 1
            let request = stream.beginReading()
            gateways[site]?.pages[lastPage] = Page(agent: agent, epoch: stream.epoch, request: request, time: clock)
        }
        gateways[site]?.streams[agent] = stream
    }

    /// Sends notifications to the device.
    mutating func write(_ notifications: [Notification], to stream: DeviceStream) throws(Violation) {
        if let late = notifications.first(where: { $0.isExpired(at: clock) }) {
            throw Violation("stream \(stream.epoch) sends \(late) at \(clock), after its expiration")
        }
        note("  stream \(stream.epoch) sends \(notifications)")
        connections[stream.connection]?.inTransit += notifications
    }
}
