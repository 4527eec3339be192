/// A client of the gateway that sends batches, and that is all the devices that receive and acknowledge them.
final class GatewayDelivery {
    private let server: GatewayServer
    private let devices: [Device]
    private let poller: Poller
    private let sessions: [DeviceSession]
    private let metrics: Connection
    private var received = 0
    private var confirmed = 0

    /// Opens the sessions of the devices.
    init(_ server: GatewayServer, _ devices: [Device], _ style: DeviceSession.Acknowledgements) throws {
        (self.server, self.devices) = (server, devices)
        let poller = Poller()
        let port = try server.courierPort()
        var sessions: [DeviceSession] = []
        var opened = 0
        while opened < devices.count {
            // Listeners have a limited queue of connections that they have not accepted.
            while sessions.count < devices.count, sessions.count - opened < 256 {
                sessions.append(try DeviceSession(devices[sessions.count], sessions.count, style, poller, port: port))
            }
            try poller.wait(milliseconds: 1_000) { connection in
                guard connection.role == .stream else { return }
                let session = sessions[connection.number]
                let wasOpen = session.isOpen
                _ = try session.receive(try poller.receive(from: connection)) { _ in }
                if session.isOpen, !wasOpen { opened += 1 }
            }
        }
        (self.poller, self.sessions) = (poller, sessions)
        metrics = try poller.connect(.control, 0, port: try server.servicePort())
    }

    /// Sends as fast as the gateway accepts, and returns when it says that all items are acknowledged.
    ///
    /// The number of items is a multiple of the size of a batch.
    func run(items: Int) throws -> Usage {
        let batches = PreparedBatches(to: devices, items: items, isCompressed: false)
        let sender = try BatchSender(poller, port: try server.servicePort(), connections: 2)
        let start = Usage.now(server.child)
        while confirmed < items {
            try sender.feed { batches.next(&$0) }
            try step(sender, milliseconds: 1_000) { _ in }
            if received >= items { try askForConfirmation() }
        }
        return Usage.now(server.child) - start
    }

    /// Sends at a fixed rate.
    ///
    /// The result has, for each item, the microseconds from when it was due until its device acknowledged it.
    func run(_ pace: Pace) throws -> (Usage, [Double]) {
        let sender = try BatchSender(poller, port: try server.servicePort(), connections: 16)
        var latencies: [Double] = []
        latencies.reserveCapacity(pace.items)
        var pace = pace
        var number = 0
        var lines = ByteQueue()
        let start = Usage.now(server.child)
        let begin = Clock.now
        while received < pace.items {
            try sender.feed { output in
                guard let due = pace.next(at: (Clock.now - begin) / 1_000) else { return 0 }
                lines.consume(lines.count)
                for _ in 0..<pace.burst {
                    Item.append(number, for: devices[number % devices.count].token, due: due, to: &lines)
                    number += 1
                }
                Item.appendRequest(of: lines, isCompressed: false, to: &output)
                return pace.burst
            }
            try step(sender, milliseconds: 1) { line in
                guard let due = Item.dueTime(in: line) else { return }
                latencies.append(Double((Clock.now - begin) / 1_000 - due))
            }
        }
        return (Usage.now(server.child) - start, latencies)
    }

    private func step(
        _ sender: BatchSender,
        milliseconds: Int,
        note: (UnsafeBufferPointer<UInt8>) -> Void
    ) throws {
        try poller.wait(milliseconds: milliseconds) { connection in
            switch connection.role {
            case .sender: try sender.receive(from: connection)
            case .control: try receiveConfirmation()
            case .stream:
                let session = sessions[connection.number]
                received += try session.receive(try poller.receive(from: connection), note: note)
                try session.acknowledge(poller)
            case .acknowledger: try receiveAcknowledgement(connection)
            }
        }
    }

    private func receiveAcknowledgement(_ connection: Connection) throws {
        connection.input.append(try poller.receive(from: connection))
        guard let answer = HTTPAnswer(connection.input.bytes) else { return }
        guard answer.status == 200 else { throw Failure("an acknowledgement was refused: \(answer.status)") }
        connection.input.consume(answer.body.upperBound)
        connection.isBusy = false
        try sessions[connection.number].acknowledge(poller)
    }

    /// Asks how many notifications are acknowledged, because the gateway does not answer lines of a session.
    private func askForConfirmation() throws {
        guard !metrics.isBusy else { return }
        metrics.isBusy = true
        metrics.output.append("GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n")
        try poller.flush(metrics)
    }

    private func receiveConfirmation() throws {
        metrics.input.append(try poller.receive(from: metrics))
        guard let answer = HTTPAnswer(metrics.input.bytes) else { return }
        let body = UnsafeBufferPointer(rebasing: metrics.input.bytes[answer.body])
        confirmed = body.number(after: #"waypost_notification_states_total{state="acknowledged"} "#) ?? 0
        metrics.input.consume(answer.body.upperBound)
        metrics.isBusy = false
    }
}

/// Bursts of items at a fixed rate.
struct Pace {
    /// The number of items of a burst.
    let burst: Int

    /// The number of all items.
    let items: Int
    private var sent = 0

    /// The microseconds from one burst to the next.
    private static let interval = 10_000

    init(rate: Double, seconds: Double) {
        burst = max(1, Int(rate * Double(Self.interval) / 1e6))
        items = burst * Int(seconds * 1e6 / Double(Self.interval))
    }

    /// Returns the time at which the next burst was due, or `nil` if none is due at `time`.
    mutating func next(at time: Int) -> Int? {
        let due = sent / burst * Self.interval
        guard sent < items, time >= due else { return nil }
        sent += burst
        return due
    }
}
