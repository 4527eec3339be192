import HTTP2Sessions

extension FuzzTarget {
    /// The bytes that a server sends, in pieces whose length depends on the first byte.
    static let clientFrames = FuzzTarget(
        name: "client-frames",
        summary: "HTTP/2 of servers, as load tests read it; each request ends once, and outputs are whole frames"
    ) { bytes in
        guard let session = HTTP2ClientSession(), let first = bytes.first else { return }
        let streams = (0..<3).compactMap { _ in session.send(requestHead, body: [UInt8](repeating: 0x20, count: 20)) }
        var output: [UInt8] = []
        session.writeOutput { output += $0 }
        var events: [HTTP2ClientEvent] = []
        var rest = bytes.dropFirst()
        while !rest.isEmpty, !session.isOver {
            let piece = Array(rest.prefix(Int(first) + 1))
            rest = rest.dropFirst(piece.count)
            events += piece.withUnsafeBytes { session.receive($0) }
            session.writeOutput { output += $0 }
        }
        let frames = Array(output.dropFirst(FrameConversation.preface.count - 9))
        promise(FrameConversation.isMadeOfFrames(frames), "an output is a sequence of valid frames", found: output)
        check(events, of: streams, openCount: session.openStreamCount)
    }

    private static let requestHead: HTTP2RequestHead = {
        var head = HTTP2RequestHead()
        head.append(":method", "POST")
        head.append(":scheme", "http")
        head.append(":path", "/3/device/c0ffee")
        head.append(":authority", "127.0.0.1:7333")
        return head
    }()

    /// Checks that each request is open, or has ended once.
    private static func check(_ events: [HTTP2ClientEvent], of streams: [HTTP2StreamID], openCount: Int) {
        var endedStreams: [HTTP2StreamID] = []
        for event in events {
            switch event {
            case .response(let stream, let status, let body):
                promise((1...999).contains(status), "a status has three digits", found: event)
                promise(body.count <= 4_096, "the beginning of a body is kept", found: body.count)
                endedStreams.append(stream)
            case .reset(let stream, _): endedStreams.append(stream)
            case .goAway: break
            }
        }
        promise(Set(endedStreams).isSubset(of: streams), "only what was requested ends", found: events)
        promise(Set(endedStreams).count == endedStreams.count, "a request ends once", found: events)
        promise(endedStreams.count + openCount == streams.count, "a request is open until it ends", found: events)
    }
}
