import AsyncHTTPClient
import Foundation
import GatewayClient
import GatewayTestSupport
import NIOCore
import NIOHTTP1
import Testing
import WaypostSchema

extension RunningGateway {
    /// Opens a device's stream and returns when its response head has arrived.
    func open(_ device: DeviceCredential, lastEventID: String? = nil) async throws -> HTTPClientResponse {
        var request = HTTPClientRequest(url: ready.courier + "/v1/events")
        request.headers.add(name: "authorization", value: "Bearer \(device.secret.rawValue)")
        if let lastEventID { request.headers.add(name: "last-event-id", value: lastEventID) }
        return try await http.execute(request, timeout: .seconds(60))
    }

    /// Opens a device's stream, returns its first `count` events and closes it.
    func events(
        _ count: Int,
        of device: DeviceCredential,
        lastEventID: String? = nil
    ) async throws -> [ServerSentEvent] {
        try await events(count, of: device, lastEventID: lastEventID) {}.events
    }

    /// Returns the first `count` events of a device's stream, and the result of `body`, which runs before it closes.
    func events<Value>(
        _ count: Int,
        of device: DeviceCredential,
        lastEventID: String? = nil,
        whileOpen body: () async throws -> Value
    ) async throws -> (events: [ServerSentEvent], result: Value) {
        let response = try await open(device, lastEventID: lastEventID)
        var parser = ServerSentEventParser()
        var events: [ServerSentEvent] = []
        // The stream stays open for the lifetime of its iterator.
        var pieces = response.body.makeAsyncIterator()
        while events.count < count, let piece = try await pieces.next() {
            events += try parser.parse(piece.readableBytesView)
        }
        let result = try await body()
        withExtendedLifetime(pieces) {}
        return (events, result)
    }

    /// Acknowledges notifications of a device.
    func acknowledge(
        _ acknowledgement: Acknowledgement,
        _ device: DeviceCredential
    ) async throws -> AcknowledgementReceipt {
        try await courier(
            .POST,
            "/v1/acks",
            headers: [("authorization", "Bearer \(device.secret.rawValue)")],
            body: Array(try JSONEncoder().encode(acknowledgement))
        ).decoded()
    }

    /// Sends bytes to the courier listener unchanged, and returns its answers until the connection closes.
    func rawCourier(_ bytes: String) async throws -> String {
        let port = try #require(ready.courier.split(separator: ":").last.flatMap { UInt16($0) })
        return String(decoding: try await RawConnection.exchange(Array(bytes.utf8), port: port), as: UTF8.self)
    }
}
