import Gateway
import GatewayClient
import GatewayTestSupport
import LocalService
import ServiceLifecycle
import Testing
import WaypostSchema
import WaypostTestSupport

@testable import DeviceAgent

private struct AgentService: Service {
    let agent: AgentProcess

    func run() async throws {
        try await agent.run()
    }
}

/// An agent that follows the gateway's manual clock.
@Suite(.timeLimit(.minutes(5))) struct GatewayClockFollowerTests {
    private static let start = AgentSources.forTests.now()

    /// Runs an agent that follows the clock of `namespace`, with a device that has a link for its app.
    private static func run(
        of gateway: RunningGateway,
        namespace: Namespace? = nil,
        _ body: @escaping @Sendable (_ control: JSONCalls, _ deadline: Timestamp) async throws -> Void
    ) async throws {
        let clock = ManualClock(Timestamp(milliseconds: 0))
        var sources = AgentSources.waiting
        sources.now = { clock.now }
        sources.manualClock = clock
        var configuration = AgentConfiguration(
            devices: [ConfiguredDevice(AppAgent.description)],
            service: gateway.ready.service,
            courier: gateway.ready.courier
        )
        configuration.followsGatewayClock = true
        configuration.namespace = namespace
        try await withAgent(configuration, sources: sources) { ready in
            let agent = AgentClient(gateway.http, control: ready.control)
            var deadline: Timestamp?
            for event in AppAgent.scenario {
                deadline = try await agent.apply(event, to: AppAgent.device).nextDeadline
            }
            try await body(JSONCalls(gateway.http, base: ready.control), try #require(deadline))
        }
    }

    private static func withGateway(
        clock: ClockReading.Source,
        _ body: @escaping @Sendable (RunningGateway) async throws -> Void
    ) async throws {
        var configuration = GatewayConfiguration.forTests
        configuration.clock = clock
        try await RunningGateway.run(configuration, body)
    }

    /// The times at which the device's journal says that time alone changed something.
    private static func hasPassed(_ control: JSONCalls, _ deadline: Timestamp) async throws -> Bool {
        // Any event gives the next deadline; what was due has happened if that is later.
        let reaction: DeviceReaction = try await control.post(
            "/v1/devices/Ava%27s%20iPad/events",
            DeviceEvent.system(.timePassed)
        )
        return reaction.nextDeadline.map { $0 > deadline } ?? true
    }

    @Test func agentThatWaitsForTheGatewayEndsAtTheShutdown() async throws {
        let (waits, wait) = AsyncStream.makeStream(of: Void.self)
        var sources = AgentSources.waiting
        sources.manualClock = ManualClock(Self.start)
        sources.sleep = { [waiting = sources.sleep] milliseconds in
            wait.yield()
            try await waiting(milliseconds)
        }
        // No program listens at port 1.
        var configuration = AgentConfiguration(
            devices: [ConfiguredDevice(AppAgent.description)],
            service: "http://127.0.0.1:1",
            courier: nil
        )
        configuration.followsGatewayClock = true
        let agent = AgentService(agent: AgentProcess(configuration: configuration, sources: sources, logger: .quiet))
        let group = ServiceGroup(services: [agent], logger: .quiet)
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await group.run() }
            tasks.addTask {
                for await _ in waits { return await group.triggerGracefulShutdown() }
            }
            try await tasks.waitForAll()
        }
    }

    @Test func advanceOfTheGatewayMovesTheAgentBeforeItReturns() async throws {
        try await Self.withGateway(clock: .manual) { gateway in
            try await Self.run(of: gateway) { control, deadline in
                let client = GatewayClient(gateway.http, service: gateway.ready.service, courier: nil)
                let before: ClockReading = try await control.get("/v1/clock")
                #expect(before == ClockReading(now: try await client.clock().now, clock: .manual))
                let moved = try await client.advanceClock(ClockAdvance(to: deadline))
                let after: ClockReading = try await control.get("/v1/clock")
                #expect(after == moved && after.now == deadline)
                let hasPassed = try await Self.hasPassed(control, deadline)
                #expect(hasPassed)
            }
        }
    }

    @Test func advanceOfTheAgentMovesTheGateway() async throws {
        try await Self.withGateway(clock: .manual) { gateway in
            try await Self.run(of: gateway, namespace: "run-1") { control, deadline in
                let moved: ClockReading = try await control.post("/v1/clock/advance", ClockAdvance(to: deadline))
                #expect(moved.now == deadline)
                let run = GatewayClient(gateway.http, service: gateway.ready.service, courier: nil, namespace: "run-1")
                let other = GatewayClient(gateway.http, service: gateway.ready.service, courier: nil)
                let (mine, others) = (try await run.clock().now, try await other.clock().now)
                #expect(mine == deadline)
                #expect(others < deadline)
            }
        }
    }

    @Test func advanceMovesEveryAgentOfTheNamespace() async throws {
        try await Self.withGateway(clock: .manual) { gateway in
            try await Self.run(of: gateway) { first, deadline in
                try await Self.run(of: gateway) { second, _ in
                    let _: ClockReading = try await first.post("/v1/clock/advance", ClockAdvance(to: deadline))
                    let reading: ClockReading = try await second.get("/v1/clock")
                    #expect(reading.now == deadline)
                }
                // The second agent has ended, so nobody waits for it.
                let later = Timestamp(milliseconds: deadline.rawValue + 1)
                let reading: ClockReading = try await first.post("/v1/clock/advance", ClockAdvance(to: later))
                #expect(reading.now == later)
            }
        }
    }

    @Test func clockOfTheSystemCannotBeFollowed() async throws {
        try await Self.withGateway(clock: .system) { gateway in
            let error = await #expect(throws: AgentStartError.self) {
                try await Self.run(of: gateway) { _, _ in }
            }
            #expect(error == .gatewayClockIsSystem)
        }
    }

    @Test func gatewayThatHasTheSystemsClockNowIsAskedAgainLater() async throws {
        try await Self.withGateway(clock: .system) { gateway in
            let (waits, wait) = AsyncStream.makeStream(of: Void.self)
            var sources = AgentSources.waiting
            sources.sleep = { [waiting = sources.sleep] milliseconds in
                wait.yield()
                try await waiting(milliseconds)
            }
            let clock = ManualClock(Timestamp(milliseconds: 0))
            let follower = GatewayClockFollower(
                clock: clock,
                client: GatewayClient(gateway.http, service: gateway.ready.service, courier: nil),
                agentDevices: AgentDevices([], changes: ChangeNotifier()),
                sources: sources,
                logger: .quiet,
                identifier: "a"
            )
            try await withThrowingTaskGroup(of: Void.self) { tasks in
                tasks.addTask { try await follower.run() }
                for await _ in waits { break }
                tasks.cancelAll()
                try await tasks.waitForAll()
            }
            #expect(clock.now == Timestamp(milliseconds: 0))
        }
    }

    @Test(
        arguments: [
            ("follower=", "follower"), ("follower=\(String(repeating: "x", count: 65))", "follower"),
            ("follower=a&after=soon", "after"), ("follower=a&after=-1", "after"), ("follower=a&timeout=9", "timeout"),
        ]
    ) func unusableParameterOfAFollowerIsNamed(_ query: String, _ parameter: String) async throws {
        try await Self.withGateway(clock: .manual) { gateway in
            let service = JSONCalls(gateway.http, base: gateway.ready.service)
            let error = await #expect(throws: CallError.self) {
                let _: ClockReading = try await service.get("/v1/clock?\(query)")
            }
            guard case .refused(400, let refusal) = error else {
                _ = Issue.record("\(error as Any)")
                return
            }
            #expect(refusal.message.contains(parameter))
        }
    }
}
