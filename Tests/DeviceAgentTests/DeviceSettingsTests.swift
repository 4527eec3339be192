import AsyncHTTPClient
import DeviceAgent
import GatewayClient
import GatewayTestSupport
import LocalService
import NIOCore
import Testing
import WaypostSchema
import WaypostTestSupport

/// A user's settings, snapshots and forks of a device, and the device's clock.
@Suite(.timeLimit(.minutes(5))) struct DeviceSettingsTests {
    private static func registered(_ agent: AppAgent) async throws -> RegisteredDevice {
        let token = try #require(try await agent.client.devices()[0].token)
        return try await JSONCalls(agent.gateway.http, base: agent.gateway.ready.service).get("/v1/devices/\(token)")
    }

    @Test func gatewayIsNotifiedOfLowPowerMode() async throws {
        try await AppAgent.run { agent in
            try await agent.apply([.setting(.lowPowerModeSet(isOn: true))])
            let short = try await Self.registered(agent)
            #expect(short.powerConstrained)
            try await agent.apply([.setting(.lowPowerModeSet(isOn: false))])
            let enough = try await Self.registered(agent)
            #expect(!enough.powerConstrained)
        }
    }

    @Test func notificationsArriveAfterAirplaneMode() async throws {
        try await AppAgent.run { agent in
            let client = GatewayClient(
                agent.gateway.http,
                service: agent.gateway.ready.service,
                courier: agent.gateway.ready.courier
            )
            let token = try #require(try await agent.client.devices()[0].token)
            try await agent.apply([.setting(.airplaneModeSet(isOn: true))])
            try await waitUntil("the device is offline") { try await !agent.client.devices()[0].isConnected }
            let receipt = try await client.send(AgentProcessTests.line(token, AgentProcessTests.id))
            #expect(receipt.accepted == 1)
            let none = try await agent.client.notifications(of: AppAgent.device)
            #expect(none.isEmpty)
            try await agent.apply([.setting(.airplaneModeSet(isOn: false))])
            let status = try await client.settledStatus(of: receipt.id, within: 60)
            #expect(status.states == [.acknowledged: 1])
        }
    }

    @Test(arguments: ["scenes", "scenes/crusty/activate", "open", "shortcutItems/call/perform"])
    func lockedDeviceBringsNoSceneToTheFrontForTheUser(_ path: String) async throws {
        try await AppAgent.run { agent in
            try await agent.apply([.setting(.lockSet(isOn: true))])
            let error = await #expect(throws: CallError.self) {
                try await agent.control.send(
                    .post,
                    "\(agent.path)/apps/\(AppAgent.clowns)/\(path)",
                    body: SceneRequest()
                )
            }
            #expect(error?.code == "locked")
        }
    }

    @Test func appOnALockedDeviceMayRequestAScene() async throws {
        try await AppAgent.run { agent in
            try await agent.apply([.setting(.lockSet(isOn: true))])
            let length = try await agent.client.journalLength(of: AppAgent.device)
            let app = try await agent.calls(of: AppAgent.clowns)
            try await app.send(.post, "/v1/app/scenes/crusty/activate", body: SceneRequest())
            let event = DeviceEvent.scene(.sceneBroughtForward(AppAgent.clowns, "crusty", nil))
            let refused = try await agent.client.apply(event, to: AppAgent.device)
            #expect(refused.effects.count == 1)
            guard case .system(.eventIgnored(let ignored))? = refused.effects.first else {
                _ = Issue.record("\(refused)")
                return
            }
            #expect(ignored.reason == .locked)
            // Only the request of the app is in the journal.
            let entryCount = try await agent.client.journalLength(of: AppAgent.device) - length
            #expect(entryCount == 1)
        }
    }

    @Test func deviceCanBeSnapshotRestoredAndReset() async throws {
        try await AppAgent.run { agent in
            try await agent.apply(AppAgent.scenario)
            let noted: SnapshotRequest = try await agent.control.post(
                agent.path + "/snapshots",
                SnapshotRequest(name: "told")
            )
            #expect(noted.name == "told")
            try await agent.apply([.sharing(.linkRemoved(url: AppAgent.url))])
            let total1 = try await agent.client.shelf(of: AppAgent.tv, on: AppAgent.device).total
            #expect(total1 == 0)
            let _: DeviceDescription = try await agent.control.post(
                agent.path + "/reset",
                DeviceReset(snapshot: "told")
            )
            let total2 = try await agent.client.shelf(of: AppAgent.tv, on: AppAgent.device).total
            #expect(total2 == 1)
            let anew: DeviceDescription = try await agent.control.post(agent.path + "/reset", DeviceReset())
            #expect(anew.apps.map(\.bundleIdentifier) == [AppAgent.clowns, AppAgent.tv])
            let total3 = try await agent.client.shelf(of: AppAgent.tv, on: AppAgent.device).total
            #expect(total3 == 0)
            let names: [String] = try await agent.control.get(agent.path + "/snapshots")
            #expect(names == ["told"])
        }
    }

    @Test func forkIsASeparateDeviceThatSurvivesARestart() async throws {
        let folder = try ScratchFolder()
        try await RunningGateway.run { gateway in
            try await AppAgent.run(in: folder, of: gateway) { agent in
                try await agent.apply(AppAgent.scenario)
                let copy: DeviceStatus = try await agent.control.post(agent.path + "/fork", DeviceFork(name: "copy"))
                #expect(copy.name == "copy")
                let both: [DeviceStatus] = try await agent.control.get("/v1/devices?wait=2&timeout=60s")
                #expect(both.map(\.name) == [AppAgent.device, "copy"])
                // A change of one device does not affect the other.
                try await agent.apply([.sharing(.linkRemoved(url: AppAgent.url))])
                let total4 = try await agent.client.shelf(of: AppAgent.tv, on: AppAgent.device).total
                #expect(total4 == 0)
                let total5 = try await agent.client.shelf(of: AppAgent.tv, on: "copy").total
                #expect(total5 == 1)
                try await waitUntil("both devices are registered") {
                    try await agent.client.devices().allSatisfy { $0.token != nil }
                }
                let tokens = try await agent.client.devices().map(\.token)
                #expect(Set(tokens).count == 2)
                let refused = await #expect(throws: CallError.self) {
                    let _: DeviceStatus = try await agent.control.post(agent.path + "/fork", DeviceFork(name: "copy"))
                }
                guard case .refused(409, let refusal) = refused else {
                    _ = Issue.record("\(refused as Any)")
                    return
                }
                #expect(refusal.code == "deviceExists")
            }
            try await AppAgent.run(in: folder, of: gateway) { agent in
                let names = try await agent.client.devices().map(\.name)
                #expect(names == [AppAgent.device, "copy"])
                let total6 = try await agent.client.shelf(of: AppAgent.tv, on: "copy").total
                #expect(total6 == 1)
            }
        }
        withExtendedLifetime(folder) {}
    }

    @Test func manualClockAdvancesOnRequest() async throws {
        let clock = ManualClock(AgentSources.waiting.now())
        var sources = AgentSources.waiting
        sources.now = { clock.now }
        sources.manualClock = clock
        try await RunningGateway.run { [sources] gateway in
            try await AppAgent.run(of: gateway, sources: sources) { agent in
                try await agent.apply(AppAgent.scenario)
                let before: ClockReading = try await agent.control.get("/v1/clock")
                let after: ClockReading = try await agent.control.post(
                    "/v1/clock/advance",
                    ClockAdvance(by: 86_400_000)
                )
                #expect(after.clock == .manual)
                #expect(after.now.rawValue == before.now.rawValue + 86_400_000)
                try await agent.apply([
                    .notification(.notificationDelivered(.example)), .notification(.notificationOpened("n1")),
                ])
                let list = try await agent.client.notifications(of: AppAgent.device)
                #expect(list.first?.receivedAt == after.now)
                let refused = await #expect(throws: CallError.self) {
                    let _: ClockReading = try await agent.control.post(
                        "/v1/clock/advance",
                        ClockAdvance(to: before.now)
                    )
                }
                guard case .refused(400, let refusal) = refused else {
                    _ = Issue.record("\(refused as Any)")
                    return
                }
                #expect(refusal.code == "clockGoesBack")
            }
        }
    }

    @Test func bothAPIsListenOnUnixDomainSockets() async throws {
        let folder = try ScratchFolder()
        try await RunningGateway.run { gateway in
            var configuration = AgentConfiguration(
                devices: [ConfiguredDevice(clownTown)],
                service: gateway.ready.service,
                courier: gateway.ready.courier
            )
            configuration.control = .unix(path: folder.path(of: "control"))
            configuration.apps = .unix(path: folder.path(of: "apps"))
            for _ in 0..<2 {
                // The second time, the socket files of the first agent still exist.
                try await withAgent(configuration, sources: .waiting) { [configuration] ready in
                    let agent = AgentClient(gateway.http, control: ready.control)
                    let name = try #require(try await agent.devices().first?.name)
                    let credential = try await agent.credential(of: "com.example.clowntown", on: name)
                    let app = try await AppClient(gateway.http, credential).app()
                    #expect(app.bundleIdentifier == "com.example.clowntown")
                    // Another agent does not replace the sockets of a running one.
                    let taken = await #expect(throws: AgentStartError.self) {
                        try await withAgent(configuration, sources: .waiting) { _ in }
                    }
                    #expect(taken == .addressInUse([configuration.control]))
                }
            }
        }
        withExtendedLifetime(folder) {}
    }

    @Test(
        arguments: [
            ("127.0.0.1:7340", .loopback(ListenAddress("127.0.0.1", port: 7340))),
            ("[::1]:0", .loopback(ListenAddress("::1", port: 0))),
            ("localhost:1", .loopback(ListenAddress("localhost", port: 1))),
            ("unix:/run/agent.sock", .unix(path: "/run/agent.sock")),
            ("0.0.0.0:7340", nil), ("192.168.0.1:1", nil), ("127.0.0.1", nil), ("127.0.0.1:65536", nil), ("unix:", nil),
            ("127.0.0.1.example:1", nil), ("unix:/\(String(repeating: "x", count: 107))", nil), ("", nil),
        ] as [(String, AgentAddress?)]
    )
    func addressMustBeLocal(_ text: String, _ address: AgentAddress?) {
        #expect(AgentAddress(text) == address)
    }
}

extension DeliveredNotification {
    fileprivate static let example = DeliveredNotification(
        sequence: 1,
        id: "n1",
        token: "00",
        topic: "com.example.clowntown",
        pushType: .alert,
        priority: 10,
        payload: .object([:])
    )
}
