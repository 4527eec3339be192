/// A client of an MQTT 3.1.1 broker that publishes with quality of service 1, and that is all the subscribers, with
/// persistent sessions.
final class BrokerDelivery {
    private let server: MosquittoServer
    private let poller = Poller()
    private let topics: [String]
    private var publishers: [Publisher] = []
    private var subscribed = 0
    private var received = 0
    private var acknowledged = 0

    /// The most unacknowledged messages of a publisher, as of a session of the gateway.
    private static let window = 1_000

    private struct Publisher {
        let connection: Connection
        var last: UInt16 = 0
        var unacknowledged = 0
    }

    /// Connects and subscribes.
    ///
    /// If the subscribers do not connect, the broker stores messages for those of an earlier client.
    init(_ server: MosquittoServer, subscribers count: Int, connects: Bool = true) throws {
        self.server = server
        topics = (0..<count).map { "w/d/\($0)" }
        guard connects else { return }
        var connected = 0
        while subscribed < count {
            while connected < count, connected - subscribed < 256 {
                let connection = try poller.connect(.stream, connected, port: server.port)
                MQTT.appendConnect("device-\(connected)", to: &connection.output)
                MQTT.appendSubscribe(topics[connected], to: &connection.output)
                try poller.flush(connection)
                connected += 1
            }
            try step(milliseconds: 1_000) { _ in }
        }
    }

    /// Connects the publishers, whose messages follow.
    private func connectPublishers(_ count: Int) throws {
        publishers = try (0..<count).map { number in
            let connection = try poller.connect(.sender, number, port: server.port)
            MQTT.appendConnect("publisher-\(number)", to: &connection.output)
            try poller.flush(connection)
            return Publisher(connection: connection)
        }
    }

    /// Publishes as fast as the broker acknowledges, and returns when all messages are acknowledged and, unless the
    /// subscribers are not connected, delivered.
    func run(items: Int, isDelivered: Bool = true) throws -> Usage {
        try connectPublishers(2)
        var sent = 0
        let start = Usage.now([server.child])
        while acknowledged < items || isDelivered && received < items {
            for index in publishers.indices {
                while sent < items, publishers[index].unacknowledged < Self.window {
                    publish(sent, due: 0, index)
                    sent += 1
                }
                try poller.flush(publishers[index].connection)
            }
            try step(milliseconds: 1_000) { _ in }
        }
        return Usage.now([server.child]) - start
    }

    /// Publishes at a fixed rate.
    ///
    /// The result has, for each message, the microseconds from when it was due until its subscriber acknowledged it.
    func run(_ pace: Pace) throws -> (Usage, [Double]) {
        try connectPublishers(16)
        var latencies: [Double] = []
        latencies.reserveCapacity(pace.items)
        var (pace, sent) = (pace, 0)
        let start = Usage.now([server.child])
        let begin = Clock.now
        while received < pace.items {
            while let due = pace.next(at: (Clock.now - begin) / 1_000) {
                let index = sent / pace.burst % publishers.count
                for _ in 0..<pace.burst {
                    publish(sent, due: due, index)
                    sent += 1
                }
                try poller.flush(publishers[index].connection)
            }
            try step(milliseconds: 1) { message in
                guard let due = Item.dueTime(in: message) else { return }
                latencies.append(Double((Clock.now - begin) / 1_000 - due))
            }
        }
        return (Usage.now([server.child]) - start, latencies)
    }

    private func publish(_ number: Int, due: Int, _ index: Int) {
        publishers[index].last = publishers[index].last == .max ? 1 : publishers[index].last + 1
        publishers[index].unacknowledged += 1
        let topic = topics[number % topics.count]
        MQTT.appendPublish(number, topic, publishers[index].last, due: due, to: &publishers[index].connection.output)
    }

    private func step(milliseconds: Int, note: (UnsafeBufferPointer<UInt8>) -> Void) throws {
        try poller.wait(milliseconds: milliseconds) { connection in
            connection.input.append(try poller.receive(from: connection))
            var used = 0
            while let packet = MQTT.Packet(connection.input.bytes, from: used) {
                used = packet.end
                switch packet.kind {
                case .publish:
                    received += 1
                    note(UnsafeBufferPointer(rebasing: connection.input.bytes[packet.body]))
                    MQTT.appendAcknowledgement(of: packet, in: connection.input.bytes, to: &connection.output)
                case .publishAcknowledged:
                    acknowledged += 1
                    publishers[connection.number].unacknowledged -= 1
                case .subscribed: subscribed += 1
                case .other: break
                }
            }
            connection.input.consume(used)
            try poller.flush(connection)
        }
    }
}
