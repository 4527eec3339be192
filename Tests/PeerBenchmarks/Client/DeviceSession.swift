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
    let acknowledger: Connection?
    private let secret: String
    private var decoder = ChunkDecoder()
    private var lines = ByteQueue()
    private var body = ByteQueue()
    private var sequences: ContiguousArray<Int> = []

    /// Whether the gateway has begun its answer.
    private(set) var isOpen = false

    /// Asks for the stream; the requests are in the output of the connections.
    init(_ device: Device, _ number: Int, _ acknowledgements: Acknowledgements, _ poller: Poller, port: Int) throws {
        secret = device.secret
        stream = try poller.connect(.stream, number, port: port)
        switch acknowledgements {
        case .session:
            acknowledger = nil
            stream.output.append("POST /v1/session HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer \(secret)\r\n")
            stream.output.append("Transfer-Encoding: chunked\r\n\r\n")
        case .requests:
            acknowledger = try poller.connect(.acknowledger, number, port: port)
            stream.output.append("GET /v1/events HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer \(secret)\r\n\r\n")
        }
        try poller.flush(stream)
    }

    /// Takes bytes of the stream.
    ///
    /// - Parameter note: called with the bytes of each notification.
    /// - Returns: the number of notifications.
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
        if let acknowledger {
            guard !acknowledger.isBusy else { return }
            appendRequest(to: &acknowledger.output)
            acknowledger.isBusy = true
            try poller.flush(acknowledger)
        } else {
            body.append("{\"upTo\":")
            body.append(last)
            body.append("}\n")
            stream.output.append(body.count, base: 16)
            stream.output.append("\r\n")
            stream.output.append(body.bytes)
            stream.output.append("\r\n")
            body.consume(body.count)
            try poller.flush(stream)
        }
        sequences.removeAll(keepingCapacity: true)
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
