import Foundation
import ProcessTestSupport
import WaypostSchema
import WaypostTestSupport

/// Clocks that jump, leap over expirations, and go back.
struct TimeCampaign: Campaign {
    static let name = "time"

    static let summary = """
        Manual clocks of several namespaces leap over expirations, and the system's clock jumps forward and back, also \
        over restarts: nothing expires early, or is delivered after its expiration, or depends on another clock.
        """

    /// The options of all gateways: the log keeps everything, and unacknowledged items are soon sent again.
    static let options = ["--log-retention", "36600d", "--redelivery", "1s"]

    static func run(_ trial: CampaignTrial) async throws -> TrialOutcome {
        var generator = SeededGenerator(seed: trial.seed)
        if trial.seed.isMultiple(of: 2) {
            return try await ManualClockTrial(trial).run(using: &generator)
        }
        guard let clock = try MovedClock(trial.path(of: "clock")) else {
            var outcome = try await ManualClockTrial(trial).run(using: &generator)
            outcome.counts["trials without faketime"] = 1
            return outcome
        }
        var system = SystemClockTrial(trial, clock)
        return try await system.run(using: &generator)
    }

    /// Ends a gateway, and returns the violation if it did not end in order.
    static func end(_ gateway: GatewayProcess, withKill isKilled: Bool, of trial: CampaignTrial) async -> String? {
        if isKilled { gateway.process.send(SIGKILL) } else { gateway.process.send(SIGTERM) }
        let ended = await gateway.process.ended()
        trial.keepLog(of: ended)
        guard !isKilled, ended.status != 0 else { return nil }
        return "the gateway ended with \(ended.status)"
    }

    /// Acts in all namespaces concurrently, and returns their new states.
    static func all(
        _ namespaces: [TimedNamespace],
        _ act: @escaping @Sendable (inout TimedNamespace) async throws -> Void
    ) async -> [TimedNamespace] {
        await withTaskGroup(of: (Int, TimedNamespace).self) { group in
            for (index, namespace) in namespaces.enumerated() {
                group.addTask {
                    var namespace = namespace
                    do {
                        try await act(&namespace)
                    } catch {
                        namespace.report("a request failed: \(error)")
                    }
                    return (index, namespace)
                }
            }
            var after = namespaces
            for await (index, namespace) in group { after[index] = namespace }
            return after
        }
    }

    /// Returns the numbers and violations of namespaces.
    static func outcome(of namespaces: [TimedNamespace], _ trial: CampaignTrial) -> TrialOutcome {
        var outcome = TrialOutcome()
        for namespace in namespaces {
            outcome.operations += namespace.operations + namespace.inbox.deliveries
            outcome.violations += namespace.violations
        }
        for violation in outcome.violations { trial.history.note("checker", violation) }
        return outcome
    }
}
