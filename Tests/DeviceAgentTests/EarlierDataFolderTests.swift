import DeviceAgent
import Foundation
import Gateway
import GatewayClient
import GatewayTestSupport
import Testing
import WaypostSchema
import WaypostTestSupport

/// Data folders that an earlier version wrote (`Tests/Vectors/data-folders`).
///
/// The agent has the device iPad with three notifications and a snapshot, and a fork named copy. The gateway has
/// two more notifications for the iPad. The other gateway was killed, so a part of its folder is in the write-ahead log;
/// `killed-gateway-notifications.json` is its answer to `GET /v1/notifications` before that.
@Suite(.timeLimit(.minutes(5))) struct EarlierDataFolderTests {
    private let folder: ScratchFolder

    init() throws {
        folder = try ScratchFolder()
        for name in ["gateway", "killed-gateway", "agent"] {
            let vectors = Repository.vectors.appending(path: "data-folders/\(name)").path
            try FileManager.default.copyItem(atPath: vectors, toPath: folder.path(of: name))
        }
    }

    private var iPad: DeviceDescription {
        get throws {
            let data = try Data(contentsOf: URL(filePath: folder.path(of: "agent/described.json")))
            return try JSONDecoder().decode(DeviceDescription.self, from: data)
        }
    }

    @Test func folderOfAGatewayOpensWithItsNotifications() async throws {
        var configuration = GatewayConfiguration.forTests
        configuration.store = .sqlite(folder: folder.path(of: "gateway"))
        try await RunningGateway.run(configuration) { gateway in
            let page: NotificationPage = try await JSONCalls(gateway.http, base: gateway.ready.service)
                .get("/v1/notifications")
            let states: [DeliveryState] = [.acknowledged, .acknowledged, .acknowledged, .stored, .stored]
            #expect(page.notifications.map(\.state) == states)
        }
        withExtendedLifetime(folder) {}
    }

    @Test func folderOfAKilledGatewayOpensWithTheSameLog() async throws {
        var configuration = GatewayConfiguration.forTests
        configuration.store = .sqlite(folder: folder.path(of: "killed-gateway"))
        configuration.clock = .manual
        let answer = Repository.vectors.appending(path: "data-folders/killed-gateway-notifications.json")
        let before = try JSONDecoder().decode(NotificationPage.self, from: Data(contentsOf: answer))
        #expect(Set(before.notifications.map(\.state)).count == 5)
        try await RunningGateway.run(configuration) { gateway in
            var page: NotificationPage = try await JSONCalls(gateway.http, base: gateway.ready.service)
                .get("/v1/notifications?limit=1000")
            // The gateway finds more than it did then.
            for index in page.notifications.indices { page.notifications[index].findings = nil }
            #expect(page.notifications == before.notifications)
        }
        withExtendedLifetime(folder) {}
    }

    @Test func folderOfAnAgentOpensWithItsDevices() async throws {
        let device = try iPad
        let data = folder.path(of: "agent")
        try await RunningGateway.run { gateway in
            var configuration = AgentConfiguration(
                devices: [ConfiguredDevice(device)],
                service: gateway.ready.service,
                courier: gateway.ready.courier
            )
            configuration.data = data
            try await withAgent(configuration, sources: .waiting) { ready in
                let agent = AgentClient(gateway.http, control: ready.control)
                let names = try await agent.devices().map(\.name)
                #expect(names == ["iPad", "copy"])
                for name in ["iPad", "copy"] {
                    let ids = try await agent.notifications(of: name).map(\.id.rawValue)
                    #expect(ids.sorted() == (1...3).map { "00000000-0000-4000-8000-00000000000\($0)" })
                }
                _ = try await agent.apply(.system(.deviceRestored(snapshot: "start")), to: "iPad")
                let rest = try await agent.notifications(of: "iPad")
                #expect(rest.isEmpty)
            }
        }
        withExtendedLifetime(folder) {}
    }
}
