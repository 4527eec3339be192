import HTTP2Sessions

extension FuzzTarget {
    /// The bytes that a client sends after its preface, in pieces whose length depends on the first byte.
    static let frames = FuzzTarget(
        name: "frames",
        summary: "HTTP/2 of providers; each output is a sequence of whole frames"
    ) { bytes in
        guard let session = HTTP2Session(), !bytes.isEmpty else { return }
        receive(FrameConversation.preface, in: session)
        var rest = bytes.dropFirst()
        while !rest.isEmpty, !session.isOver {
            let piece = Array(rest.prefix(Int(bytes[0]) + 1))
            rest = rest.dropFirst(piece.count)
            receive(piece, in: session)
        }
    }

    /// Passes bytes of a client to the session, and answers each request.
    private static func receive(_ bytes: [UInt8], in session: HTTP2Session) {
        for case .request(let request) in bytes.withUnsafeBytes({ session.receive($0) }) {
            // Some answers have a body.
            let body = Array(request.body.prefix(request.fields.count % 3 * 20))
            session.respond(to: request.stream, with: HTTP2Response(status: 200, body: body))
        }
        var output: [UInt8] = []
        session.writeOutput(to: &output)
        promise(FrameConversation.isMadeOfFrames(output), "an output is a sequence of valid frames", found: output)
    }
}
