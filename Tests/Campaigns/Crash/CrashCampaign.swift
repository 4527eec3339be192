import AsyncHTTPClient
import GatewayClient
import ProcessTestSupport

/// Kills gateways and an agent under a mixed load, and checks that the next ones have all that was confirmed.
struct CrashCampaign: Campaign {
    static let name = "crash"

    static let summary = """
        a gateway and an agent are killed under a mixed load, at random and at system calls, then with unsynced writes \
        lost; what was answered must end once, in order, and be counted once.
        """

    /// The number of gateways that are killed in a trial.
    private static let kills = 5

    static func run(_ trial: CampaignTrial) async throws -> TrialOutcome {
        try await GatewayCalls.withClient(.streams) { http in
            var scenario = try await CrashScenario(trial, http)
            for _ in 0..<kills { try await scenario.crash() }
            return try await scenario.finish()
        }
    }
}
