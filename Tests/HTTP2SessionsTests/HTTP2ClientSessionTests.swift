import Testing

@testable import HTTP2Sessions

/// A client session and a server session that exchange bytes.
@Suite struct HTTP2ClientSessionTests {
    private let client: HTTP2ClientSession
    private let server: HTTP2Session

    init() throws {
        client = try #require(HTTP2ClientSession())
        server = try #require(HTTP2Session())
    }

    private static func head(_ path: String = "/3/device/c0ffee") -> HTTP2RequestHead {
        var head = HTTP2RequestHead()
        head.append(":method", "POST")
        head.append(":scheme", "http")
        head.append(":path", path, isIndexed: false)
        head.append(":authority", "127.0.0.1:7333")
        head.append("apns-topic", "com.example.clowntown")
        return head
    }

    /// Passes on all bytes until neither side has more, and returns the events of both.
    private func exchange() -> (ofServer: [HTTP2Event], ofClient: [HTTP2ClientEvent]) {
        var (ofServer, ofClient): ([HTTP2Event], [HTTP2ClientEvent]) = ([], [])
        while true {
            var up: [UInt8] = []
            client.writeOutput { up.append(contentsOf: $0) }
            ofServer += up.withUnsafeBytes(server.receive)
            var down: [UInt8] = []
            server.writeOutput(to: &down)
            ofClient += down.withUnsafeBytes(client.receive)
            if up.isEmpty, down.isEmpty { return (ofServer, ofClient) }
        }
    }

    @Test func requestArrivesWithItsFieldsAndItsBody() throws {
        let stream = try #require(client.send(Self.head(), body: Array("{}".utf8)))
        let request = HTTP2Request(
            stream: stream,
            fields: [
                HTTP2Field(":method", "POST"), HTTP2Field(":scheme", "http"), HTTP2Field(":path", "/3/device/c0ffee"),
                HTTP2Field(":authority", "127.0.0.1:7333"), HTTP2Field("apns-topic", "com.example.clowntown"),
            ],
            body: Array("{}".utf8)
        )
        #expect(exchange().ofServer == [.request(request)])
        #expect(client.openStreamCount == 1)
    }

    @Test func answersHaveTheirStatusAndBody() throws {
        let good = try #require(client.send(Self.head(), body: [1]))
        let bad = try #require(client.send(Self.head(), body: []))
        _ = exchange()
        server.respond(to: bad, with: HTTP2Response(status: 410, body: Array(#"{"reason":"Unregistered"}"#.utf8)))
        server.respond(to: good, with: HTTP2Response(status: 200, fields: [HTTP2Field("apns-id", "1")]))
        #expect(
            Set(exchange().ofClient.map { "\($0)" }) == [
                "\(HTTP2ClientEvent.response(bad, status: 410, body: Array(#"{"reason":"Unregistered"}"#.utf8)))",
                "\(HTTP2ClientEvent.response(good, status: 200, body: []))",
            ]
        )
        #expect(client.openStreamCount == 0)
    }

    @Test func bodiesLargerThanAWindowArriveWhole() throws {
        let body = (0..<60_000).map { UInt8(truncatingIfNeeded: $0) }
        let streams = try (0..<5).map { _ in try #require(client.send(Self.head(), body: body)) }
        let bodies = exchange().ofServer.compactMap { event in
            if case .request(let request) = event { request.body } else { nil }
        }
        #expect(streams.count == 5)
        #expect(bodies == Array(repeating: body, count: 5))
    }

    @Test func bodyOfAnAnswerIsKeptUpToALimit() throws {
        let stream = try #require(client.send(Self.head(), body: []))
        _ = exchange()
        server.respond(to: stream, with: HTTP2Response(status: 400, body: Array(repeating: 7, count: 100_000)))
        #expect(exchange().ofClient == [.response(stream, status: 400, body: Array(repeating: 7, count: 4_096))])
    }

    @Test func resetStreamHasTheCodeOfItsReset() throws {
        let stream = try #require(client.send(Self.head(), body: [1]))
        _ = exchange()
        server.reset(stream)
        // INTERNAL_ERROR (RFC 9113, section 7).
        #expect(exchange().ofClient == [.reset(stream, code: 2)])
        #expect(client.openStreamCount == 0)
    }

    @Test func serverThatLeavesAnswersAndTakesNoMore() throws {
        let stream = try #require(client.send(Self.head(), body: [1]))
        _ = exchange()
        server.goAway(with: Array("bye".utf8))
        #expect(exchange().ofClient == [.goAway(data: Array("bye".utf8))])
        #expect(client.send(Self.head(), body: []) == nil)
        server.respond(to: stream, with: HTTP2Response(status: 200))
        #expect(exchange().ofClient == [.response(stream, status: 200, body: [])])
    }

    @Test func settingsOfTheServerLimitTheStreams() throws {
        _ = exchange()
        #expect(client.allowedStreamCount == 1_000)
        server.announceConcurrentStreams(1)
        _ = exchange()
        #expect(client.allowedStreamCount == 1)
    }

    @Test func brokenBytesEndTheSession() {
        _ = exchange()
        #expect(!client.isOver)
        _ = Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8).withUnsafeBytes(client.receive)
        var rest: [UInt8] = []
        client.writeOutput { rest.append(contentsOf: $0) }
        #expect(client.isOver)
    }
}
