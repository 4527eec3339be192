/// Sends batches to a gateway on several connections, each of which has one request in flight.
final class BatchSender {
    /// The number of items that the gateway accepted.
    private(set) var accepted = 0
    private(set) var sent = 0
    private let poller: Poller
    private let connections: [Connection]

    /// Opens `count` connections, to the ports in turn.
    init(_ poller: Poller, ports: [Int], connections count: Int) throws {
        self.poller = poller
        connections = try (0..<count).map { try poller.connect(.sender, $0, port: ports[$0 % ports.count]) }
    }

    /// Sends requests on all idle connections.
    ///
    /// `next` appends the next request, and returns its number of items, or 0 if there is none to send now.
    func feed(_ next: (inout ByteQueue) throws -> Int) throws {
        for connection in connections where !connection.isBusy {
            let count = try next(&connection.output)
            guard count > 0 else { return }
            sent += count
            connection.isBusy = true
            try poller.flush(connection)
        }
    }

    /// Reads an answer.
    func receive(from connection: Connection) throws {
        connection.input.append(try poller.receive(from: connection))
        guard let answer = HTTPAnswer(connection.input.bytes) else { return }
        let body = UnsafeBufferPointer(rebasing: connection.input.bytes[answer.body])
        guard answer.status == 200, body.number(after: #""rejected":"#) == 0 else {
            throw Failure("a batch was refused: \(answer.status) \(String(decoding: body.prefix(300), as: UTF8.self))")
        }
        accepted += body.number(after: #""accepted":"#) ?? 0
        connection.input.consume(answer.body.upperBound)
        connection.isBusy = false
    }
}

/// Requests that are written before the clock starts, and sent in turn.
final class PreparedBatches {
    private var requests: [[UInt8]] = []
    private var remaining: Int

    /// - Parameters:
    ///   - devices: the devices that get the items in turn.
    ///   - items: how many items the requests have in all.
    ///   - isCompressed: whether bodies are compressed.
    init(to devices: [Device], items: Int, isCompressed: Bool) {
        remaining = items / Item.batch
        var number = 0
        for _ in 0..<min(32, remaining) {
            var lines = ByteQueue()
            var request = ByteQueue()
            for _ in 0..<Item.batch {
                Item.append(number, for: devices[number % devices.count].token, to: &lines)
                number += 1
            }
            Item.appendRequest(of: lines, isCompressed: isCompressed, to: &request)
            requests.append(Array(request.bytes))
        }
    }

    /// Appends the next request, and returns its number of items.
    func next(_ output: inout ByteQueue) -> Int {
        guard remaining > 0 else { return 0 }
        remaining -= 1
        requests[remaining % requests.count].withUnsafeBufferPointer { output.append($0) }
        return Item.batch
    }
}
