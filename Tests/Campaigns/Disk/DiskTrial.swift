import AsyncHTTPClient
import Foundation
import GatewayClient
import ProcessTestSupport
import WaypostSchema
import WaypostTestSupport

/// Successive gateways on one data folder, some of which lose power.
struct DiskTrial: Sendable {
    let trial: CampaignTrial
    let http: HTTPClient
    let disk: UnsyncedDisk
    let expectations = DiskExpectations()

    /// The source of all choices.
    var generator: SeededGenerator

    private(set) var agents: [DiskAgent] = []

    /// The number of power failures and other faults.
    private(set) var faults = 0

    /// Creates a trial without gateways.
    init(_ trial: CampaignTrial, _ http: HTTPClient) async throws {
        (self.trial, self.http) = (trial, http)
        disk = try await UnsyncedDisk("data", in: trial.folder)
        generator = SeededGenerator(seed: trial.seed)
    }

    /// Registers three devices at a gateway whose disk works.
    mutating func register() async throws {
        let gateway = try await startGateway()
        let client = GatewayCalls(ready: gateway.ready, http: http).client
        for number in 0..<3 {
            let registration = DeviceRegistration(name: "iPad \(number)", topics: [DiskItem.topic])
            let credential = try await client.register(registration)
            agents.append(DiskAgent(token: credential.token, secret: credential.secret))
        }
        await end(gateway)
    }

    /// Starts a gateway on the data, on the unsynced disk if there are settings.
    func startGateway(_ settings: UnsyncedDisk.Settings? = nil) async throws -> GatewayProcess {
        if settings == nil { try disk.forgetFailedSyncs() }
        return try await trial.startGateway(options: ["--data", disk.folder]) { command in
            settings.map { disk.wrap(command, $0) } ?? command
        }
    }

    /// Starts a gateway on a disk that works; a start that fails is a violation.
    ///
    /// - Returns: The running gateway, or `nil` if it did not start.
    func startAgain(after fault: String) async throws -> GatewayProcess? {
        do {
            return try await startGateway()
        } catch let never as GatewayProcess.NeverReady {
            trial.keepLog(of: never.ended)
            await expectations.report("the gateway does not start after \(fault): \(never)")
            return nil
        }
    }

    /// Ends a gateway with SIGTERM, and returns its log.
    @discardableResult func end(_ gateway: GatewayProcess) async -> String {
        gateway.process.send(SIGTERM)
        let end = await gateway.process.end(within: .seconds(30))
        if let ended = end.ended { trial.keepLog(of: ended) }
        if end.wasKilled { await expectations.report("the gateway did not end within 30 seconds of SIGTERM") }
        return end.ended?.errors ?? ""
    }

    /// The result of the trial.
    func outcome() async -> TrialOutcome {
        TrialOutcome(
            operations: await expectations.operations,
            faults: faults,
            violations: await expectations.violations,
            counts: await expectations.counts
        )
    }
}

/// Power failures.
extension DiskTrial {
    /// Uses a gateway until its power fails, and puts what the disk has then into the folder.
    ///
    /// If the disk has errors and the gateway ends before that, its successor may lose power instead.
    ///
    /// - Parameters:
    ///   - round: The number of the gateway.
    ///   - settings: The behavior of the disk.
    ///   - maximumSize: The maximum size of a payload in bytes.
    /// - Returns: A description of the fault.
    /// - Throws: An error of the harness.
    mutating func failPower(
        _ round: Int,
        _ settings: UnsyncedDisk.Settings,
        maximumSize: Int
    ) async throws -> String {
        let fault = try await useGateway(round, settings, maximumSize: maximumSize)
        if try disk.restore() { return fault }
        guard settings.error != nil else {
            await expectations.report("the gateway ended by itself before \(fault)")
            return fault
        }
        guard Bool.random(using: &generator) else { return fault }
        // The next gateway reads what a failed sync has left in memory, but the disk does not have it.
        let next = UnsyncedDisk.Settings(seed: generator.next())
        let nextFault = try await failPower(Self.firstFollowingRound + round, next, maximumSize: maximumSize)
        return "\(fault), then \(nextFault)"
    }

