import AsyncHTTPClient
import Foundation
import GatewayClient
import GatewayTestSupport
import NIOCore
import NIOHTTP1
import Testing
import WaypostSchema

@Suite(.timeLimit(.minutes(5))) struct CourierTests {
    @Test func payloadArrivesUnchangedExceptForLineBreaks() async throws {
        try await RunningGateway.run { gateway in
            let device = try await gateway.device()
            let payload = "{\"aps\" : {\"alert\":\"Honk \\u00e9 é\"} ,\n \"n\":1.50}"
            _ = try await gateway.batch(Array("[\(line(device.token, payload: payload))]".utf8))
            let event = try await gateway.events(1, of: device)[0]
            #expect(event.type == "notification")
            #expect(event.data.contains(#""payload":{"aps" : {"alert":"Honk \u00e9 é"} ,  "n":1.50}"#))
        }
    }

    @Test func eventContainsTheWholeEnvelope() async throws {
        try await RunningGateway.run { gateway in
            let device = try await gateway.device()
            let more = #"""
                "id":"123E4567-e89b-42d3-a456-426614174000","pushType":"background","priority":5,\#
                "expiration":1999999999,"collapseID":"a \"b\" \\ \u0001 é",
                """#
            _ = try await gateway.batch(Array(line(device.token, more).utf8))
            let event = try await gateway.events(1, of: device)[0]
            let notification = try JSONDecoder().decode(DeliveredNotification.self, from: Data(event.data.utf8))
            #expect(event.id == "\(notification.sequence)")
            #expect(notification.id == "123E4567-e89b-42d3-a456-426614174000")
            #expect(notification.token == device.token)
            #expect(notification.topic == "com.example.clowntown")
            #expect(notification.pushType == "background")
            #expect(notification.priority == 5)
            #expect(notification.expiration == 1_999_999_999)
            #expect(notification.collapseID == "a \"b\" \\ \u{1} é")
        }
    }

    @Test func backlogLargerThanAPageArrivesWholeAndInOrder() async throws {
        try await RunningGateway.run { gateway in
            let device = try await gateway.device()
            let count = 500
            let body = (0..<count).map { line(device.token, payload: "{\"n\":\($0)}") }.joined()
            _ = try await gateway.batch(Array(body.utf8))
            let events = try await gateway.events(count, of: device)
            let numbers = try events.map {
                try JSONDecoder().decode(DeliveredNotification.self, from: Data($0.data.utf8)).payload["n"]
            }
            #expect(numbers == (0..<count).map { .integer($0) })
        }
    }

    @Test func onlyUnacknowledgedNotificationsAreDeliveredAgain() async throws {
        try await RunningGateway.run { gateway in
            let device = try await gateway.device()
            _ = try await gateway.batch(Array((line(device.token) + line(device.token)).utf8))
            let first = try await gateway.events(2, of: device)
            let ack = try await gateway.acknowledge(.sequences([try #require(Int(first[0].id))]), device)
            #expect(ack.acknowledged == 1)
            let second = try await gateway.events(1, of: device)
            #expect(second == [first[1]])
        }
    }

    @Test func streamResumesAfterTheLastEventID() async throws {
        try await RunningGateway.run { gateway in
            let device = try await gateway.device()
            _ = try await gateway.batch(Array((line(device.token) + line(device.token)).utf8))
            let first = try await gateway.events(2, of: device)
            let second = try await gateway.events(1, of: device, lastEventID: first[0].id)
            #expect(second == [first[1]])
        }
    }

    @Test func cumulativeAcknowledgementCoversOnlyTheOpenStream() async throws {
        try await RunningGateway.run { gateway in
            let device = try await gateway.device()
            _ = try await gateway.batch(Array((line(device.token) + line(device.token)).utf8))
            #expect(try await gateway.acknowledge(.upTo(1_000), device).acknowledged == 0)
            let first = try await gateway.events(2, of: device)
            let behindFirst = try await gateway.events(1, of: device, lastEventID: first[0].id) {
                try await gateway.acknowledge(.upTo(1_000), device).acknowledged
            }
            #expect(behindFirst.result == 1)
            #expect(try await gateway.events(1, of: device) == [first[0]])
        }
    }

    @Test func secondStreamOfAnAgentReplacesTheFirst() async throws {
        try await RunningGateway.run { gateway in
            let device = try await gateway.device()
            let first = try await gateway.open(device)
            let second = try await gateway.open(device)
            // The gateway ends the first stream; otherwise, this loop would hang.
            for try await _ in first.body {}
            _ = try await gateway.batch(Array(line(device.token).utf8))
            var parser = ServerSentEventParser()
            for try await piece in second.body {
                if try !parser.parse(piece.readableBytesView).isEmpty { break }
            }
        }
    }

    @Test func transientNotificationIsDroppedIfNoDeviceIsConnected() async throws {
        try await RunningGateway.run { gateway in
            let device = try await gateway.device()
            let receipt = try await gateway.batch(Array(line(device.token, #""expiration":0,"#).utf8))
                .decoded(as: BatchReceipt.self)
            let status = try await gateway.service(.GET, "/v1/batches/\(receipt.id)?wait=settled&timeout=20s")
                .decoded(as: BatchStatus.self)
            #expect(status.states == [.dropped: 1])
        }
    }

    @Test func tooLargeContentLengthGets413InsteadOf100Continue() async throws {
        try await RunningGateway.run { gateway in
            let secret = try await gateway.device().secret
            let head =
                "POST /v1/acks HTTP/1.1\r\nHost: localhost\r\nExpect: 100-Continue\r\nContent-Length: 9999999\r\n"
                + "Authorization: Bearer \(secret.rawValue)\r\n\r\n"
            #expect(try await gateway.rawCourier(head).hasPrefix("HTTP/1.1 413 "))
        }
    }

    /// The scheme is case-insensitive, and any number of blanks may follow it (RFC 9110, sections 11.1 and 11.4).
    @Test(arguments: ["Bearer ", "bearer   ", "BEARER \t ", "Bearer\t"])
    func secretMayFollowSeveralBlanks(_ scheme: String) async throws {
        try await RunningGateway.run { gateway in
            let device = try await gateway.device()
            _ = try await gateway.batch(Array(line(device.token).utf8))
            let event = try await gateway.events(1, of: device)[0]
            let body = #"{"sequences":[\#(event.id)]}"#
            let head =
                "POST /v1/acks HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
                + "Content-Length: \(body.utf8.count)\r\nAuthorization: \(scheme)\(device.secret.rawValue)\r\n\r\n"
            let answer = try await gateway.rawCourier(head + body)
            #expect(answer.hasPrefix("HTTP/1.1 200 "))
            #expect(answer.contains(#""acknowledged":1"#))
        }
    }

    struct Refusal: CustomTestStringConvertible, Sendable {
        var method = "POST"
        var path = "/v1/acks"
        var authorization: String?
        var lastEventID: String?
        var body = #"{"upTo":1}"#
        var status: UInt
        var code: APIError.Code
        var testDescription: String { "\(method) \(path) \(authorization ?? "") \(body.prefix(20))" }
    }

    static let refusals = [
        Refusal(status: 401, code: "unauthorized"),
        Refusal(authorization: "Basic abc", status: 401, code: "unauthorized"),
        Refusal(authorization: "Bearer nobody", status: 401, code: "unauthorized"),
        Refusal(method: "GET", path: "/v1/events", status: 401, code: "unauthorized"),
        Refusal(
            method: "GET",
            path: "/v1/events",
            authorization: "",
            lastEventID: "x",
            status: 400,
            code: "badParameter"
        ),
        Refusal(path: "/v1/events", authorization: "", status: 405, code: "methodNotAllowed"),
        Refusal(path: "/v1/nothing", authorization: "", status: 404, code: "notFound"),
        Refusal(authorization: "", body: "{}", status: 400, code: "malformedBody"),
        Refusal(authorization: "", body: #"{"upTo":1,"sequences":[1]}"#, status: 400, code: "malformedBody"),
        Refusal(authorization: "", body: "not JSON", status: 400, code: "malformedBody"),
        Refusal(
            authorization: "",
            body: String(repeating: " ", count: 1 << 20) + "{}",
            status: 413,
            code: "bodyTooLarge"
        ),
    ]

    /// An empty `authorization` represents the device's own secret.
    @Test(arguments: refusals) func badRequestsAreRefusedWithACode(_ example: Refusal) async throws {
        try await RunningGateway.run { gateway in
            let secret = try await gateway.device().secret
            var headers: [(String, String)] = []
            if let authorization = example.authorization {
                headers.append(("authorization", authorization.isEmpty ? "bearer \(secret.rawValue)" : authorization))
            }
            if let id = example.lastEventID { headers.append(("last-event-id", id)) }
            let answer = try await gateway.courier(
                .init(rawValue: example.method),
                example.path,
                headers: headers,
                body: Array(example.body.utf8)
            )
            #expect(answer.status == example.status)
            #expect(try answer.error.code == example.code)
        }
    }
}
