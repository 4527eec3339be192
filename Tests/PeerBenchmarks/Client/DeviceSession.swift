/// A device that reads its event stream and acknowledges what arrives.
final class DeviceSession {
    /// How devices acknowledge.
    enum Acknowledgements: String {
        /// `POST /v1/session`: lines in the body of the request whose answer is the stream.
        case session

        /// `POST /v1/acks`, one request in flight on a second connection.
        case requests
    }

    let stream: Connection
    private let secret: String
    private let acknowledgements: Acknowledgements
    private let port: Int

    /// The connection for requests, which is opened when the first notification arrives.
    private var acknowledger: Connection?
    private var decoder = ChunkDecoder()
    private var lines = ByteQueue()
    private var body = ByteQueue()
    private var sequences: ContiguousArray<Int> = []

    /// Whether the gateway has begun its answer.
    private(set) var isOpen = false

    /// Asks for the stream; the requests are in the output of the connections.
    init(_ device: Device, _ number: Int, _ acknowledgements: Acknowledgements, _ poller: Poller, port: Int) throws {
        (secret, self.acknowledgements, self.port) = (device.secret, acknowledgements, port)
        stream = try poller.connect(.stream, number, port: port)
        switch acknowledgements {
        case .session:
            stream.output.append("POST /v1/session HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer \(secret)\r\n")
            stream.output.append("Transfer-Encoding: chunked\r\n\r\n")
        case .requests:
            stream.output.append(
                "GET /v1/events HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer \(secret)\r\n\r\n"
            )
        }
        try poller.flush(stream)
    }

    /// Takes bytes of the stream, calls `note` with the bytes of each notification, and returns their number.
    func receive(_ bytes: UnsafeBufferPointer<UInt8>, note: (UnsafeBufferPointer<UInt8>) -> Void) throws -> Int {
        try decoder.decode(bytes, into: &lines)
        var (used, count) = (0, 0)
        let content = lines.bytes
        while let end = content.place(of: "\n", from: used) {
            let line = UnsafeBufferPointer(rebasing: content[used..<end])
            used = end + 1
            if line.hasPrefix("id: ") {
                sequences.append(line.number(at: 4))
            } else if line.hasPrefix(#"data: {"sequence""#) {
                count += 1
                note(line)
            } else if line.hasPrefix("data: ") {
                throw Failure("a stream ended: \(String(decoding: line, as: UTF8.self))")
            } else if line.hasPrefix(":") {
                isOpen = true
            }
        }
        lines.consume(used)
        return count
    }

    /// Acknowledges what has arrived, unless a request is in flight.
    func acknowledge(_ poller: Poller) throws {
        guard let last = sequences.last else { return }
        switch acknowledgements {
        case .session:
            appendLine(upTo: last, to: &stream.output)
            try poller.flush(stream)
        case .requests:
            let connection = try acknowledger ?? poller.connect(.acknowledger, stream.number, port: port)
            acknowledger = connection
            guard !connection.isBusy else { return }
            appendRequest(to: &connection.output)
            connection.isBusy = true
            try poller.flush(connection)
        }
        sequences.removeAll(keepingCapacity: true)
    }

    /// Appends a line of the body as a chunk.
    private func appendLine(upTo last: Int, to output: inout ByteQueue) {
        body.append("{\"upTo\":")
        body.append(last)
        body.append("}\n")
        output.append(body.count, base: 16)
        output.append("\r\n")
        output.append(body.bytes)
        output.append("\r\n")
        body.consume(body.count)
    }

    private func appendRequest(to output: inout ByteQueue) {
        body.append(#"{"sequences":["#)
        for (index, sequence) in sequences.enumerated() {
            if index > 0 { body.append(UInt8(ascii: ",")) }
            body.append(sequence)
        }
        body.append("]}")
        output.append("POST /v1/acks HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ")
        output.append(secret)
        output.append("\r\nContent-Length: ")
        output.append(body.count)
        output.append("\r\n\r\n")
        output.append(body.bytes)
        body.consume(body.count)
    }
}
