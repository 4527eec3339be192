import AsyncHTTPClient
import Foundation
import ProcessTestSupport
import WaypostSchema
import WaypostTestSupport

/// A gateway that has too little of a resource, with a device that is served meanwhile.
struct ExhaustionRun: Sendable {
    let plan: ExhaustionPlan
    let calls: GatewayCalls

    /// The device that reads its notifications all the time.
    let device: ServedDevice

    /// The result up to now.
    var outcome = TrialOutcome()

    /// The number of descriptors of the gateway before the load.
    private(set) var initialDescriptorCount = 0

    private let trial: CampaignTrial
    private let gateway: GatewayProcess
    private var probeCount = 0

    /// The number of violations after which a load ends: each probe of a gateway that serves nobody takes long.
    private static let maximumViolationCount = 3

    private init(
        _ trial: CampaignTrial,
        plan: ExhaustionPlan,
        gateway: GatewayProcess,
        calls: GatewayCalls
    ) async throws {
        (self.trial, self.plan, self.gateway, self.calls) = (trial, plan, gateway, calls)
        device = try await ServedDevice(calls)
    }

    /// The memory and the open files of the gateway.
    var use: ProcessUse {
        ProcessUse(identifier: gateway.process.identifier)
    }

    /// Whether there are so many violations that the load should end.
    var hasFailed: Bool {
        outcome.violations.count >= Self.maximumViolationCount
    }

    /// Starts a gateway, loads it, and checks that it recovers.
    ///
    /// - Parameters:
    ///   - trial: The trial.
    ///   - plan: The choices of the trial.
    ///   - http: The client that all but new clients use.
    ///   - options: More options of the gateway.
    ///   - wrap: Wraps the command of the gateway in another program.
    ///   - load: Loads the gateway and checks that others are served, until the load is over.
    /// - Returns: The result.
    /// - Throws: An error of the harness.
    static func perform(
        _ trial: CampaignTrial,
        _ plan: ExhaustionPlan,
        http: HTTPClient,
        options: [String] = [],
        wrap: ([String]) -> [String] = { $0 },
        load: (inout ExhaustionRun) async throws -> Void
    ) async throws -> TrialOutcome {
        let memory = ["--memory", "\(ExhaustionLimits.memory)MiB"]
        let gateway: GatewayProcess
        do {
            gateway = try await trial.startGateway(options: memory + options, wrap: wrap)
        } catch let refusal as GatewayProcess.NeverReady {
            var outcome = TrialOutcome()
            outcome.violations = ["the gateway did not start with \(plan.resource.rawValue): \(refusal)"]
            return outcome
        }
        let calls = GatewayCalls(ready: gateway.ready, http: http)
        var run = try await Self(trial, plan: plan, gateway: gateway, calls: calls)
        let device = run.device
        async let receiving: Void = device.receive()
        do {
            await run.begin()
            try await load(&run)
            await run.checkRecovery()
        } catch {
            run.outcome.violations.append("with \(plan.resource.rawValue): \(error)")
        }
        await run.end()
        await receiving
        run.outcome.faults = 1
        return run.outcome
    }

    /// Adds a line to the history of the trial.
    func note(_ text: String) {
        let use = use
        let numbers = "\(use.descriptorCount ?? 0) descriptors, at most \(use.peakMemory ?? 0) MiB"
        trial.history.note("campaign", "\(text); \(numbers)")
    }

    private mutating func begin() async {
        await probe("before the load")
        await probeWithNewClient("before the load")
        initialDescriptorCount = use.descriptorCount ?? 0
        note("the load begins")
    }

    /// Checks that the gateway is as before, now that the load is over.
    private mutating func checkRecovery() async {
        note("the load is over")
        let (use, limit) = (use, initialDescriptorCount + plan.descriptorTolerance)
        await check("its descriptors are at most \(limit) again", within: ExhaustionLimits.recovery) {
            use.descriptorCount.map { $0 <= limit } ?? true
        }
        let calls = calls
        await check("/health/ready answers 200", within: ExhaustionLimits.recovery) {
            try await calls.readiness().status == 200
        }
        await probe("after the load")
        await probeWithNewClient("after the load")
        note("all is as before")
    }

    /// Ends the gateway, and checks its memory and its exit status.
    private mutating func end() async {
        recordMemory()
        device.stop()
        outcome.counts["sessions of served devices opened again"] = max(0, device.streamCount - 1)
        let process = gateway.process
        process.send(SIGTERM)
        do {
            try await waitUntil("it ends", within: .seconds(30)) { kill(process.identifier, 0) != 0 }
        } catch {
            addViolation("it did not end within 30 s of SIGTERM")
            process.send(SIGKILL)
        }
        let ended = await process.ended()
        trial.keepLog(of: ended)
        if ended.status != 0 { addViolation("it ended with \(ended.status)") }
    }

