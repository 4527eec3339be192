/// The actions of devices and of clients that send.
extension SimulatedCluster {
    /// Sends a batch to a gateway: up to three notifications for one agent or two.
    mutating func append(at site: Int) {
        let agents = devices.indices.shuffled(using: &random).prefix(Int.random(in: 1...2, using: &random))
        append(Int.random(in: 1...3, using: &random), for: Array(agents), at: site)
    }

    /// Sends a batch of `count` notifications for some of `agents` to a gateway.
    mutating func append(_ count: Int, for agents: [Int], at site: Int) {
        var notifications: [Notification] = []
        for _ in 0..<count {
            guard let agent = element(of: agents) else { continue }
            lastIdentity += 1
            let isTransient = isLucky(2, in: 5)
            let expires = !isTransient && isLucky(1, in: 4)
            notifications.append(
                Notification(
                    identity: lastIdentity,
                    agent: agent,
                    isTransient: isTransient,
                    expiration: expires ? clock + Int.random(in: 1...2, using: &random) : nil
                )
            )
        }
        gateways[site]?.waiting.append(.append(notifications))
    }

    /// Has a device request a stream.
    mutating func connect(_ agent: Int, to site: Int) {
        lastConnection += 1
        connections[lastConnection] = Connection(agent: agent, site: site)
        devices[agent].connection = lastConnection
        gateways[site]?.beginOpening(agent)
        gateways[site]?.waiting.append(.open(agent: agent, connection: lastConnection))
    }

    /// Whether the gateway has opened the stream that a device requested.
    func hasStream(_ agent: Int) -> Bool {
        guard let number = devices[agent].connection, let connection = connections[number] else { return false }
        return gateways[connection.site]?.streams[agent]?.connection == number
    }

    /// Has a device leave its stream without a word; what is on the way is lost.
    mutating func leave(_ agent: Int) {
        guard let connection = devices[agent].connection else { return }
        connections[connection]?.isLeft = true
        connections[connection]?.inTransit = []
        devices[agent].connection = nil
    }

    /// Whether a device can read something, or the end of its stream.
    func canReceive(_ agent: Int) -> Bool {
        guard let connection = devices[agent].connection.flatMap({ connections[$0] }) else { return true }
        return !connection.inTransit.isEmpty || connection.isEnded
    }

    /// Has a device read the next notification, or the end of its stream.
    mutating func receive(_ agent: Int) {
        guard let number = devices[agent].connection else { return }
        guard let connection = connections[number], !connection.inTransit.isEmpty else {
            devices[agent].connection = nil
            connections[number] = nil
            return
        }
        connections[number]?.inTransit.removeFirst()
        devices[agent].received.append(connection.inTransit[0])
    }

    /// Has a device acknowledge some of what it has received, recently or long ago.
    mutating func acknowledge(_ agent: Int, at site: Int) {
        let received = devices[agent].received
        let notifications = isLucky(1, in: 2) ? Array(received.suffix(3)) : [element(of: received)].compactMap(\.self)
        gateways[site]?.waiting.append(.acknowledge(agent: agent, notifications))
    }
}
