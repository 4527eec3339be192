import AsyncHTTPClient
import GatewayClient
import ProcessTestSupport
import WaypostSchema
import WaypostTestSupport

/// The participants of a trial, and the gateways that they use one after another.
struct CrashScenario: Sendable {
    /// The shared state.
    let world: CrashWorld

    /// The number of killed processes, and the other counts of the trial.
    private(set) var faults = 0
    private(set) var counts: [String: Int] = [:]

    let trial: CampaignTrial
    let http: HTTPClient
    var participants: [any CrashParticipant] = []
    var receivers: [CrashReceiver] = []
    var agent: CrashAgent

    /// A device of each receiver.
    var receiverDevices: [CrashDevice] = []

    private var generator: SeededGenerator

    /// Registers the devices, with a first gateway.
    init(_ trial: CampaignTrial, _ http: HTTPClient) async throws {
        (self.trial, self.http) = (trial, http)
        generator = SeededGenerator(seed: trial.seed)
        world = CrashWorld(trial.history)
        agent = try CrashAgent(trial, in: world, seed: generator.next())
        let process = try await Self.start(trial)
        let gateway = GatewayCalls(ready: process.ready, http: http)
        for namespace in [Namespace.standard, CrashWorld.movingNamespace] {
            let reading = try await gateway.client(in: namespace).clock()
            world.update { $0.read(reading.now, of: namespace) }
        }
        try await addParticipants(gateway)
        trial.keepLog(of: await process.stop())
    }

    /// Starts a gateway with manual clocks.
    private static func start(
        _ trial: CampaignTrial,
        wrap: ([String]) -> [String] = { $0 }
    ) async throws -> GatewayProcess {
        try await trial.startGateway(options: ["--clock", "manual"], wrap: wrap)
    }

    private mutating func addParticipants(_ gateway: GatewayCalls) async throws {
        try await agent.register(with: gateway)
        world.update { $0.add(device: CrashAgent.device.name, of: CrashAgent.device.name) }
        let first = try await addReceiver("first", devices: 3, in: .standard, gateway)
        let second = try await addReceiver("second", devices: 2, in: .standard, gateway)
        let moving = try await addReceiver("moving", devices: 3, in: CrashWorld.movingNamespace, gateway)
        var rotating = try await addReceiver("rotating", devices: 1, in: .standard, gateway)[0]
        rotating.rotates = true
        let all = first + second + [rotating, CrashAgent.device]
        for number in 0..<4 {
            participants.append(CrashSender("s\(number)", to: all, in: world, seed: generator.next()))
        }
        for number in 4..<6 {
            participants.append(CrashSender("s\(number)", to: moving, in: world, seed: generator.next()))
        }
        let channel = try await channel(of: [first[0], second[0]], gateway)
        let others: [any CrashParticipant] = [
            CrashBroadcaster(channel, to: [first[0], second[0]], in: world, seed: generator.next()),
            CrashChannels(to: [first[1], second[1]], in: world, seed: generator.next()),
            CrashRegistrar(world, seed: generator.next()),
            TokenRotator(rotating, in: world, seed: generator.next()),
            NamespaceResetter(world, seed: generator.next()),
            ClockMover(world, seed: generator.next()),
        ]
        participants += others
    }

    /// Registers devices with one secret.
    private mutating func addReceiver(
        _ name: String,
        devices count: Int,
        in namespace: Namespace,
        _ gateway: GatewayCalls
    ) async throws -> [CrashDevice] {
        var secret: BearerSecret?
        var devices: [CrashDevice] = []
        let topics = [CrashWorld.topic, Topic(rawValue: CrashWorld.topic.rawValue + ".push-type.liveactivity")]
        for number in 0..<count {
            let device = CrashDevice(name: "\(name) \(number)", namespace: namespace)
            let registration = DeviceRegistration(name: device.name, topics: topics, secret: secret)
            let credential = try await gateway.client(in: namespace).register(registration)
            secret = credential.secret
            world.set(credential.token, of: device.name)
            world.update { $0.add(device: device.name, of: name) }
            devices.append(device)
        }
        if let secret {
            receivers.append(CrashReceiver(name, in: namespace, secret: secret, world: world, seed: generator.next()))
            receiverDevices.append(devices[0])
        }
        return devices
    }