    private mutating func recordMemory() {
        guard let memory = use.peakMemory else { return addViolation("it has ended") }
        outcome.recordPeak(memory, "MiB at most with \(plan.resource.rawValue)")
        guard memory > plan.memory else { return }
        addViolation("it used \(memory) MiB, more than \(plan.memory) MiB")
    }

    /// Adds a violation of a promise about the gateway.
    mutating func addViolation(_ text: String) {
        outcome.violations.append("a gateway with \(plan.resource.rawValue): \(text)")
    }

    /// Waits until a condition is true, and adds a violation if that takes too long.
    mutating func check(_ condition: String, within limit: Duration, _ isTrue: () async throws -> Bool) async {
        do {
            try await waitUntil(condition, within: limit, isTrue)
            outcome.operations += 1
        } catch {
            addViolation("\(error), within \(limit)")
        }
    }
}

extension ExhaustionRun {
    /// Sends a notification and waits until the device has it, and adds a violation if that takes too long.
    ///
    /// - Parameters:
    ///   - moment: The moment, for the violation.
    ///   - sender: The calls of the sender; by default those of a client that has a connection.
    ///   - limit: The maximum time.
    mutating func probe(
        _ moment: String,
        from sender: GatewayCalls? = nil,
        within limit: Duration = ExhaustionLimits.delivery
    ) async {
        probeCount += 1
        let (name, start) = ("probe \(probeCount)", ContinuousClock.now)
        let (device, sender) = (device, sender ?? calls)
        do {
            // A gateway whose memory is in use may refuse: with 429 or 503, which ask for another try.
            try await waitUntil("\(name) is accepted", within: limit) {
                let answer = try await device.send([name], through: sender)
                guard [200, 429, 503].contains(answer.status) else { throw UnexpectedAnswer(status: answer.status) }
                return answer.status == 200
            }
            try await waitUntil("\(name) arrives", within: limit) { device.has(name) }
            let time = start.duration(to: .now)
            if time > limit { addViolation("\(moment): \(name) took \(time)") }
            outcome.recordPeak(Int(time / .milliseconds(1)), "ms at most to a device with \(plan.resource.rawValue)")
            outcome.operations += 2
            outcome.counts["probes", default: 0] += 1
        } catch {
            addViolation("\(moment): \(error), within \(limit)")
        }
    }

    /// Sends a notification from a client that has no connection yet, and waits until the device has it.
    mutating func probeWithNewClient(
        _ moment: String,
        within limit: Duration = ExhaustionLimits.delivery
    ) async {
        let http = HTTPClient(eventLoopGroupProvider: .singleton)
        let sender = GatewayCalls(ready: calls.ready, http: http)
        await probe("\(moment), from a new client", from: sender, within: limit)
        try? await http.shutdown()
    }

    /// Sends notifications about once a second, every fifth from a new client.
    ///
    /// - Parameters:
    ///   - moment: The moment, for violations.
    ///   - time: The maximum time.
    ///   - acceptsClients: Whether the gateway can accept connections.
    ///   - isOver: Called about once a second; returns whether to end earlier.
    /// - Returns: The last result of `isOver`.
    @discardableResult
    mutating func probe(
        _ moment: String,
        for time: Duration,
        acceptsClients: Bool = true,
        until isOver: () -> Bool = { false }
    ) async -> Bool {
        let end = ContinuousClock.now + time
        var count = 0
        while ContinuousClock.now < end, !hasFailed {
            count += 1
            if acceptsClients, count.isMultiple(of: 5) {
                await probeWithNewClient(moment)
            } else {
                await probe(moment)
            }
            if isOver() { return true }
            let next = ContinuousClock.now + .seconds(1)
            try? await waitUntil("a second is over") { ContinuousClock.now >= next }
        }
        return isOver()
    }

    /// Opens connections in groups, with a notification after each group.
    mutating func open(_ requests: [UnreadConnections.Request], _ connections: UnreadConnections) async throws {
        for start in stride(from: 0, to: requests.count, by: 500) where !hasFailed {
            try await connections.open(Array(requests[start..<min(start + 500, requests.count)]))
            await probe("while connections open")
        }
        outcome.counts["connections with \(plan.resource.rawValue)"] = requests.count
        outcome.operations += requests.count
        note("\(requests.count) connections are open")
    }

    /// Returns the port of a listener.
    static func port(of url: String?) throws -> UInt16 {
        guard let url, let port = URL(string: url)?.port else { throw MissingListener(url: url) }
        return UInt16(port)
    }

    /// An answer that is neither a success nor a refusal for a moment.
    struct UnexpectedAnswer: Error {
        let status: UInt
    }

    /// The gateway does not have a listener that the trial needs.
    struct MissingListener: Error {
        let url: String?
    }
}
