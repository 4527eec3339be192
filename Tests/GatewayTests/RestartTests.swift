import Foundation
import Gateway
import GatewayTestSupport
import NIOHTTP1
import Testing
import WaypostSchema

@Suite(.timeLimit(.minutes(5))) struct RestartTests {
    @Test func onlyUnacknowledgedNotificationsAreDeliveredAfterARestart() async throws {
        let store = try ScratchStore()
        let (device, batch, expected) = try await store.run { gateway in
            let device = try await gateway.device()
            let receipt = try await gateway.send(String(repeating: line(device.token), count: 4))
            #expect(receipt.durability == .fsync)
            var stream = try await gateway.stream(device)
            let delivered = try await stream.next(4)
            #expect(try await gateway.acknowledge(.sequences([delivered[1].sequence]), device).acknowledged == 1)
            return (device, receipt.id, [delivered[0], delivered[2], delivered[3]])
        }
        try await store.run { gateway in
            #expect(try await gateway.status(of: batch).states == [.stored: 3, .acknowledged: 1])
            var stream = try await gateway.stream(device)
            #expect(try await stream.next(3) == expected)
            #expect(try await gateway.acknowledge(.upTo(.max), device).acknowledged == 3)
            #expect(try await gateway.settledStatus(of: batch).states == [.acknowledged: 4])
            #expect(try await gateway.inbox(of: device).isEmpty)
        }
    }

    @Test func devicesAppsAndIdempotencyKeysSurviveARestart() async throws {
        let store = try ScratchStore()
        let key = [("idempotency-key", "k")]
        let (device, first) = try await store.run { gateway in
            let device = try await gateway.device()
            try await gateway.setPower(of: device.token, isLowPowerModeEnabled: true)
            _ = try await gateway.setStorage(.apns)
            let body = Array((line(device.token) + "nonsense").utf8)
            return (device, try await gateway.batch(body, query: "?results=all", headers: key).body)
        }
        // Only in tests, random numbers start over after a restart. Sequences and identifiers stay unique nevertheless.
        try await store.run { gateway in
            let registeredDevice: RegisteredDevice = try await gateway.get("/v1/devices/\(device.token)")
            #expect(registeredDevice.powerConstrained)
            #expect(registeredDevice.standing == .active)
            let apps: [AppSettings] = try await gateway.get("/v1/apps")
            #expect(apps.map(\.storage) == [.apns])
            let body = Array((line(device.token) + "nonsense").utf8)
            let second = try await gateway.batch(body, query: "?results=all", headers: key)
            #expect(second.headers.first(name: "idempotency-replayed") == "true")
            #expect(second.body == first)
        }
    }

    @Test func folderInUseCannotBeOpenedByAnotherGateway() async throws {
        let store = try ScratchStore()
        try await store.run { _ in
            let error = await #expect(throws: GatewayStartError.self) { try await store.run { _ in } }
            guard case .cannotOpenStore = error else {
                Issue.record("\(String(describing: error)) is not an error of the store")
                return
            }
        }
    }

    @Test func secretIsNotInTheStoreFiles() async throws {
        let store = try ScratchStore()
        // The usual test bytes are counted and could be in the files by chance; random bytes are not.
        var sources = GatewaySources.forTests()
        sources.randomBytes = { count in (0..<count).map { _ in UInt8.random(in: 0...255) } }
        let (device, contents) = try await store.run(sources: sources) { gateway in
            let device = try await gateway.device()
            try await gateway.send(line(device.token))
            return (device, try store.contents)
        }
        for files in [contents, try store.contents] {
            #expect(files.values.contains { !$0.isEmpty })
            for (name, bytes) in files {
                #expect(bytes.range(of: Data(device.secret.rawValue.utf8)) == nil, "\(name)")
            }
        }
    }
}