    /// Creates a channel whose newest message is kept, and subscribes devices to it.
    private func channel(of devices: [CrashDevice], _ gateway: GatewayCalls) async throws -> ChannelID {
        let provider = ChannelClient(http, provider: gateway.ready.providerPlaintext ?? "")
        world.update { $0.beginChannel() }
        let channel = try await provider.create(ChannelClient.Configuration(.newest), of: CrashWorld.topic)
        world.update { $0.createChannel(channel) }
        for device in devices { try await gateway.client.setChannels([channel], of: world.token(of: device)) }
        return channel
    }

    // MARK: Crashes

    /// Starts a gateway, and kills it while all participants use it, or at a system call.
    mutating func crash() async throws {
        faults += 1
        let isTraced = TracedKill.isPossible && Bool.random(using: &generator)
        let traced = isTraced ? TracedKill(tracing: trial.path(of: "trace-\(faults)"), using: &generator) : nil
        counts[isTraced ? "kills at system calls" : "kills at random", default: 0] += 1
        world.note("gateway", traced?.description ?? "kill at random")
        var plan = KillPlan(using: &generator)
        plan.count *= Int.random(in: 1...8, using: &generator)
        let process: ChildProcess
        world.update { $0.startGateway() }
        do {
            let gateway = try await Self.start(trial) { traced?.wrap($0) ?? $0 }
            process = gateway.process
            let killSwitch = KillSwitch(process, plan, http, endsByItself: isTraced)
            let life = GatewayLife(gateway: GatewayCalls(ready: gateway.ready, http: http), killSwitch: killSwitch)
            await use(life, process)
            counts["unanswered requests", default: 0] += killSwitch.unanswered
        } catch let never as GatewayProcess.NeverReady {
            trial.keepLog(of: never.ended)
            guard let traced, never.limit == nil else {
                return world.report("the gateway did not start again: \(never)")
            }
            counts["kills while starting", default: 0] += 1
            return try lose(traced)
        }
        let ended = await process.ended()
        trial.keepLog(of: ended)
        if ended.status != 128 + 9 { world.report("the gateway ended with \(ended)") }
        if let traced { try lose(traced) }
    }

    private mutating func lose(_ traced: TracedKill) throws {
        let count = try traced.loseUnsyncedWrites(in: trial.path(of: "data"))
        world.note("disk", "lost \(count) bytes that were not synced")
        counts["bytes lost that were not synced", default: 0] += count
    }

    /// Lets all participants use a gateway until it is killed.
    private mutating func use(_ life: GatewayLife, _ process: ChildProcess) async {
        var people = participants
        for receiver in receivers { people.append(receiver) }
        people.append(agent)
        let (world, participantCount) = (self.world, participants.count)
        let after = await withTaskGroup(of: (Int, any CrashParticipant)?.self) { [people] group in
            group.addTask {
                try? await waitUntil("the gateway has ended", within: .seconds(15)) { process.hasEnded }
                life.killSwitch.kill()
                return nil
            }
            for (index, person) in people.enumerated() {
                group.addTask {
                    var person = person
                    await Self.use(life, by: &person, in: world)
                    return (index, person)
                }
            }
            var after = people
            for await result in group {
                if let result { after[result.0] = result.1 }
            }
            return after
        }
        participants = Array(after.prefix(participantCount))
        receivers = after.compactMap { $0 as? CrashReceiver }
        agent = after.compactMap { $0 as? CrashAgent }.first ?? agent
    }

    /// Uses a gateway, and reports the error of one that was not killed.
    private static func use(
        _ life: GatewayLife,
        by participant: inout any CrashParticipant,
        in world: CrashWorld
    ) async {
        do {
            try await participant.use(life)
        } catch {
            world.report("\(participant.name): an error of a gateway that was not killed: \(error)")
        }
    }

