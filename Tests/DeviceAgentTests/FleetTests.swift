import DeviceAgent
import Foundation
import Gateway
import GatewayClient
import GatewayTestSupport
import Testing
import WaypostSchema
import WaypostTestSupport

/// The devices of one agent: those of its files, those that are added over the API, and the stored ones.
@Suite(.timeLimit(.minutes(5))) struct FleetTests {
    private static let app = AppDescription(
        bundleIdentifier: "com.example.clowntown",
        scenes: [SceneSession(persistentIdentifier: "all")]
    )

    private static func device(_ name: String) -> DeviceDescription {
        DeviceDescription(name: name, apps: [app])
    }

    /// Runs an agent that starts with the devices `names`.
    private static func run<Value: Sendable>(
        _ names: [String] = [],
        of gateway: RunningGateway,
        in folder: ScratchFolder? = nil,
        namespace: Namespace? = nil,
        _ body: @escaping @Sendable (AgentClient) async throws -> Value
    ) async throws -> Value {
        var configuration = AgentConfiguration(
            devices: names.map { ConfiguredDevice(device($0)) },
            service: gateway.ready.service,
            courier: gateway.ready.courier
        )
        configuration.data = folder?.path(of: "devices of the agent")
        configuration.namespace = namespace
        return try await withAgent(configuration, sources: .waiting) { ready in
            try await body(AgentClient(gateway.http, control: ready.control))
        }
    }

    /// A gateway whose tokens differ, even after it has forgotten its devices.
    private static func withGateway(_ body: @escaping @Sendable (RunningGateway) async throws -> Void) async throws {
        var sources = GatewaySources.forTests()
        sources.randomBytes = { count in (0..<count).map { _ in UInt8.random(in: 0...255) } }
        try await RunningGateway.run(sources: sources, body)
    }

    private static func refusal(_ work: () async throws -> Void) async -> APIError? {
        let error = await #expect(throws: CallError.self) { try await work() }
        guard case .refused(_, let refusal) = error else { return nil }
        return refusal
    }

    @Test func agentWithoutADeviceIsReadyAndTakesDevices() async throws {
        try await Self.withGateway { gateway in
            try await Self.run(of: gateway) { agent in
                let none = try await agent.devices()
                #expect(none.isEmpty)
                let created = try await agent.create(DeviceCreation(device: Self.device("iPad {n}"), count: 3))
                #expect(created.map(\.name) == ["iPad 1", "iPad 2", "iPad 3"])
                let one = try await agent.create(DeviceCreation(device: Self.device("Mac")))
                #expect(one.map(\.name) == ["Mac"])
                let connected = try await agent.connectedDevices(atLeast: 4)
                #expect(connected.map(\.name) == ["iPad 1", "iPad 2", "iPad 3", "Mac"])
                #expect(Set(connected.map(\.token)).count == 4)
            }
        }
    }

    @Test func everyDeviceAcknowledgesItsNotification() async throws {
        // One more than the number of connections that an HTTP client keeps to one host by default, twice.
        let count = 17
        try await Self.withGateway { gateway in
            let client = GatewayClient(gateway.http, service: gateway.ready.service, courier: gateway.ready.courier)
            try await Self.run(of: gateway) { agent in
                _ = try await agent.create(DeviceCreation(device: Self.device("iPad {n}"), count: count))
                let devices = try await agent.connectedDevices(atLeast: count)
                let lines = try devices.enumerated().map { index, device in
                    let token = try #require(device.token)
                    return String(
                        decoding: AgentProcessTests.line(token, "00000000-0000-0000-0000-\(100_000_000_000 + index)"),
                        as: UTF8.self
                    )
                }
                let receipt = try await client.send(Array(lines.joined(separator: "\n").utf8))
                let status = try await client.settledStatus(of: receipt.id, within: 60)
                #expect(status.states == [.acknowledged: count])
            }
        }
    }

    @Test func removedDeviceIsUnregisteredAndItsNameIsFree() async throws {
        let folder = try ScratchFolder()
        try await Self.withGateway { gateway in
            let service = JSONCalls(gateway.http, base: gateway.ready.service)
            try await Self.run(["iPad", "Mac"], of: gateway, in: folder) { agent in
                let devices = try await agent.connectedDevices(atLeast: 2)
                let token = try #require(devices.last?.token)
                try await agent.remove("Mac")
                let left = try await agent.devices()
                #expect(left.map(\.name) == ["iPad"])
                let registered: RegisteredDevice = try await service.get("/v1/devices/\(token)")
                #expect(registered.standing == .unregistered)
                let refusal = await Self.refusal { _ = try await agent.notifications(of: "Mac") }
                #expect(refusal?.code == "unknownDevice")
                let again = try await agent.create(DeviceCreation(device: Self.device("Mac")))
                #expect(again.map(\.name) == ["Mac"])
                let connected = try await agent.connectedDevices(atLeast: 2)
                #expect(connected.last?.token != token)
                try await agent.remove("iPad")
            }
            let names = try await Self.run(of: gateway, in: folder) { agent in
                try await agent.connectedDevices(atLeast: 1).map(\.name)
            }
            #expect(names == ["Mac"])
        }
        withExtendedLifetime(folder) {}
    }

    @Test func storedDevicesAreThereAfterARestart() async throws {
        let folder = try ScratchFolder()
        try await Self.withGateway { gateway in
            let before = try await Self.run(["iPad"], of: gateway, in: folder) { agent in
                _ = try await agent.create(DeviceCreation(device: Self.device("Mac/{n}"), count: 2))
                _ = try await agent.apply(.sharing(.contactChanged(Contact(id: "a", handles: []))), to: "Mac/2")
                return try await agent.connectedDevices(atLeast: 3)
            }
            // The order of the files, then that of the stored devices.
            let after = try await Self.run(["Mac/2"], of: gateway, in: folder) { agent in
                let reaction = try await agent.apply(.sharing(.contactRemoved("a")), to: "Mac/2")
                #expect(!reaction.effects.contains { if case .system(.eventIgnored) = $0 { true } else { false } })
                return try await agent.connectedDevices(atLeast: 3)
            }
            #expect(after.map(\.name) == ["Mac/2", "iPad", "Mac/1"])
            #expect(Set(after.map(\.token)) == Set(before.map(\.token)))
        }
        withExtendedLifetime(folder) {}
    }

    @Test func copiesInTheFormerPlaceAreStillFound() async throws {
        let folder = try ScratchFolder()
        let files = FileManager.default
        try await Self.withGateway { gateway in
            let before = try await Self.run(["iPad"], of: gateway, in: folder) { agent in
                _ = try await agent.create(DeviceCreation(device: Self.device("copy")))
                return try await agent.connectedDevices(atLeast: 2)
            }
            let data = folder.path(of: "devices of the agent")
            try files.moveItem(atPath: data + "/devices", toPath: data + "/copies")
            let after = try await Self.run(["iPad"], of: gateway, in: folder) { agent in
                try await agent.connectedDevices(atLeast: 2)
            }
            #expect(after == before)
        }
        withExtendedLifetime(folder) {}
    }

    @Test func newDeviceHasNothingOfACopyThatWasNotCompleted() async throws {
        let folder = try ScratchFolder()
        try await Self.withGateway { gateway in
            try await Self.run(["iPad"], of: gateway, in: folder) { agent in
                _ = try await agent.apply(.sharing(.contactChanged(Contact(id: "a", handles: []))), to: "iPad")
            }
            let data = URL(filePath: folder.path(of: "devices of the agent"))
            let left = data.appending(path: "devices/copy")
            try FileManager.default.createDirectory(at: left, withIntermediateDirectories: true)
            try FileManager.default.copyItem(
                at: data.appending(path: "journal.jsonl"),
                to: left.appending(path: "journal.jsonl")
            )
            try await Self.run(of: gateway, in: folder) { agent in
                #expect(try await agent.devices().map(\.name) == ["iPad"])
                _ = try await agent.create(DeviceCreation(device: Self.device("copy")))
            }
            try await Self.run(of: gateway, in: folder) { agent in
                let contacts = try await agent.contacts(on: "copy")
                #expect(contacts.isEmpty)
            }
        }
        withExtendedLifetime(folder) {}
    }

    @Test func namespacesOfTwoAgentsAreSeparate() async throws {
        try await Self.withGateway { gateway in
            try await Self.run(["iPad"], of: gateway, namespace: "run-1") { agent in
                let token = try #require(try await agent.devices().first?.token)
                let path = "/v1/devices/\(token)"
                let mine = JSONCalls(gateway.http, base: gateway.ready.service, namespace: "run-1")
                let found: RegisteredDevice = try await mine.get(path)
                #expect(found.name == "iPad")
                let others = JSONCalls(gateway.http, base: gateway.ready.service)
                let refusal = await Self.refusal { let _: RegisteredDevice = try await others.get(path) }
                #expect(refusal?.code == "unknownDevice")
            }
        }
    }

    @Test(
        arguments: [
            (DeviceCreation(device: device("Mac"), count: 0), "'count': 0 is not a number from 1 to 10000"),
            (DeviceCreation(device: device("i{n}"), count: 10_001), "'count': 10001 is not a number from 1 to 10000"),
            (
                DeviceCreation(device: device("Mac"), count: 2),
                "'device.name': 2 devices need different names; write {n} for the number"
            ),
            (DeviceCreation(device: device("")), "'device.name': a device needs a name of 1 to 64 bytes"),
            (
                DeviceCreation(device: device(String(repeating: "M", count: 65))),
                "'device.name': a device needs a name of 1 to 64 bytes"
            ),
            (
                DeviceCreation(device: DeviceDescription(name: "Mac", apps: [app, app])),
                "'device': the app com.example.clowntown is listed twice"
            ),
            (
                DeviceCreation(
                    device: DeviceDescription(
                        name: "Mac",
                        apps: [],
                        associatedDomainsDevelopment: ["a.example": "ftp://localhost"]
                    )
                ),
                "'device.associatedDomainsDevelopment.a.example': 'ftp://localhost' cannot be a development server: it "
                    + "is not a URL such as https://localhost:8443"
            ),
            (DeviceCreation(device: device("i{n}d"), count: 3), "there is already a device 'i2d'; choose another name"),
        ]
    ) func refusedCreationNamesTheProblemAndAddsNoDevice(_ creation: DeviceCreation, _ message: String) async throws {
        try await Self.withGateway { gateway in
            try await Self.run(["i2d"], of: gateway) { agent in
                let refusal = await Self.refusal { _ = try await agent.create(creation) }
                #expect(refusal?.message == message)
                let devices = try await agent.devices()
                #expect(devices.map(\.name) == ["i2d"])
            }
        }
    }
}
