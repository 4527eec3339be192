import Foundation
import GatewayClient
import ProcessTestSupport
import TrialModels
import WaypostSchema
import WaypostTestSupport

/// A trial of a gateway whose namespaces have manual clocks.
struct ManualClockTrial: Sendable {
    private let trial: CampaignTrial

    /// The number of gateways, one after the other.
    private static let gateways = 3

    /// Creates a trial.
    init(_ trial: CampaignTrial) {
        self.trial = trial
    }

    /// Runs gateways one after the other, and moves the clocks of four namespaces independently.
    func run(using generator: inout SeededGenerator) async throws -> TrialOutcome {
        var namespaces = (0..<4).map { number in
            TimedNamespace(Namespace(rawValue: "clock-\(number)"), seed: generator.next())
        }
        var (faults, violations) = (0, [String]())
        for number in 0..<Self.gateways {
            let gateway = try await trial.startGateway(options: ["--clock", "manual"] + TimeCampaign.options)
            namespaces = try await TrialClients.run { clients in
                await TimeCampaign.all(namespaces) { namespace in
                    let client = clients.client(of: gateway.ready, in: namespace.name)
                    if number == 0 { try await Self.begin(&namespace, client) }
                    // A restart does not move the clock.
                    try await Self.readClock(&namespace, client)
                    try await Self.live(&namespace, client)
                }
            }
            let isKilled = Bool.random(using: &generator)
            if isKilled { faults += 1 }
            let violation = await TimeCampaign.end(gateway, withKill: isKilled, of: trial)
            if let violation { violations.append(violation) }
        }
        var outcome = TimeCampaign.outcome(of: namespaces, trial)
        outcome.faults += faults
        outcome.violations += violations
        return outcome
    }

    /// Registers the devices, and checks that the clock begins at the system's time.
    private static func begin(_ namespace: inout TimedNamespace, _ client: GatewayClient) async throws {
        try await namespace.register(client)
        let now = try await client.clock().now.rawValue
        namespace.begin(at: now...now)
        let system = Int(Date().timeIntervalSince1970 * 1_000)
        if abs(now - system) > 60_000 {
            namespace.report("the clock began at \(now) ms; the system's shows \(system) ms")
        }
    }

    private static func live(_ namespace: inout TimedNamespace, _ client: GatewayClient) async throws {
        for _ in 0..<3 {
            if Bool.random(using: &namespace.generator) {
                try await namespace.connected(client) { try await steps(&$0, client) }
            } else {
                try await steps(&namespace, client)
                if Int.random(in: 0..<4, using: &namespace.generator) == 0 {
                    try await client.reset(namespace.name)
                    try await begin(&namespace, client)
                }
            }
        }
    }

    private static func steps(_ namespace: inout TimedNamespace, _ client: GatewayClient) async throws {
        for _ in 0..<6 {
            switch Int.random(in: 0..<8, using: &namespace.generator) {
            case 0..<3: try await send(&namespace, client)
            case 3..<6: try await advance(&namespace, client)
            case 6: try await namespace.sendWithKey(client, at: now(namespace))
            default: try await readClock(&namespace, client)
            }
        }
        try await namespace.quiesce(client)
        try await namespace.check(client)
    }

    private static func now(_ namespace: TimedNamespace) -> Int {
        namespace.inbox.update { $0.clock.now }
    }

    /// Sends items that expire at once, soon, late, or never.
    private static func send(_ namespace: inout TimedNamespace, _ client: GatewayClient) async throws {
        let seconds = now(namespace) / 1_000
        let count = Int.random(in: 1...20, using: &namespace.generator)
        let expirations = (0..<count).map { _ -> Int? in
            switch Int.random(in: 0..<8, using: &namespace.generator) {
            case 0: return nil
            case 1: return seconds + Int.random(in: -2...0, using: &namespace.generator)
            case 2, 3: return seconds + Int.random(in: 1...3, using: &namespace.generator)
            case 4, 5: return seconds + Int.random(in: 1...1_000, using: &namespace.generator)
            default: return seconds + Int.random(in: 1...10_000_000, using: &namespace.generator)
            }
        }
        try await namespace.send(client, expirations: expirations)
    }

    /// Reads the clock, which stands still.
    private static func readClock(_ namespace: inout TimedNamespace, _ client: GatewayClient) async throws {
        let reading = try await client.clock()
        let expected = now(namespace)
        guard reading.now.rawValue != expected || reading.clock != .manual else { return }
        namespace.report("the clock shows \(reading.now.rawValue) ms, not \(expected) ms")
    }

    /// Moves the clock, often to the edge of an expiration or of the lifetime of a key.
    private static func advance(_ namespace: inout TimedNamespace, _ client: GatewayClient) async throws {
        // A delivery that is on its way would be recorded with the later time.
        try await namespace.quiesce(client)
        let now = now(namespace)
        let target = max(now, destination(of: &namespace, from: now))
        let isAbsolute = Bool.random(using: &namespace.generator)
        let advance = isAbsolute ? ClockAdvance(to: Timestamp(milliseconds: target)) : ClockAdvance(by: target - now)
        let reading = try await client.advanceClock(advance)
        if reading.now.rawValue != target {
            namespace.report("the clock was moved to \(target) ms, and shows \(reading.now.rawValue) ms")
        }
        namespace.inbox.update { $0.readClock(target...target) }
        try await namespace.check(client)
    }

    private static func destination(of namespace: inout TimedNamespace, from now: Int) -> Int {
        let deadlines = namespace.inbox.update { $0.nextExpirations }.map { $0 * 1_000 }
        let edge = [-1, 0, 1].randomElement(using: &namespace.generator) ?? 0
        let next = deadlines.first ?? now + 1
        let any = deadlines.randomElement(using: &namespace.generator) ?? now + 1
        let key = namespace.keys.ends.filter { $0 > now }.min() ?? now + 1
        switch Int.random(in: 0..<8, using: &namespace.generator) {
        case 0: return now + Int.random(in: 0...1, using: &namespace.generator)
        case 1: return now + Int.random(in: 2...2_000, using: &namespace.generator)
        case 2, 3: return next + edge
        case 4: return any + edge
        case 5: return key + edge
        case 6: return now + Int.random(in: 1...1_000_000_000, using: &namespace.generator)
        default: return now + 365 * 24 * 60 * 60 * 1_000
        }
    }
}
