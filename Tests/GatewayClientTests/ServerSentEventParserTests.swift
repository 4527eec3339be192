import Testing
import WaypostTestSupport

@testable import GatewayClient

@Suite struct ServerSentEventParserTests {
    struct Case: CustomTestStringConvertible, Sendable {
        var stream: String
        var events: [ServerSentEvent]
        var testDescription: String { stream.debugDescription }
    }

    static let cases = [
        Case(stream: "", events: []),
        Case(stream: "data: a\n\n", events: [ServerSentEvent(data: "a")]),
        Case(stream: "data:a\r\rdata: b\r\n\r\n", events: [ServerSentEvent(data: "a"), ServerSentEvent(data: "b")]),
        Case(stream: "data: a\ndata:  b\n\n", events: [ServerSentEvent(data: "a\n b")]),
        Case(
            stream: "event: notification\nid: 7\ndata: {}\n\n",
            events: [
                ServerSentEvent(type: "notification", id: "7", data: "{}")
            ]
        ),
        Case(stream: "id: 7\n\ndata\n\n", events: [ServerSentEvent(id: "7", data: "")]),
        Case(
            stream: "event: x\ndata: a\n\ndata: b\n\n",
            events: [
                ServerSentEvent(type: "x", data: "a"), ServerSentEvent(data: "b"),
            ]
        ),
        Case(stream: ": heartbeat\n\nretry: 10\nunknown: x\n\n", events: []),
        Case(stream: "\u{FEFF}data: é\n\n", events: [ServerSentEvent(data: "é")]),
        Case(stream: "data: unfinished\n", events: []),
        Case(stream: "data:\u{301}a\ndata: \u{301}b\n\n", events: [ServerSentEvent(data: "\u{301}a\n\u{301}b")]),
    ]

    @Test(arguments: cases) func eventsAreParsed(_ example: Case) throws {
        var parser = ServerSentEventParser()
        let events = try parser.parse(example.stream.utf8)
        #expect(events == example.events)
    }

    @Test(arguments: cases) func eventsDoNotDependOnThePieces(_ example: Case) throws {
        let bytes = Array(example.stream.utf8)
        for cut in 0...bytes.count {
            var parser = ServerSentEventParser()
            let events = try parser.parse(bytes[..<cut]) + parser.parse(bytes[cut...])
            #expect(events == example.events, "cut at \(cut)")
        }
    }

    @Test func endlessEventIsRefused() throws {
        var parser = ServerSentEventParser()
        let piece = [UInt8](repeating: UInt8(ascii: "x"), count: ServerSentEventParser.maximumEventSize)
        let events = try parser.parse(piece)
        #expect(events.isEmpty)
        do {
            _ = try parser.parse([UInt8(ascii: "x")])
            Issue.record("an event of any size was accepted")
        } catch {
            #expect(error.limit == ServerSentEventParser.maximumEventSize)
        }
    }
}