    /// The number of the gateway that follows the first one after an error of the disk.
    private static let firstFollowingRound = 100

    /// Uses a gateway until it ends, with or without a power failure, and returns a description of the fault.
    private mutating func useGateway(
        _ round: Int,
        _ settings: UnsyncedDisk.Settings,
        maximumSize: Int
    ) async throws -> String {
        faults += 1
        let fault = "fault \(round) of the disk (\(settings))"
        trial.history.note("disk", fault)
        await expectations.startGateway()
        do {
            let gateway = try await startGateway(settings)
            let load = DiskLoad(
                gateway: gateway,
                http: http,
                agents: agents,
                expectations: expectations,
                name: "r\(round)",
                maximumSize: maximumSize,
                maximumAnswers: randomAnswerLimit(maximumSize: maximumSize),
                signal: settings.endSignals.randomElement(using: &generator) ?? SIGUSR2,
                seed: generator.next()
            )
            let end = await load.run()
            if let ended = end.ended { trial.keepLog(of: ended) }
            if end.wasKilled { await expectations.report("the gateway hung after \(fault)") }
        } catch let never as GatewayProcess.NeverReady {
            trial.keepLog(of: never.ended)
            if never.limit != nil { await expectations.report("the gateway hung at its start with \(fault)") }
        }
        return fault
    }

    /// Returns the number of answers after which the power fails.
    private mutating func randomAnswerLimit(maximumSize: Int) -> Int {
        guard !agents.isEmpty else { return 0 }
        // Many large payloads lead to checkpoints.
        return .random(in: 20...(maximumSize > 1_000 ? 1_200 : 400), using: &generator)
    }
}

extension UnsyncedDisk.Settings {
    /// The signals with which a trial ends a gateway; only with SIGUSR2 does the power fail at once.
    fileprivate var endSignals: [Int32] {
        if case .atExit = failure { return [SIGTERM] }
        return error == nil ? [SIGUSR2] : [SIGUSR2, SIGTERM, SIGKILL]
    }
}

/// Checks.
extension DiskTrial {
    /// Checks everything that was sent before, with a gateway on a disk that works.
    ///
    /// - Parameters:
    ///   - name: The prefix of the names of the last notifications, up to which the streams are read.
    ///   - fault: The fault before it.
    ///   - acknowledgesAll: Whether all notifications are acknowledged, instead of most.
    /// - Returns: The gateway's log, or `nil` if it did not start.
    /// - Throws: An error of the harness.
    @discardableResult
    mutating func check(_ name: String, after fault: String, acknowledgesAll: Bool = false) async throws -> String? {
        guard let gateway = try await startAgain(after: fault) else { return nil }
        let calls = GatewayCalls(ready: gateway.ready, http: http)
        await expectations.check(try await calls.log())
        let last = agents.indices.map { DiskItem("\(name)-\($0)", to: $0, maximumSize: 10, using: &generator) }
        await expectations.add(last, isAtomic: false)
        let lines = zip(last, agents).map { $0.line(for: $1.token) }.joined()
        let answer = try await calls.send(lines)
        guard answer.status == 200 else {
            let body = String(decoding: answer.body, as: UTF8.self)
            await expectations.report("after \(fault), a batch is answered with \(answer.status) \(body)")
            return await end(gateway)
        }
        await expectations.record(.stored, of: last)
        for agent in agents.indices {
            let expected = await expectations.expectedItems(of: agent)
            let seed = generator.next()
            let reader = DiskReader(
                calls: calls,
                agent: agents[agent],
                number: agent,
                expectations: expectations,
                acknowledgesAll: acknowledgesAll
            )
            let received = await reader.read(upTo: last[agent], expected: expected.count, seed: seed)
            for item in expected where !received.contains(item.id) {
                await expectations.report("after \(fault), \(item) is not delivered")
            }
        }
        let log = await end(gateway)
        for line in log.split(separator: "\n") where Self.isAboutLoss(line) {
            await expectations.report("after \(fault), the gateway logs: \(line)")
        }
        return log
    }

    private static func isAboutLoss(_ line: Substring) -> Bool {
        ["confirmed commit", "malformed", "corrupt"].contains { line.contains($0) }
    }
}
