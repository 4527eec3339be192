import AsyncHTTPClient
import Foundation
import GatewayClient
import GatewayTestSupport
import NIOCore
import WaypostSchema

/// A device's event stream, which stays open for the lifetime of the value.
struct OpenStream: ~Copyable {
    private var pieces: HTTPClientResponse.Body.AsyncIterator
    private var parser = ServerSentEventParser()
    private var unread: [ServerSentEvent] = []

    init(_ response: HTTPClientResponse) {
        pieces = response.body.makeAsyncIterator()
    }

    /// Returns the next `count` notifications, or fewer if the stream ends.
    mutating func next(_ count: Int = 1) async throws -> [DeliveredNotification] {
        while unread.count < count, let piece = try await pieces.next(isolation: #isolation) {
            unread += try parser.parse(piece.readableBytesView)
        }
        let events = unread.prefix(count)
        unread.removeFirst(events.count)
        return try events.filter { $0.type == "notification" }.map {
            try JSONDecoder().decode(DeliveredNotification.self, from: Data($0.data.utf8))
        }
    }
}

extension RunningGateway {
    /// Opens a device's stream, to read notifications as they arrive.
    func stream(_ device: DeviceCredential, lastEventID: String? = nil) async throws -> OpenStream {
        OpenStream(try await open(device, lastEventID: lastEventID))
    }

    /// Sends a marker notification for `topic`, and returns the notifications before it in a device's inbox.
    func inbox(
        of device: DeviceCredential,
        markedWith topic: Topic = "com.example.clowntown",
        in namespace: Namespace? = nil
    ) async throws -> [DeliveredNotification] {
        let mark = UUID().uuidString
        try await send(line(device.token, #""id":"\#(mark)","#, topic: topic), in: namespace)
        var stream = try await stream(device)
        var found: [DeliveredNotification] = []
        while let next = try await stream.next().first, next.id.rawValue != mark { found.append(next) }
        return found
    }
}
