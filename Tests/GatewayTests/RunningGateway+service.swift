import Foundation
import GatewayTestSupport
import NIOHTTP1
import WaypostSchema
import WaypostTestSupport

extension RunningGateway {
    /// Sends a value of the schema to the service listener.
    func service(
        _ method: NIOHTTP1.HTTPMethod,
        _ path: String,
        _ value: some Encodable,
        in namespace: Namespace? = nil
    ) async throws -> Exchange {
        let body = Array(try JSONEncoder().encode(value))
        return try await service(method, path, headers: Self.headers(namespace), body: body)
    }

    /// Sends a GET request to the service listener and returns the decoded answer.
    func get<Value: Decodable>(
        _ path: String,
        in namespace: Namespace? = nil,
        as type: Value.Type = Value.self
    ) async throws -> Value {
        try await service(.GET, path, headers: Self.headers(namespace)).decoded()
    }

    /// Returns the header that names a namespace.
    static func headers(_ namespace: Namespace?) -> [(String, String)] {
        namespace.map { [("x-waypost-namespace", $0.rawValue)] } ?? []
    }

    // MARK: Devices

    /// Registers a device for Clown Town.
    func device(
        secret: BearerSecret? = nil,
        token: DeviceToken? = nil,
        topics: [Topic] = ["com.example.clowntown"],
        in namespace: Namespace? = nil
    ) async throws -> DeviceCredential {
        try await register(secret: secret, token: token, topics: topics, in: namespace).decoded()
    }

    /// Sends a device registration and returns the answer.
    func register(
        secret: BearerSecret? = nil,
        token: DeviceToken? = nil,
        topics: [Topic] = ["com.example.clowntown"],
        in namespace: Namespace? = nil
    ) async throws -> Exchange {
        let registration = DeviceRegistration(name: "iPad", topics: topics, secret: secret, token: token)
        return try await service(.POST, "/v1/devices", registration, in: namespace)
    }

    /// Turns a device's low power mode on or off.
    @discardableResult
    func setPower(of token: DeviceToken, isLowPowerModeEnabled: Bool) async throws -> RegisteredDevice {
        try await service(.PUT, "/v1/devices/\(token)/power", DevicePower(constrained: isLowPowerModeEnabled)).decoded()
    }

    /// Sets the storage mode of an app.
    func setStorage(_ mode: StorageMode, for topic: Topic = "com.example.clowntown") async throws -> Exchange {
        try await service(.PUT, "/v1/apps/\(topic)", AppSettingsChange(storage: mode))
    }

    // MARK: Batches

    /// Sends a batch whose body has the content coding `coding`.
    func batch(
        _ body: [UInt8],
        coding: String? = nil,
        query: String = "",
        headers: [(String, String)] = []
    ) async throws -> Exchange {
        let headers = headers + (coding.map { [("content-encoding", $0)] } ?? [])
        return try await service(.POST, "/v1/batches" + query, headers: headers, body: body)
    }

    /// Sends a batch and returns its receipt.
    @discardableResult
    func send(_ items: String, query: String = "", in namespace: Namespace? = nil) async throws -> BatchReceipt {
        try await batch(Array(items.utf8), query: query, headers: Self.headers(namespace)).decoded()
    }

    /// Returns the current status of a batch.
    func status(of batch: BatchID, in namespace: Namespace? = nil) async throws -> BatchStatus {
        try await get("/v1/batches/\(batch)", in: namespace)
    }

    /// Waits up to 30 seconds until a batch is settled, and returns its status.
    func settledStatus(of batch: BatchID, in namespace: Namespace? = nil) async throws -> BatchStatus {
        try await get("/v1/batches/\(batch)?wait=settled&timeout=30s", in: namespace)
    }

    /// Waits until the states of a batch are `states`.
    func wait(for states: [DeliveryState: Int], of batch: BatchID) async throws {
        try await waitUntil("batch \(batch) is \(states)") { try await status(of: batch).states == states }
    }
}

/// Returns a line of NDJSON: a notification of Clown Town for `token`, with the additional envelope members `more`.
func line(
    _ token: DeviceToken,
    _ more: String = "",
    topic: Topic = "com.example.clowntown",
    payload: String = #"{"aps":{"alert":"Honk"}}"#
) -> String {
    #"{"token":"\#(token)","topic":"\#(topic)",\#(more)"payload":\#(payload)}"# + "\n"
}
