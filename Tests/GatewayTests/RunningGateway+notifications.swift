import AsyncHTTPClient
import Foundation
import GatewayClient
import GatewayTestSupport
import NIOCore
import NIOHTTP1
import WaypostSchema

/// A stream that follows the delivery log and stays open for the lifetime of the value.
struct LogStream: ~Copyable {
    private var pieces: HTTPClientResponse.Body.AsyncIterator
    private var parser = ServerSentEventParser()
    private var unread: [ServerSentEvent] = []

    init(_ response: HTTPClientResponse) {
        pieces = response.body.makeAsyncIterator()
    }

    /// Returns the next event, or `nil` if the stream ends.
    mutating func nextEvent() async throws -> ServerSentEvent? {
        while unread.isEmpty, let piece = try await pieces.next(isolation: #isolation) {
            unread += try parser.parse(piece.readableBytesView)
        }
        return unread.isEmpty ? nil : unread.removeFirst()
    }

    /// Returns the data of the next event of a type, or `nil` if the stream ends before.
    mutating func next(_ type: String) async throws -> String? {
        while let event = try await nextEvent() {
            if event.type == type { return event.data }
        }
        return nil
    }

    /// Returns the notification of the next event, or `nil` if the stream ends.
    mutating func next() async throws -> NotificationRecord? {
        guard let event = try await nextEvent(), event.type == "notification" else { return nil }
        return try JSONDecoder().decode(NotificationRecord.self, from: Data(event.data.utf8))
    }

    /// Returns the next notification that is in `state`, or `nil` if the stream ends before.
    mutating func next(in state: DeliveryState) async throws -> NotificationRecord? {
        while let record = try await next() {
            if record.state == state { return record }
        }
        return nil
    }
}

extension RunningGateway {
    /// Returns a page of the delivery log.
    func notifications(_ query: String = "", in namespace: Namespace? = nil) async throws -> NotificationPage {
        try await get("/v1/notifications" + query, in: namespace)
    }

    /// Returns the record of a notification.
    func notification(
        _ id: NotificationID,
        _ query: String = "",
        in namespace: Namespace? = nil
    ) async throws -> NotificationRecord {
        try await get("/v1/notifications/\(id)" + query, in: namespace)
    }

    /// Follows the activity, with every change from the time that this function returns.
    func followActivity() async throws -> LogStream {
        var request = HTTPClientRequest(url: ready.service + "/v1/activity?after=0")
        request.headers.add(name: "accept", value: "text/event-stream")
        return LogStream(try await http.execute(request, timeout: .minutes(1)))
    }

    /// Follows the delivery log, with every change from the time that this function returns.
    func followLog(_ query: String = "", in namespace: Namespace? = nil) async throws -> LogStream {
        var request = HTTPClientRequest(url: ready.service + "/v1/notifications" + query)
        request.headers.add(name: "accept", value: "text/event-stream")
        for (name, value) in Self.headers(namespace) { request.headers.add(name: name, value: value) }
        return LogStream(try await http.execute(request, timeout: .seconds(60)))
    }
}

extension NotificationID {
    /// Returns the identifier of a numbered test notification.
    static func numbered(_ number: Int) -> Self {
        let digits = "\(number)"
        return Self(rawValue: "00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits)
    }
}

/// Returns a line of NDJSON: a numbered notification of Clown Town.
func line(_ number: Int, _ token: DeviceToken, _ more: String = "", topic: Topic = "com.example.clowntown") -> String {
    line(token, #""id":"\#(NotificationID.numbered(number))","# + more, topic: topic)
}

extension NotificationRecord {
    /// The number of the test notification.
    var number: Int? {
        id?.rawValue.split(separator: "-").last.flatMap { Int($0) }
    }
}
