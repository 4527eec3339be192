package import AsyncHTTPClient
internal import Deflate
internal import NIOCore
package import WaypostSchema

/// A client with typed calls to a gateway, for agents and for the command-line tool.
package struct GatewayClient: Sendable {
    let service: JSONCalls
    private var courier: JSONCalls
    private let http: HTTPClient
    private let streams: HTTPClient

    /// Whether `courier` has the URL of the courier listener, not a placeholder.
    private var hasCourierURL: Bool

    /// Creates a client of the gateway whose listeners are at `service` and `courier`.
    ///
    /// - Parameters:
    ///   - http: the client that sends the requests.
    ///   - streams: the client that opens event streams, if not `http`: each open stream occupies a connection.
    ///   - service: the base URL of the service listener.
    ///   - courier: the base URL of the courier listener; `nil` if it is not known, see `withCourierURL`.
    ///   - adminToken: returns the administrative token for the next request to the service listener, if there is one.
    ///   - namespace: the namespace of the calls; `nil` for the gateway's standard one.
    ///   - log: called with each request to the service listener and the status of its response, for people.
    package init(
        _ http: HTTPClient,
        streams: HTTPClient? = nil,
        service: String,
        courier: String?,
        adminToken: @escaping @Sendable () -> String? = { nil },
        namespace: Namespace? = nil,
        log: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        self.service = JSONCalls(http, base: service, token: adminToken, namespace: namespace, log: log)
        self.courier = JSONCalls(http, base: courier ?? service)
        self.http = http
        self.streams = streams ?? http
        hasCourierURL = courier != nil
    }

    /// Returns a client that has the URL of the courier listener, which the gateway reports.
    package func withCourierURL() async throws(CallError) -> GatewayClient {
        guard !hasCourierURL else { return self }
        var client = self
        client.courier = JSONCalls(http, base: try await courierURL())
        client.hasCourierURL = true
        return client
    }

    /// Returns the URL of the courier listener, which the gateway reports.
    package func courierURL() async throws(CallError) -> String {
        guard let courier = try await health().courier else {
            throw .unexpectedResponse(service.base, reason: "it does not name its courier listener")
        }
        return courier
    }

    /// Returns the URLs of the courier listeners of all gateways on the gateway's store, to which devices may connect.
    package func courierURLs() async throws(CallError) -> [String] {
        let couriers = try await health().gateways?.compactMap(\.courier) ?? []
        return couriers.isEmpty ? [try await courierURL()] : couriers
    }

    /// The base URL of the service listener.
    package var serviceURL: String {
        service.base
    }

    /// Returns what the gateway says of itself.
    package func health() async throws(CallError) -> Health {
        try await service.get("/health")
    }

    /// Returns the certificate of the authority that clients of the provider listener trust, in PEM; `nil` if the
    /// gateway has no authority of its own.
    package func authorityCertificate() async throws(CallError) -> String? {
        do {
            return try await service.getString("/v1/ca.pem")
        } catch .refused(status: 404, _) {
            return nil
        }
    }

    /// Returns the gateway's metrics, in the text format of Prometheus.
    package func metrics() async throws(CallError) -> String {
        try await service.getString("/metrics")
    }

    /// Registers a device.
    package func register(_ registration: DeviceRegistration) async throws(CallError) -> DeviceCredential {
        try await service.post("/v1/devices", registration)
    }

    /// Unregisters a device: notifications for its token are rejected from now on.
    package func unregister(_ token: DeviceToken) async throws(CallError) {
        try await service.delete("/v1/devices/\(token)")
    }

    /// Sets the broadcast channels to which a device is subscribed.
    package func setChannels(_ channels: [ChannelID], of token: DeviceToken) async throws(CallError) {
        let channels = DeviceChannels(channels: channels)
        let _: DeviceChannels = try await service.put("/v1/devices/\(token)/channels", channels)
    }

    /// Returns the reading of the namespace's clock.
    package func clock() async throws(CallError) -> ClockReading {
        try await service.get("/v1/clock")
    }

    /// Returns the reading of the namespace's clock, once it is later than `time` or after 20 seconds.
    ///
    /// The gateway learns from the call that the follower has performed everything that was due up to `time`.
    ///
    /// - Parameters:
    ///   - time: the time that the follower has reached.
    ///   - follower: the identifier that the follower has chosen.
    /// - Returns: the reading.
    /// - Throws: `CallError`.
    package func clock(after time: Timestamp, follower: String) async throws(CallError) -> ClockReading {
        let path = "/v1/clock?follower=\(PercentEncoding.escaped(follower))&after=\(time.rawValue)&timeout=20s"
        return try await service.get(path, timeout: .seconds(20) + JSONCalls.timeout)
    }

    /// Moves the namespace's manual clock forward.
    package func advanceClock(_ advance: ClockAdvance) async throws(CallError) -> ClockReading {
        try await service.post("/v1/clock/advance", advance)
    }

    /// Sends a batch, compressed with gzip.
    ///
    /// - Parameters:
    ///   - batch: the notifications, as NDJSON or a JSON array.
    ///   - allResults: whether the receipt has the results of accepted notifications, too.
    ///   - isAtomic: whether the gateway accepts all notifications or none.
    ///   - key: the idempotency key, with which the batch can be sent again.
    ///   - traceparent: the place in a trace (W3C Trace Context).
    /// - Returns: the receipt.
    /// - Throws: `CallError`.
    package func send(
        _ batch: [UInt8],
        allResults: Bool = false,
        isAtomic: Bool = false,
        key: String? = nil,
        traceparent: TraceParent? = nil
    ) async throws(CallError) -> BatchReceipt {
        let query = [allResults ? "results=all" : nil, isAtomic ? "atomic=true" : nil].compactMap(\.self)
        return try await service.post(
            "/v1/batches" + (query.isEmpty ? "" : "?" + query.joined(separator: "&")),
            bytes: Deflater.deflate(batch, as: .gzip),
            headers: [("content-encoding", "gzip"), ("content-type", "application/x-ndjson")]
                + (key.map { [("idempotency-key", $0)] } ?? [])
                + (traceparent.map { [("traceparent", $0.rawValue)] } ?? [])
        )
    }

    /// Returns the state of a batch, once all of it is settled or `seconds` are over.
    package func settledStatus(of batch: BatchID, within seconds: Int) async throws(CallError) -> BatchStatus {
        try await service.poll(within: seconds) { wait, isLast throws(CallError) in
            let path = "/v1/batches/\(batch)?wait=settled&timeout=\(wait)s"
            let status: BatchStatus = try await service.get(path, timeout: .seconds(wait) + JSONCalls.timeout)
            return isLast || status.isSettled ? status : nil
        }
    }

    /// Acknowledges notifications outside of a session.
    package func acknowledge(
        _ acknowledgement: Acknowledgement,
        with secret: BearerSecret
    ) async throws(CallError) -> AcknowledgementReceipt {
        try await courier.post("/v1/acks", acknowledgement, headers: [Self.authorization(secret)])
    }

    /// Replaces the secret of an agent; its streams stay open.
    package func rotate(_ secret: BearerSecret, with rotation: SecretRotation) async throws(CallError) {
        try await courier.send(.put, "/v1/secret", body: rotation, headers: [Self.authorization(secret)])
    }

    /// Follows an agent's session until it ends: the events of the gateway, and the acknowledgements of the agent.
    ///
    /// - Parameters:
    ///   - secret: the agent's secret.
    ///   - onOpen: called once the session is open.
    ///   - handle: called with the notifications in each chunk of the stream that has any, in order; returns the
    ///     sequences to acknowledge. Reading continues when it returns, so a slow handler slows the gateway down.
    /// - Throws: `CallError`, or what `handle` throws.
    package func follow(
        with secret: BearerSecret,
        onOpen: () -> Void,
        handle: ([ServerSentEvent]) async throws -> [Int]
    ) async throws {
        let (body, continuation) = AsyncStream.makeStream(of: ByteBuffer.self)
        defer { continuation.finish() }
        try await JSONCalls(streams, base: courier.base)
            .follow("/v1/session", headers: [Self.authorization(secret)], body: body, onOpen: onOpen) { events in
                let sequences = try await handle(events)
                guard !sequences.isEmpty else { return }
                let list = sequences.map(String.init).joined(separator: ",")
                continuation.yield(ByteBuffer(string: "{\"sequences\":[\(list)]}\n"))
            }
    }

    private static func authorization(_ secret: BearerSecret) -> (String, String) {
        ("authorization", "Bearer \(secret.rawValue)")
    }
}

