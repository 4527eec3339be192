import GatewayTestSupport
import NIOHTTP1
import Testing
import WaypostSchema

@Suite(.timeLimit(.minutes(5))) struct TransientNotificationTests {
    static func item(_ token: DeviceToken) -> String {
        line(token, #""expiration":0,"#)
    }

    @Test(arguments: Engine.allCases) func connectedDeviceReceivesIt(_ engine: Engine) async throws {
        try await engine.run { gateway in
            let device = try await gateway.device()
            var stream = try await gateway.stream(device)
            let receipt = try await gateway.send(Self.item(device.token) + Self.item(device.token))
            let delivered = try await stream.next(2)
            #expect(delivered.map(\.expiration) == [0, 0])
            #expect(delivered[0].sequence < delivered[1].sequence)
            #expect(try await gateway.status(of: receipt.id).states == [.sent: 2])
            let first = Acknowledgement.sequences([delivered[0].sequence])
            #expect(try await gateway.acknowledge(first, device).acknowledged == 1)
            #expect(try await gateway.acknowledge(first, device).acknowledged == 0)
            #expect(try await gateway.status(of: receipt.id).states == [.sent: 1, .acknowledged: 1])
            #expect(try await gateway.acknowledge(.upTo(delivered[1].sequence), device).acknowledged == 1)
            #expect(try await gateway.settledStatus(of: receipt.id).states == [.acknowledged: 2])
        }
    }

    @Test(arguments: Engine.allCases) func unacknowledgedNotificationIsDroppedWhenItsStreamCloses(
        _ engine: Engine
    ) async throws {
        try await engine.run { gateway in
            let device = try await gateway.device()
            let receipt = try await Self.deliver(Self.item(device.token) + line(device.token), 2, device, gateway)
            try await gateway.wait(for: [.dropped: 1, .stored: 1], of: receipt.id)
            #expect(try await gateway.inbox(of: device).map(\.expiration) == [nil])
        }
    }

    /// Sends `items` to a device, which receives `count` notifications, acknowledges none and closes its stream.
    static func deliver(
        _ items: String,
        _ count: Int,
        _ device: DeviceCredential,
        _ gateway: RunningGateway
    ) async throws -> BatchReceipt {
        var stream = try await gateway.stream(device)
        let receipt = try await gateway.send(items)
        #expect(try await stream.next(count).count == count)
        return receipt
    }

    @Test(arguments: Engine.allCases) func replacementStreamReceivesItAgain(_ engine: Engine) async throws {
        try await engine.run { gateway in
            let device = try await gateway.device()
            var first = try await gateway.stream(device)
            let receipt = try await gateway.send(Self.item(device.token))
            let delivered = try await first.next()
            var second = try await gateway.stream(device)
            #expect(try await first.next().isEmpty)
            #expect(try await second.next() == delivered)
            #expect(try await gateway.acknowledge(.upTo(.max), device).acknowledged == 1)
            #expect(try await gateway.settledStatus(of: receipt.id).states == [.acknowledged: 1])
        }
    }

    @Test(arguments: Engine.allCases) func disconnectedDeviceNeverReceivesIt(_ engine: Engine) async throws {
        try await engine.run { gateway in
            let device = try await gateway.device()
            let other = try await gateway.device()
            let stream = try await gateway.stream(other)
            let receipt = try await gateway.send(Self.item(device.token))
            #expect(try await gateway.settledStatus(of: receipt.id).states == [.dropped: 1])
            #expect(try await gateway.inbox(of: device).isEmpty)
            withExtendedLifetime(stream) {}
        }
    }

    @Test(arguments: Engine.allCases, ["", "topics", "standing", "rotation"])
    func notificationEndsAsUnregisteredIfItsDeviceNoLongerAcceptsIt(_ engine: Engine, _ change: String) async throws {
        try await engine.run { gateway in
            let device = try await gateway.device()
            var stream = try await gateway.stream(device)
            let receipt = try await gateway.send(Self.item(device.token))
            #expect(try await stream.next().count == 1)
            let path = "/v1/devices/\(device.token)"
            switch change {
            case "topics": _ = try await gateway.service(.PUT, path + "/topics", DeviceTopics(topics: []))
            case "standing":
                _ = try await gateway.service(.PUT, path + "/standing", TokenStandingChange(standing: .expired))
            case "rotation": _ = try await gateway.service(.POST, path + "/rotation", TokenRotation())
            default: _ = try await gateway.service(.DELETE, path)
            }
            #expect(try await gateway.settledStatus(of: receipt.id).states == [.unregistered: 1])
            #expect(try await gateway.acknowledge(.upTo(.max), device).acknowledged == 0)
        }
    }

    @Test func shutdownDropsUnacknowledgedNotifications() async throws {
        let store = try ScratchStore()
        let (device, batch) = try await store.run { gateway in
            let device = try await gateway.device()
            var stream = try await gateway.stream(device)
            let receipt = try await gateway.send(Self.item(device.token))
            #expect(try await stream.next().count == 1)
            return (device, receipt.id)
        }
        try await store.run { gateway in
            let status = try await gateway.status(of: batch)
            #expect(status.states == [.dropped: 1])
            #expect(try await gateway.inbox(of: device).isEmpty)
        }
    }
}
