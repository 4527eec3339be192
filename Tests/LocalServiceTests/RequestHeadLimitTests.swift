import NIOCore
import NIOEmbedded
import NIOHTTP1
import Testing

@testable import LocalService

/// The errors of the HTTP decoder on a connection with pipelined requests.
@Suite struct RequestHeadLimitTests {
    private let channel = EmbeddedChannel()

    init() throws {
        let pipeline = channel.pipeline.syncOperations
        try pipeline.configureHTTPServerPipeline()
        try RequestHeadLimitHandler.add(to: pipeline)
    }

    private func receive(_ pieces: [String]) throws {
        for piece in pieces { try channel.writeInbound(ByteBuffer(string: piece)) }
    }

    /// Answers the open request, and returns all that is written then.
    private func answer() throws -> String {
        let head = HTTPResponseHead(version: .http1_1, status: .ok, headers: ["content-length": "0"])
        try channel.writeOutbound(HTTPServerResponsePart.head(head))
        try channel.writeOutbound(HTTPServerResponsePart.end(nil))
        var text = ""
        while let piece = try channel.readOutbound(as: ByteBuffer.self) { text += String(buffer: piece) }
        return text
    }

    @Test(arguments: [["malformed\r\n\r\nmore"], ["malformed\r\n", "\r\n", "more"], ["m", "a", "l", "formed"]])
    func requestBeforeMalformedBytesIsAnswered(_ pieces: [String]) throws {
        try receive(["GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"] + pieces)
        let text = try answer()
        #expect(text.hasPrefix("HTTP/1.1 200 OK\r\n"), "\(text)")
        #expect(text.contains("HTTP/1.1 400 Bad Request\r\n"), "\(text)")
        #expect(throws: HTTPParserError.self) { try channel.throwIfErrorCaught() }
    }
}