    // MARK: The end

    /// Runs a last gateway until everything is delivered, and checks everything.
    mutating func finish() async throws -> TrialOutcome {
        do {
            try await settleAndCheck()
            try await checkLeftovers()
        } catch {
            world.report("the last gateway did not deliver everything: \(error)")
        }
        let model = world.current
        counts["duplicates"] = model.duplicates
        counts["agent kills"] = agent.kills
        if !TracedKill.isPossible { counts["trials without strace"] = 1 }
        return TrialOutcome(
            operations: model.operations,
            faults: faults + agent.kills,
            violations: model.violations,
            counts: counts
        )
    }

    private mutating func settleAndCheck() async throws {
        world.update { $0.startGateway() }
        let process = try await Self.start(trial)
        let gateway = GatewayCalls(ready: process.ready, http: http)
        let life = GatewayLife(gateway: gateway, killSwitch: KillSwitch(process.process, nil, http))
        let before = try await CrashSnapshot.settled(of: gateway)
        for index in participants.indices { try await participants[index].settle(life) }
        for index in receivers.indices { try await receivers[index].settle(life) }
        try await agent.settle(life)
        try await drain(upTo: "last", in: life)
        try await waitUntil("everything is in a final state 60 s after the last request", within: .seconds(60)) {
            try await CrashSnapshot(of: gateway).isFinal
        }
        try await agent.finish()
        let after = try await CrashSnapshot.settled(of: gateway)
        let statuses = try await after.statuses(of: gateway)
        let model = world.current
        for finding in after.findings(since: before, statuses: statuses, model: model) { world.report(finding) }
        trial.keepLog(of: await process.stop())
    }

    /// Runs one more gateway, which must deliver only what is sent to it.
    private mutating func checkLeftovers() async throws {
        let process = try await Self.start(trial)
        let gateway = GatewayCalls(ready: process.ready, http: http)
        let life = GatewayLife(gateway: gateway, killSwitch: KillSwitch(process.process, nil, http))
        let before = world.current
        try await drain(upTo: "very last", in: life)
        let after = world.current
        let count = after.operations - before.operations
        // Each receiver has an item with an answer, a delivery, and an acknowledgement with an answer.
        if count != receivers.count * 3 || after.duplicates != before.duplicates {
            world.report("the last gateway delivered more than the \(receivers.count) items that it got")
        }
        trial.keepLog(of: await process.stop())
    }

    /// Sends every receiver one more item, and reads its inbox up to that one: this is complete, because sequences
    /// increase.
    private mutating func drain(upTo name: String, in life: GatewayLife) async throws {
        for (index, device) in receiverDevices.enumerated() {
            let item = CrashItem(
                "\(name) of \(device.name)",
                sender: name,
                number: index,
                devices: [device.name],
                namespace: device.namespace
            )
            world.update { $0.begin([item]) }
            let line = Array((item.line(to: world.token(of: device)) + "\n").utf8)
            let receipt = try await life.gateway.client(in: device.namespace).send(line, allResults: true)
            world.update { $0.accept(item.name, id: receipt.results.first?.id) }
            try await drain(receivers[index], upTo: item.name, in: life)
        }
    }

    private func drain(_ receiver: CrashReceiver, upTo last: String, in life: GatewayLife) async throws {
        let world = self.world
        do {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await receiver.drain(upTo: last, in: life) }
                group.addTask {
                    try await waitUntil("\(receiver.name) has '\(last)' after 90 s", within: .seconds(90)) {
                        world.update { $0.items[last]?.sequences.isEmpty == false }
                    }
                }
                try await group.waitForAll()
            }
        } catch {
            let missing = world.current.undelivered(to: receiver.name)
            world.report("\(receiver.name) did not get \(missing.count) items, such as \(missing.prefix(3))")
            throw error
        }
    }
}
