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

    let environment: ClusterEnvironment
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
    ///   - environment: the program, the folder of the logs, and the history.
    ///   - withReplica: whether the database has a synchronous replica.
    ///   - deviceCount: the number of devices.
    ///   - seed: the seed of what the devices choose.
    ///   - body: uses the cluster, and returns the counts and violations.
    /// - Returns: the counts and violations; it is a violation if a gateway does not start, or does not end in order.
    /// - Throws: the error of a database that did not start.
    static func run(
        _ environment: ClusterEnvironment,
        withReplica: Bool,
        devices deviceCount: Int,
        seed: UInt64,
        _ body: (Cluster) async -> ClusterSummary
    ) async throws -> ClusterSummary {
        let database = try await PostgresPair.start(withReplica: withReplica)
        var summary = ClusterSummary()
        do {
            summary = try await ClusterAccess.withClients { http, streams in
                let cluster = try await start(environment, database, devices: deviceCount, http: http, streams: streams)
                return await cluster.connected(seed: seed) { await body(cluster) }
            }
        } catch {
            summary.findings.append("the cluster did not start: \(error)")
        }
        await database.remove()
        return summary
    }

    private static func start(
        _ environment: ClusterEnvironment,
        _ database: PostgresPair,
        devices deviceCount: Int,
        http: HTTPClient,
        streams: HTTPClient
    ) async throws -> Cluster {
        let scratch = try ScratchFolder()
        let lifeline = try Lifeline(in: scratch)
        let servers = [database.primary] + (database.replica.map { [$0] } ?? [])
        let proxies = try (0..<size).map { _ in try servers.map { try SeveringProxy.start(to: $0.port) } }
        var gateways: [ClusterGateway] = []
        for (number, proxies) in proxies.enumerated() {
            let hosts = proxies.map { "127.0.0.1:\($0.port)" }.joined(separator: ",")
            let store = "postgres://waypost@\(hosts)/waypost?sslmode=disable"
            let gateway = ClusterGateway(
                "gateway-\(number)",
                store: store,
                environment: environment,
                scratch: scratch,
                lifeline: lifeline
            )
            try await gateway.start()
            gateways.append(gateway)
        }
        let answers = ClusterAnswers(history: environment.note)
        let access = ClusterAccess(gateways: gateways, answers: answers, http: http, streams: streams)
        return Cluster(
            environment: environment,
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
    private func connected(seed: UInt64, _ body: () async -> ClusterSummary) async -> ClusterSummary {
        var generator = SeededGenerator(seed: seed)
        return await withTaskGroup(of: Void.self) { group in
            for device in devices {
                let seeds = (generator.next(), generator.next())
                group.addTask { await device.follow(access, seed: seeds.0) }
                group.addTask { await device.acknowledge(access, seed: seeds.1) }
            }
            var summary = ClusterSummary()
            do {
                try await waitUntil("all \(devices.count) devices are connected", within: .clusterWait) {
                    devices.allSatisfy(\.isConnected)
                }
                summary = await body()
            } catch {
                summary.findings.append("\(error)")
            }
            group.cancelAll()
            await end(&summary)
            return summary
        }
    }

    /// Stops the gateways; adds the violations of that, and a report if there are violations.
    private func end(_ summary: inout ClusterSummary) async {
        // While the gateways run, the database shows what they do.
        if !summary.findings.isEmpty { summary.report = await report() }
        for gateway in gateways {
            do {
                try await stop(gateway)
            } catch {
                summary.findings.append("\(error)")
            }
        }
        guard !summary.findings.isEmpty else { return }
        if summary.report.isEmpty { summary.report = await report() }
        if let folder = environment.logs { database.copyLogs(to: folder) }
    }

    /// Stops a gateway, which must run until then, and end in order.
    func stop(_ gateway: ClusterGateway) async throws {
        let isRunning = gateway.isRunning
        let stopped = await gateway.stop()
        guard isRunning, stopped?.wasKilled == false, stopped?.ended?.status == 0 else {
            throw EndedBadly(name: gateway.name, end: isRunning ? stopped : nil)
        }
    }

    /// A gateway did not end in order.
    private struct EndedBadly: Error, CustomStringConvertible {
        let name: String

        /// The end after the signal; `nil` if it had ended before.
        let end: LimitedEnd?

        var description: String {
            guard let end else { return "\(name) ended although nothing stopped it" }
            guard !end.wasKilled else { return "\(name) did not end in \(ClusterGateway.endLimit) after SIGTERM" }
            return "\(name) ended with \(end.ended?.status ?? 0) after SIGTERM"
        }
    }

    /// Returns the ends of the logs of the gateways and what is left in the database, for a failure.
    private func report() async -> String {
        var lines = gateways.map(\.lastLines)
        let rows = [
            "gateway", "lane", "(SELECT * FROM session WHERE late IS NOT NULL LIMIT 10)",
            "(SELECT sequence, agent, batch, id FROM item ORDER BY sequence LIMIT 10)",
            "(SELECT flight.*, session.gateway AS home FROM flight LEFT JOIN session USING (agent) LIMIT 10)",
        ]
        for server in [database.primary, database.replica].compactMap(\.self) where !server.processes.isEmpty {
            for table in rows {
                let found = try? await server.run("SELECT row_to_json(rows) FROM \(table) AS rows")
                lines.append("\(server.name), \(table): \(found ?? "no answer")")
                if found == nil { break }
            }
        }
        return lines.joined(separator: "\n")
    }
}
