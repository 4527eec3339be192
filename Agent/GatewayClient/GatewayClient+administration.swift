internal import AsyncHTTPClient
internal import NIOCore
internal import NIOHTTP1
package import WaypostSchema

/// Calls about registered devices and their apps.
extension GatewayClient {
    /// Returns a page of the registered devices, with tokens after `token`, in the order of the tokens.
    ///
    /// - Parameters:
    ///   - token: the last token of the page before; `nil` for the first page.
    ///   - name: the name of the devices; `nil` for all.
    ///   - standing: the standing of their tokens; `nil` for all.
    ///   - limit: the maximum number of devices.
    /// - Returns: the page.
    /// - Throws: `CallError`.
    package func devices(
        after token: DeviceToken?,
        named name: String? = nil,
        standing: TokenStanding? = nil,
        limit: Int = 1_000
    ) async throws(CallError) -> DevicePage {
        let parameters: [(String, String?)] = [
            ("after", token?.rawValue), ("name", name), ("standing", standing?.rawValue),
        ]
        let conditions = parameters.compactMap { key, value in
            value.map { "&\(key)=\(PercentEncoding.escaped($0))" }
        }
        return try await service.get("/v1/devices?limit=\(limit)\(conditions.joined())")
    }

    /// Returns a registered device.
    package func device(_ token: DeviceToken) async throws(CallError) -> RegisteredDevice {
        try await service.get(Self.path(of: token))
    }

    /// Sets the topics of a device.
    package func setTopics(_ topics: [Topic], of token: DeviceToken) async throws(CallError) -> RegisteredDevice {
        try await service.put(Self.path(of: token) + "/topics", DeviceTopics(topics: topics))
    }

    /// Sets whether a device's power is low, so that notifications of priority 5 and 1 wait.
    package func setPower(_ power: DevicePower, of token: DeviceToken) async throws(CallError) -> RegisteredDevice {
        try await service.put(Self.path(of: token) + "/power", power)
    }

    /// Sets the standing of a token.
    package func setStanding(
        _ change: TokenStandingChange,
        of token: DeviceToken
    ) async throws(CallError) -> RegisteredDevice {
        try await service.put(Self.path(of: token) + "/standing", change)
    }

    /// Replaces the token of a device by another one, a generated one if `rotation` has none.
    package func rotate(
        _ token: DeviceToken,
        with rotation: TokenRotation
    ) async throws(CallError) -> RegisteredDevice {
        try await service.post(Self.path(of: token) + "/rotation", rotation)
    }

    /// Returns the apps whose storage mode was set.
    package func apps() async throws(CallError) -> [AppSettings] {
        try await service.get("/v1/apps")
    }

    /// Returns the settings of an app.
    package func app(_ topic: Topic) async throws(CallError) -> AppSettings {
        try await service.get("/v1/apps/" + PercentEncoding.escaped(topic.rawValue))
    }

    /// Sets the storage mode of an app.
    package func setStorage(_ mode: StorageMode, of topic: Topic) async throws(CallError) -> AppSettings {
        try await service.put("/v1/apps/" + PercentEncoding.escaped(topic.rawValue), AppSettingsChange(storage: mode))
    }

    /// Returns a page of the inbox of a device, with sequences above `sequence`.
    package func inbox(
        of token: DeviceToken,
        after sequence: Int,
        limit: Int = 100
    ) async throws(CallError) -> InboxPage {
        try await service.get(Self.path(of: token) + "/inbox?after=\(sequence)&limit=\(limit)")
    }

    /// Removes the notifications from the inbox of a device, or those for one topic.
    package func purgeInbox(of token: DeviceToken, for topic: Topic?) async throws(CallError) -> InboxPurge {
        let query = topic.map { "?topic=\(PercentEncoding.escaped($0.rawValue))" } ?? ""
        return try await service.delete(Self.path(of: token) + "/inbox" + query)
    }

    private static func path(of token: DeviceToken) -> String {
        "/v1/devices/" + PercentEncoding.escaped(token.rawValue)
    }
}

/// Calls about the open event streams of the gateway.
extension GatewayClient {
    /// Returns a page of the open streams, with agents above `agent`.
    package func streams(after agent: Int, limit: Int = 1_000) async throws(CallError) -> StreamPage {
        try await service.get("/v1/streams?after=\(agent)&limit=\(limit)")
    }

    /// Ends the stream of an agent, which may open another one.
    package func disconnect(_ agent: Int) async throws(CallError) {
        try await service.delete("/v1/streams/\(agent)")
    }
}

/// Calls about the gateway as a whole.
extension GatewayClient {
    /// Returns whether the gateway can accept notifications, with its checks.
    package func readiness() async throws(CallError) -> Health {
        try await service.get("/health/ready", accepting: [503])
    }

    /// Reads a copy of the gateway's store.
    ///
    /// - Parameters:
    ///   - onLength: called first, with the number of bytes.
    ///   - onChunk: called with each chunk of the file, in order.
    /// - Returns: the SHA-256 digest of the file in base64, as the gateway has computed it; `nil` if it has not.
    /// - Throws: `CallError`, or what `onChunk` throws.
    package func backup(
        onLength: (Int) -> Void,
        onChunk: (ArraySlice<UInt8>) throws -> Void
    ) async throws -> String? {
        // The gateway responds when the copy is complete, which takes long for a large store.
        let response = try await service.response(to: "/v1/backup", timeout: .seconds(24 * 60 * 60))
        onLength(response.headers.first(name: "content-length").flatMap(Int.init) ?? 0)
        var chunks = response.body.makeAsyncIterator()
        while let chunk = try await service.nextChunk(of: &chunks) { try onChunk(ArraySlice(chunk.readableBytesView)) }
        // RFC 9530: `sha-256=:<base64>:`.
        return response.headers["repr-digest"].first { $0.hasPrefix("sha-256=:") && $0.hasSuffix(":") }
            .map { String($0.dropFirst("sha-256=:".count).dropLast()) }
    }

    /// Returns the namespaces that have something.
    package func namespaces() async throws(CallError) -> [NamespaceSummary] {
        try await service.get("/v1/namespaces")
    }

    /// Deletes everything in a namespace.
    package func reset(_ namespace: Namespace) async throws(CallError) {
        try await service.delete("/v1/namespaces/" + PercentEncoding.escaped(namespace.rawValue))
    }

    /// Returns the state of a batch.
    package func status(of batch: BatchID) async throws(CallError) -> BatchStatus {
        try await service.get("/v1/batches/" + PercentEncoding.escaped(batch.rawValue))
    }
}
