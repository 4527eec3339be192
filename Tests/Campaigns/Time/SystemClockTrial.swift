import Foundation
import GatewayClient
import ProcessTestSupport
import TrialModels
import WaypostSchema
import WaypostTestSupport

/// A trial of a gateway with the system's clock, which jumps while the gateway runs and between its starts.
///
/// All jumps are multiples of ten minutes, and all expirations lie in the middle between two of them, so the seconds
/// that the trial takes do not matter.
struct SystemClockTrial: Sendable {
    private let trial: CampaignTrial
    private var clock: MovedClock

    /// The time of the start, in seconds.
    private let start = Int(Date().timeIntervalSince1970)

    private static let step = 600
    private static let gateways = 3

    /// Creates a trial.
    init(_ trial: CampaignTrial, _ clock: MovedClock) {
        (self.trial, self.clock) = (trial, clock)
    }

    /// Runs gateways one after the other.
    mutating func run(using generator: inout SeededGenerator) async throws -> TrialOutcome {
        var namespaces = (0..<2).map { number in
            TimedNamespace(Namespace(rawValue: "system-\(number)"), seed: generator.next())
        }
        let reading = MovedClock.reading(offset: 0)
        for index in namespaces.indices { namespaces[index].begin(at: reading) }
        var (faults, violations) = (0, [String]())
        for number in 0..<Self.gateways {
            let gateway = try await trial.startGateway(options: TimeCampaign.options, wrap: clock.command)
            let (isMoved, after) = await live(gateway, namespaces, isFirst: number == 0, using: &generator)
            namespaces = after
            let isKilled = Bool.random(using: &generator)
            if isKilled { faults += 1 }
            let violation = await TimeCampaign.end(gateway, withKill: isKilled, of: trial)
            if let violation { violations.append(violation) }
            guard isMoved else {
                // The program does not read its clock through the C library.
                return TrialOutcome(counts: ["trials whose clock did not move": 1])
            }
            try jump(namespaces, using: &generator)
        }
        var outcome = TimeCampaign.outcome(of: namespaces, trial)
        outcome.faults += faults
        outcome.violations += violations
        return outcome
    }

    /// Sends and moves the clock; returns whether the gateway's clock moves, and the states of the namespaces.
    private mutating func live(
        _ gateway: GatewayProcess,
        _ namespaces: [TimedNamespace],
        isFirst: Bool,
        using generator: inout SeededGenerator
    ) async -> (isMoved: Bool, namespaces: [TimedNamespace]) {
        var (after, isMoved) = (namespaces, true)
        do {
            try await TrialClients.run { clients in
                if isFirst { after = await register(after, at: gateway.ready, with: clients) }
                for _ in 0..<3 {
                    guard try await clockMoves(clients.client(of: gateway.ready)) else {
                        isMoved = false
                        return
                    }
                    after = await episode(after, at: gateway.ready, with: clients)
                    try jump(after, using: &generator)
                    after = await sweep(after, at: gateway.ready, with: clients)
                }
            }
        } catch {
            after.first?.report("a request failed: \(error)")
        }
        return (isMoved, after)
    }

    private func register(
        _ namespaces: [TimedNamespace],
        at ready: GatewayReadyFile,
        with clients: TrialClients
    ) async -> [TimedNamespace] {
        await TimeCampaign.all(namespaces) { namespace in
            try await namespace.register(clients.client(of: ready, in: namespace.name))
        }
    }

    /// Returns whether the gateway shows the moved time.
    private func clockMoves(_ client: GatewayClient) async throws -> Bool {
        let offset = clock.offset
        return try await TrialItems.violation(unless: "the clock of the gateway moves") {
            let now = try await client.clock().now.rawValue
            return MovedClock.reading(offset: offset).contains(now)
        } == nil
    }

    /// Sends items in all namespaces, with or without streams.
    private func episode(
        _ namespaces: [TimedNamespace],
        at ready: GatewayReadyFile,
        with clients: TrialClients
    ) async -> [TimedNamespace] {
        // The middle between the last possible time of a jump and the next one.
        let middle = start + clock.offset + Self.step / 2
        return await TimeCampaign.all(namespaces) { namespace in
            let client = clients.client(of: ready, in: namespace.name)
            if Bool.random(using: &namespace.generator) {
                try await namespace.connected(client) { namespace in
                    try await Self.send(&namespace, client, around: middle)
                    try await namespace.quiesce(client)
                }
            } else {
                try await Self.send(&namespace, client, around: middle)
            }
        }
    }

    private static func send(
        _ namespace: inout TimedNamespace,
        _ client: GatewayClient,
        around middle: Int
    ) async throws {
        for _ in 0..<3 {
            let count = Int.random(in: 1...10, using: &namespace.generator)
            let expirations = (0..<count).map { _ -> Int? in
                let steps = Int.random(in: -5...60, using: &namespace.generator)
                return steps == 60 ? nil : middle + steps * step
            }
            try await namespace.send(client, expirations: expirations)
        }
    }

    /// Moves the clock, mostly by some hours; no stream is open, and no request is under way.
    private mutating func jump(_ namespaces: [TimedNamespace], using generator: inout SeededGenerator) throws {
        let count = Int.random(in: 0..<5, using: &generator) == 0 ? 20_000 : 40
        let offset = clock.offset + Int.random(in: -count...count, using: &generator) * Self.step
        try clock.set(to: offset)
        let reading = MovedClock.reading(offset: offset)
        for namespace in namespaces { namespace.inbox.update { $0.readClock(reading) } }
    }

    /// Waits until everything that has expired has left the inboxes, and checks the log.
    private func sweep(
        _ namespaces: [TimedNamespace],
        at ready: GatewayReadyFile,
        with clients: TrialClients
    ) async -> [TimedNamespace] {
        await TimeCampaign.all(namespaces) { namespace in
            let client = clients.client(of: ready, in: namespace.name)
            let swept = namespace
            let violation = try await TrialItems.violation(unless: "all expired items leave the inboxes") {
                try await swept.inboxViolations(client).isEmpty
            }
            if let violation { namespace.report(violation) }
            try await namespace.check(client)
        }
    }
}