extension GatewayClient {
    /// Adds a key that verifies provider tokens, or replaces the key with the same identifier.
    package func addKey(_ key: ProviderKey) async throws(CallError) -> ProviderKey {
        try await service.post("/v1/keys", key)
    }

    /// Returns the keys that verify provider tokens, by identifier.
    package func keys() async throws(CallError) -> [ProviderKey] {
        try await service.get("/v1/keys")
    }

    /// Revokes a key.
    package func removeKey(_ id: ProviderKeyID) async throws(CallError) {
        try await service.delete("/v1/keys/" + PercentEncoding.escaped(id.rawValue))
    }

    /// Injects a fault into provider requests for a device, or for all devices of the namespace.
    package func addFault(_ fault: SendFault) async throws(CallError) -> ScriptedFault {
        try await service.post("/v1/faults", fault)
    }

    /// Returns the faults that wait for requests, in the order they were added.
    package func faults() async throws(CallError) -> [ScriptedFault] {
        try await service.get("/v1/faults")
    }

    /// Removes a fault, or all faults of the namespace if `id` is `nil`.
    package func removeFault(_ id: FaultID?) async throws(CallError) {
        let path = id.map { "/" + PercentEncoding.escaped($0.rawValue) } ?? ""
        try await service.delete("/v1/faults" + path)
    }

    /// Returns the report about how providers behaved in the namespace.
    package func senderReport() async throws(CallError) -> SenderReport {
        try await service.get("/v1/sender")
    }

    /// Resets the report about how providers behaved in the namespace.
    package func resetSenderReport() async throws(CallError) {
        try await service.delete("/v1/sender")
    }

    /// Returns the last requests of providers in the namespace, in the order in which the gateway decided about them.
    package func senderRequests() async throws(CallError) -> [ProviderRequestRecord] {
        try await service.get("/v1/sender/requests")
    }

    /// Returns the last connections of providers, in the order in which they were opened.
    package func senderConnections() async throws(CallError) -> [ProviderConnectionRecord] {
        try await service.get("/v1/sender/connections")
    }

    /// Lets a fault happen on every open connection of providers.
    package func affectConnections(_ fault: ConnectionFault) async throws(CallError) -> ConnectionFaultReceipt {
        try await service.post("/v1/sender/connections/faults", fault)
    }
}
