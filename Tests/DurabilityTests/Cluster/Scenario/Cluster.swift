import AsyncHTTPClient
import Foundation
import GatewayClient
import ProcessTestSupport
import WaypostSchema
import WaypostTestSupport

/// Three gateways on one database, each behind a proxy of its own, and the devices that are connected to them.
struct Cluster: Sendable {
    /// The number of gateways.
    static let size = 3

    let database: PostgresPair

    /// The proxies of each gateway: that of the primary, and that of the replica if there is one.
    let proxies: [[SeveringProxy]]

    let devices: [ClusterDevice]
    let access: ClusterAccess

    private let scratch: ScratchFolder
    private let lifeline: Lifeline

    /// The proxies of the primary.
    var primaryProxies: [SeveringProxy] {
        proxies.map { $0[0] }
    }

    /// The gateways.
    var gateways: [ClusterGateway] {
        access.gateways
    }

    /// Runs `body` with a new cluster, all of whose devices are connected, and removes the cluster.
    ///
    /// - Parameters:
    ///   - withReplica: whether the database has a synchronous replica.
    ///   - deviceCount: the number of devices.
    ///   - seed: the seed of what the devices choose.
    ///   - body: uses the cluster.
    /// - Returns: the value of `body`.
    /// - Throws: an error of `body`, or that of a part that did not start.
    static func run<Value: Sendable>(
        withReplica: Bool,
        devices deviceCount: Int,
        seed: UInt64,
        _ body: (Cluster) async throws -> Value
    ) async throws -> Value {
        let database = try await PostgresPair.start(withReplica: withReplica)
        let result: Result<Value, any Error>
        do {
            let value = try await ClusterAccess.withClients { http, streams in
                let cluster = try await start(database, deviceCount, http, streams)
                return try await cluster.connected(seed: seed) { try await body(cluster) }
            }
            result = .success(value)
        } catch {
            result = .failure(error)
        }
        await database.remove()
        return try result.get()
    }

    private static func start(
        _ database: PostgresPair,
        _ deviceCount: Int,
        _ http: HTTPClient,
        _ streams: HTTPClient
    ) async throws -> Cluster {
        let scratch = try ScratchFolder()
        let lifeline = try Lifeline(in: scratch)
        let servers = [database.primary] + (database.replica.map { [$0] } ?? [])
        let proxies = try (0..<size).map { _ in try servers.map { try SeveringProxy.start(to: $0.port) } }
        var gateways: [ClusterGateway] = []
        for (number, proxies) in proxies.enumerated() {
            let hosts = proxies.map { "127.0.0.1:\($0.port)" }.joined(separator: ",")
            let store = "postgres://waypost@\(hosts)/waypost?sslmode=disable"
            gateways.append(try await .start("gateway-\(number)", store: store, scratch, lifeline))
        }
        let access = ClusterAccess(gateways: gateways, answers: ClusterAnswers(), http: http, streams: streams)
        return Cluster(
            database: database,
            proxies: proxies,
            devices: try await register(deviceCount, access),
            access: access,
            scratch: scratch,
            lifeline: lifeline
        )
    }

    /// Registers devices, at all gateways in turn, a few at a time.
    private static func register(_ count: Int, _ access: ClusterAccess) async throws -> [ClusterDevice] {
        try await withThrowingTaskGroup(of: ClusterDevice.self) { group in
            var devices: [ClusterDevice] = []
            for number in 0..<count {
                if number >= 16, let device = try await group.next() { devices.append(device) }
                let client = access.client(number % size)
                group.addTask {
                    let registration = DeviceRegistration(name: "iPad \(number)", topics: ["com.example.clowntown"])
                    return ClusterDevice(number, try await client.register(registration))
                }
            }
            for try await device in group { devices.append(device) }
            return devices.sorted { $0.number < $1.number }
        }
    }

    /// Runs `body` while the devices are connected, and stops the gateways after that.
    private func connected<Value: Sendable>(seed: UInt64, _ body: () async throws -> Value) async throws -> Value {
        var generator = SeededGenerator(seed: seed)
        return try await withThrowingTaskGroup(of: Void.self) { group in
            for device in devices {
                let seeds = (generator.next(), generator.next())
                group.addTask { await device.follow(access, seed: seeds.0) }
                group.addTask { await device.acknowledge(access, seed: seeds.1) }
            }
            defer { group.cancelAll() }
            try await waitUntil("all devices are connected") { devices.allSatisfy(\.isConnected) }
            let value = try await body()
            group.cancelAll()
            for gateway in gateways { try await stop(gateway) }
            return value
        }
    }

    /// Stops a gateway, which must run until then, and end in order.
    func stop(_ gateway: ClusterGateway) async throws {
        let isRunning = gateway.isRunning
        let ended = await gateway.stop()
        guard isRunning, ended?.status == 0 else {
            throw EndedBadly(status: ended?.status, hadEnded: !isRunning, log: gateway.lastLines)
        }
    }

    /// A gateway did not end in order.
    struct EndedBadly: Error {
        let status: Int32?
        let hadEnded: Bool
        let log: String
    }

    /// Returns the ends of the logs of the gateways and what is left in the database, for a failure.
    func report() async -> String {
        var lines = gateways.map(\.lastLines)
        let rows = [
            "gateway", "lane", "(SELECT * FROM session WHERE late IS NOT NULL LIMIT 10)",
            "(SELECT sequence, agent, batch, id FROM item ORDER BY sequence LIMIT 10)",
            "(SELECT flight.*, session.gateway AS home FROM flight LEFT JOIN session USING (agent) LIMIT 10)",
        ]
        for server in [database.primary, database.replica].compactMap(\.self) where !server.processes.isEmpty {
            for table in rows {
                let found = try? await server.run("SELECT row_to_json(rows) FROM \(table) AS rows")
                lines.append("\(server.name), \(table): \(found ?? "unknown")")
            }
        }
        return lines.joined(separator: "\n")
    }
}
