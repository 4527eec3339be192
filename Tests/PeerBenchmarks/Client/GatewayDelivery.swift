/// A client of gateways that sends batches, and that is all the devices that receive and acknowledge them.
final class GatewayDelivery {
    private let servers: [GatewayServer]
    private let devices: [Device]
    private let poller: Poller
    private let sessions: [DeviceSession]
    private let metrics: [Connection]
    private var received = 0

    /// The number of acknowledged notifications that each gateway has reported.
    private var confirmed: [Int]

    /// Opens the sessions of the devices at one gateway.
    convenience init(_ server: GatewayServer, _ devices: [Device], _ style: DeviceSession.Acknowledgements) throws {
        try self.init([server], devices, style)
    }

    /// Opens the sessions of the devices at the receivers in turn.
    ///
    /// The gateways get the batches in turn. Unless there are others, they are the receivers.
    init(
        _ servers: [GatewayServer],
        receivers: [GatewayServer]? = nil,
        _ devices: [Device],
        _ style: DeviceSession.Acknowledgements
    ) throws {
        (self.servers, self.devices) = (servers, devices)
        let poller = Poller()
        let ports = try (receivers ?? servers).map { try $0.courierPort() }
        var sessions: [DeviceSession] = []
        var opened = 0
        while opened < devices.count {
            // Listeners have a limited queue of connections that they have not accepted.
            while sessions.count < devices.count, sessions.count - opened < 256 {
                let number = sessions.count
                let port = ports[number % ports.count]
                sessions.append(try DeviceSession(devices[number], number, style, poller, port: port))
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
        confirmed = servers.map { _ in 0 }
        metrics = try servers.enumerated().map { try poller.connect(.control, $0, port: try $1.servicePort()) }
    }

    /// Sends as fast as the gateway accepts, and returns when it says that all items are acknowledged.
    ///
    /// The number of items is a multiple of the size of a batch.
    func run(items: Int) throws -> Usage {
        let batches = PreparedBatches(to: devices, items: items, isCompressed: false)
        let sender = try BatchSender(poller, ports: try servicePorts(), connections: max(2, servers.count))
        let start = Usage.now(servers.map(\.child))
        while confirmed.reduce(0, +) < items {
            try sender.feed { batches.next(&$0) }
            try step(sender, milliseconds: 1_000) { _ in }
            if received >= items { try askForConfirmation() }
        }
        return Usage.now(servers.map(\.child)) - start
    }

    private func servicePorts() throws -> [Int] {
        try servers.map { try $0.servicePort() }
    }

    /// Sends at a fixed rate.
    ///
    /// The result has, for each item, the microseconds from when it was due until its device acknowledged it.
    func run(_ pace: Pace) throws -> (Usage, [Double]) {
        let sender = try BatchSender(poller, ports: try servicePorts(), connections: 16)
        var latencies: [Double] = []
        latencies.reserveCapacity(pace.items)
        var pace = pace
        var number = 0
        var lines = ByteQueue()
        let start = Usage.now(servers.map(\.child))
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
        return (Usage.now(servers.map(\.child)) - start, latencies)
    }

    private func step(
        _ sender: BatchSender,
        milliseconds: Int,
        note: (UnsafeBufferPointer<UInt8>) -> Void
    ) throws {
        try poller.wait(milliseconds: milliseconds) { connection in
            switch connection.role {
            case .sender: try sender.receive(from: connection)
            case .control: try receiveConfirmation(connection)
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
        for metrics in metrics where !metrics.isBusy {
            metrics.isBusy = true
            metrics.output.append("GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n")
            try poller.flush(metrics)
        }
    }

    private func receiveConfirmation(_ metrics: Connection) throws {
        metrics.input.append(try poller.receive(from: metrics))
        guard let answer = HTTPAnswer(metrics.input.bytes) else { return }
        let body = UnsafeBufferPointer(rebasing: metrics.input.bytes[answer.body])
        confirmed[metrics.number] =
            body.number(after: #"waypost_notification_states_total{state="acknowledged"} "#) ?? 0
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
