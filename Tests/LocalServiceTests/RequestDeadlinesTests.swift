import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import Testing

@testable import LocalService

/// Clients that do not send their requests, with an embedded event loop whose time the tests advance.
@Suite struct RequestDeadlinesTests {
    private let channel: EmbeddedChannel

    init() throws {
        channel = EmbeddedChannel(handler: RequestDeadlineHandler(timeout: .seconds(15)))
        try channel.connect(to: SocketAddress(unixDomainSocketPath: "/client")).wait()
    }

    private func receive(_ parts: HTTPRequestPart...) throws {
        for part in parts { try channel.writeInbound(part) }
    }

    private func body(_ count: Int) -> HTTPRequestPart {
        .body(ByteBuffer(repeating: 0, count: count))
    }

    private func answer() throws {
        try channel.writeOutbound(HTTPResponsePart.head(HTTPResponse(status: .ok)))
        try channel.writeOutbound(HTTPResponsePart.end(nil))
    }

    private let head = HTTPRequestPart.head(HTTPRequest(method: .post, scheme: nil, authority: "localhost", path: "/"))

    /// Expects that the connection is closed after `seconds`, and not before.
    private func expectEnd(after seconds: Int64, _ location: SourceLocation = #_sourceLocation) {
        channel.embeddedEventLoop.advanceTime(by: .seconds(seconds) - .nanoseconds(1))
        #expect(channel.isActive, sourceLocation: location)
        channel.embeddedEventLoop.advanceTime(by: .nanoseconds(1))
        #expect(!channel.isActive, sourceLocation: location)
    }

    @Test func silentClientIsDisconnected() {
        expectEnd(after: 15)
    }

    @Test func bodyHasTwiceTheTimeOfTheHead() throws {
        channel.embeddedEventLoop.advanceTime(by: .seconds(14))
        try receive(head, body(3))
        expectEnd(after: 30)
    }

    @Test func bodyThatArrivesByteByByteIsTooSlow() throws {
        try receive(head)
        for _ in 0..<29 {
            channel.embeddedEventLoop.advanceTime(by: .seconds(1))
            try receive(body(1))
        }
        expectEnd(after: 1)
    }

    @Test func eventStreamMayTakeAnyTimeWithHeartbeats() throws {
        let (type, path): (HTTPFields, _) = ([.contentType: "text/event-stream"], "/v1/agents/a/answers/1")
        try receive(
            .head(HTTPRequest(method: .post, scheme: nil, authority: "localhost", path: path, headerFields: type))
        )
        for _ in 0..<10 {
            channel.embeddedEventLoop.advanceTime(by: .seconds(29))
            try receive(body(13))
        }
        expectEnd(after: 30)
    }

    @Test func largeBodyMayTakeLonger() throws {
        try receive(head)
        for _ in 0..<10 {
            channel.embeddedEventLoop.advanceTime(by: .seconds(29))
            try receive(body(64 << 10))
        }
        expectEnd(after: 30)
    }

    @Test func answerMayTakeAnyTime() throws {
        try receive(head, .end(nil))
        channel.embeddedEventLoop.advanceTime(by: .hours(1))
        #expect(channel.isActive)
        try answer()
        expectEnd(after: 75)
    }

    /// While a request is answered, the service does not read the next one.
    @Test func timeOfTheNextBodyStartsAfterTheAnswer() throws {
        try receive(head, .end(nil), head)
        channel.embeddedEventLoop.advanceTime(by: .seconds(60))
        try receive(body(1))
        try answer()
        expectEnd(after: 30)
    }

    @Test func answerBeforeTheEndOfItsRequestLeavesADeadline() throws {
        try receive(head)
        try answer()
        try receive(body(1), .end(nil))
        expectEnd(after: 75)
    }

    @Test func restOfARefusedBodyHasADeadline() throws {
        try receive(head)
        try answer()
        for _ in 0..<74 {
            channel.embeddedEventLoop.advanceTime(by: .seconds(1))
            try receive(body(64 << 10))
        }
        expectEnd(after: 1)
    }

    @Test func clientThatSendsInTimeStaysConnected() throws {
        for _ in 0..<5 {
            try receive(head, body(1), .end(nil))
            try answer()
            channel.embeddedEventLoop.advanceTime(by: .seconds(74))
        }
        #expect(channel.isActive)
    }
}
