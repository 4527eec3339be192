import AsyncHTTPClient
import GatewayClient
import ProcessTestSupport
import WaypostSchema
import WaypostTestSupport

extension ExhaustionRun {
    /// The share of slow readers that request a long list; the others open an event stream.
    private static let listShare = 10

    /// The number and size in bytes of the notifications of a slow device: more than the kernel sends to a client that
    /// reads nothing.
    private static let storedCount = 4
    private static let storedSize = 3_000

    /// The number of devices whose notifications also fill the buffers of the gateway, and of notifications of each.
    private static let deepDeviceCount = 20
    private static let deepStoredCount = 200

    private static let devicesPerBatch = 100

    /// Loads a gateway with clients that request an event stream or a long list and read nothing.
    static func withSlowReaders(
        _ trial: CampaignTrial,
        _ plan: ExhaustionPlan,
        http: HTTPClient
    ) async throws -> TrialOutcome {
        try await perform(trial, plan, http: http) { run in
            let listCount = plan.connectionCount / listShare
            let devices = try await run.registerSlowDevices(plan.connectionCount - listCount)
            try await run.fillInboxes(of: devices)
            let ready = run.calls.ready
            let (service, courier) = (try port(of: ready.service), try port(of: ready.courier))
            var requests = devices.map { slowRequest("/v1/events", to: courier, secret: $0.secret) }
            requests += (0..<listCount).map { _ in slowRequest("/v1/notifications?limit=1000", to: service) }
            var generator = SeededGenerator(seed: plan.seed)
            requests.shuffle(using: &generator)
            let connections = UnreadConnections()
            defer { connections.closeAll() }
            try await run.open(requests, connections)
            await run.holdSlowReaders(connections)
        }
    }

    /// Sends notifications until the load is over: the gateway closes the connections, or the clients do.
    private mutating func holdSlowReaders(_ connections: UnreadConnections) async {
        let (use, limit) = (use, initialDescriptorCount + plan.descriptorTolerance)
        guard plan.waitsForGateway else {
            await probe("while slow readers are connected", for: .seconds(12))
            connections.closeAll()
            await probe("while many streams end", for: .seconds(5))
            return
        }
        let isOver = await probe("while slow readers are connected", for: ExhaustionLimits.slowReaders) {
            use.descriptorCount.map { $0 <= limit } ?? true
        }
        // The kernel still has data for them, so they do not see that the gateway has closed their connections.
        guard !isOver, !hasFailed else { return }
        addViolation("after \(ExhaustionLimits.slowReaders), it has \(use.descriptorCount ?? 0) open descriptors")
    }

    private func registerSlowDevices(_ count: Int) async throws -> [DeviceCredential] {
        let client = calls.client
        return try await withThrowingTaskGroup(of: DeviceCredential.self) { group in
            var devices: [DeviceCredential] = []
            for number in 0..<count {
                if number >= 16, let device = try await group.next() { devices.append(device) }
                group.addTask {
                    let registration = DeviceRegistration(name: "slow \(number)", topics: ["com.example.clowntown"])
                    return try await client.register(registration)
                }
            }
            for try await device in group { devices.append(device) }
            return devices
        }
    }

    private func fillInboxes(of devices: [DeviceCredential]) async throws {
        for start in stride(from: 0, to: devices.count, by: Self.devicesPerBatch) {
            let part = devices[start..<min(start + Self.devicesPerBatch, devices.count)]
            try await store(Self.storedCount, for: part)
        }
        for device in devices.prefix(Self.deepDeviceCount) {
            try await store(Self.deepStoredCount, for: [device])
        }
    }

    private func store(_ count: Int, for devices: some Sequence<DeviceCredential>) async throws {
        let lines = devices.map { device in
            String(repeating: ServedDevice.line(to: device.token, "slow", size: Self.storedSize), count: count)
        }
        let answer = try await calls.send(lines.joined())
        guard answer.status == 200 else { throw UnexpectedAnswer(status: answer.status) }
    }

    private static func slowRequest(
        _ path: String,
        to port: UInt16,
        secret: BearerSecret? = nil
    ) -> UnreadConnections.Request {
        let authorization = secret.map { "authorization: Bearer \($0.rawValue)\r\n" } ?? ""
        let head = "GET \(path) HTTP/1.1\r\nhost: 127.0.0.1\r\n\(authorization)\r\n"
        return .init(name: path, port: port, bytes: Array(head.utf8), hasSmallBuffer: true)
    }
}
