import AsyncHTTPClient
import ProcessTestSupport
import WaypostSchema
import WaypostTestSupport

extension ExhaustionRun {
    /// The numbers of silent connections: more than the gateway has files for, and fewer than twice as many.
    private static let silentConnectionCounts = 40...56

    /// Loads a gateway that may open few files with silent connections.
    ///
    /// Clients that have connections are served all the time. A new client waits until the gateway has closed those
    /// that are silent.
    static func withFewOpenFiles(
        _ trial: CampaignTrial,
        _ plan: ExhaustionPlan,
        http: HTTPClient
    ) async throws -> TrialOutcome {
        let script = #"ulimit -n \#(ExhaustionLimits.openFiles); exec "$@""#
        let wrap = { (command: [String]) in GatewayProcess.shell(script, command) }
        return try await perform(trial, plan, http: http, wrap: wrap) { run in
            let connections = UnreadConnections()
            defer { connections.closeAll() }
            let requests = try silentRequests(run)
            try await run.open(requests, connections)
            let use = run.use
            await run.check("silent connections use all descriptors", within: .seconds(5)) {
                (use.descriptorCount ?? 0) >= ExhaustionLimits.openFiles - 2
            }
            await run.probe("while all descriptors are in use", for: .seconds(6), acceptsClients: false)
            await run.probeWithNewClient(
                "while silent connections wait for descriptors",
                within: ExhaustionLimits.deliveryWithoutDescriptors
            )
            if !plan.waitsForGateway { connections.closeAll() }
            await run.probe("after the silent connections", for: .seconds(3))
        }
    }

    /// Returns connections to all listeners, which send nothing.
    private static func silentRequests(_ run: ExhaustionRun) throws -> [UnreadConnections.Request] {
        var generator = SeededGenerator(seed: run.plan.seed)
        let ready = run.calls.ready
        let ports = try [ready.service, ready.courier, ready.providerPlaintext].map { try port(of: $0) }
        return (0..<Int.random(in: silentConnectionCounts, using: &generator)).map { number in
            .init(name: "silent", port: ports[number % ports.count], bytes: [])
        }
    }
}
