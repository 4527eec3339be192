import ProcessTestSupport
import WaypostSchema
import WaypostTestSupport

/// The same requests from many connections at once.
struct RacesCampaign: Campaign {
    static let name = "races"

    static let summary = """
        The same batches, registrations, rotations, acknowledgements and streams from 16 connections at once: one \
        order explains all answers, and each item is delivered, and acknowledged once.
        """

    /// The number of connections of each race.
    static let connections = 16

    /// The number of races of each kind in a trial.
    private static let rounds = 6

    static func run(_ trial: CampaignTrial) async throws -> TrialOutcome {
        var generator = SeededGenerator(seed: trial.seed)
        // In memory, more requests overlap; the other store groups them while it syncs.
        let options = Bool.random(using: &generator) ? ["--store", "memory"] : []
        let gateway = try await trial.startGateway(options: options)
        var outcome = TrialOutcome()
        do {
            outcome = try await TrialClients.run { clients in
                try await races(gateway.ready, clients, of: trial, using: &generator)
            }
        } catch {
            // The gateway runs, so it answers.
            outcome.violations.append("a request failed: \(error)")
        }
        let ended = await gateway.stop()
        trial.keepLog(of: ended)
        if ended.status != 0 { outcome.violations.append("the gateway ended with \(ended.status)") }
        return outcome
    }

    private static func races(
        _ ready: GatewayReadyFile,
        _ clients: TrialClients,
        of trial: CampaignTrial,
        using generator: inout SeededGenerator
    ) async throws -> TrialOutcome {
        var outcome = TrialOutcome()
        for round in 0..<rounds {
            let seeds = (0..<3).map { _ in generator.next() }
            // At the same time, so that the resets of one namespace happen while others are used.
            async let keys = KeyRace(namespace("keys", round), of: ready, clients: clients).run(seed: seeds[0])
            async let devices = RegistrationRace(namespace("devices", round), of: ready, clients: clients)
                .run(seed: seeds[1])
            async let deliveries = DeliveryRace(namespace("deliveries", round), of: ready, clients: clients)
                .run(seed: seeds[2])
            for part in try await [keys, devices, deliveries] {
                outcome.add(part)
                for violation in part.violations { trial.history.note("round \(round)", violation) }
            }
        }
        return outcome
    }

    private static func namespace(_ race: String, _ round: Int) -> Namespace {
        Namespace(rawValue: "\(race)-\(round)")
    }
}
