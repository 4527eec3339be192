import AsyncHTTPClient
import Foundation
import ProcessTestSupport
import WaypostSchema
import WaypostTestSupport

extension ExhaustionRun {
    /// Loads a gateway with connections on which requests and handshakes begin and do not end.
    ///
    /// On every third connection one more byte arrives from time to time, which must not restart the time-out.
    static func withUnfinishedRequests(
        _ trial: CampaignTrial,
        _ plan: ExhaustionPlan,
        http: HTTPClient
    ) async throws -> TrialOutcome {
        let options = ["--provider", "127.0.0.1:0"]
        return try await perform(trial, plan, http: http, options: options) { run in
            var generator = SeededGenerator(seed: plan.seed)
            let connections = UnreadConnections()
            defer { connections.closeAll() }
            let requests = try run.unfinishedRequests(using: &generator)
            try await run.open(requests, connections)
            guard plan.waitsForGateway else {
                await run.probe("while requests do not end", for: .seconds(8)) {
                    connections.sendByte(UInt8(ascii: "a"))
                    return false
                }
                return connections.closeAll()
            }
            await run.waitForTimeouts(of: connections)
        }
    }

    /// The kinds of requests of the trial.
    private var usedRequests: [UnfinishedRequest] {
        UnfinishedRequest.all.filter { $0.timeout <= plan.maximumTimeout }
    }

    private func unfinishedRequests(
        using generator: inout SeededGenerator
    ) throws -> [UnreadConnections.Request] {
        let ready = calls.ready
        let choices = try usedRequests.map { request in
            UnreadConnections.Request(
                name: request.name,
                port: try Self.port(of: request.listener(ready)),
                bytes: request.bytes
            )
        }
        var requests = (0..<plan.connectionCount).map { choices[$0 % choices.count] }
        requests.shuffle(using: &generator)
        return requests
    }

    /// Sends notifications until each time-out is over, and checks which connections the gateway has closed by then.
    private mutating func waitForTimeouts(of connections: UnreadConnections) async {
        let start = ContinuousClock.now
        for timeout in Set(usedRequests.map(\.timeout)).sorted() {
            let names = usedRequests.filter { $0.timeout == timeout }.map(\.name)
            let time: Duration = .seconds(timeout) + ExhaustionLimits.margin - start.duration(to: .now)
            await probe("while requests do not end", for: time) {
                connections.sendByte(UInt8(ascii: "a"))
                let open = connections.openCounts()
                return names.allSatisfy { open[$0] == nil }
            }
            let open = connections.openCounts()
            for name in names {
                guard let count = open[name] else { continue }
                addViolation("\(count) connections are open \(timeout) s and \(ExhaustionLimits.margin) later: \(name)")
            }
        }
    }
}
