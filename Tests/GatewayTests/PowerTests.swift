import GatewayTestSupport
import NIOHTTP1
import Testing
import WaypostSchema

@Suite(.timeLimit(.minutes(5))) struct PowerTests {
    /// Returns a notification whose payload contains its priority.
    static func item(_ token: DeviceToken, priority: Int) -> String {
        line(token, #""priority":\#(priority),"#, payload: #"{"p":\#(priority)}"#)
    }

    @Test(arguments: Engine.allCases) func lowPriorityNotificationsWaitUntilLowPowerModeEnds(
        _ engine: Engine
    ) async throws {
        try await engine.run { gateway in
            let device = try await gateway.device()
            #expect(try await gateway.setPower(of: device.token, isLowPowerModeEnabled: true).powerConstrained)
            let items = [5, 10, 1, 10].map { Self.item(device.token, priority: $0) }
            let receipt = try await gateway.send(items.joined())
            var stream = try await gateway.stream(device)
            let urgent = try await stream.next(2)
            #expect(urgent.map(\.priority) == [10, 10])
            #expect(try await gateway.status(of: receipt.id).states == [.sent: 2, .stored: 2])
            // The held-back notifications with lower sequences are not covered.
            #expect(try await gateway.acknowledge(.upTo(urgent[1].sequence), device).acknowledged == 2)
            #expect(try await !gateway.setPower(of: device.token, isLowPowerModeEnabled: false).powerConstrained)
            let released = try await stream.next(2)
            #expect(released.map(\.priority) == [5, 1])
            #expect(try await gateway.acknowledge(.upTo(.max), device).acknowledged == 2)
            #expect(try await gateway.settledStatus(of: receipt.id).states == [.acknowledged: 4])
        }
    }

    @Test(arguments: Engine.allCases) func sentNotificationsAreNotSentAgainWhenLowPowerModeEnds(
        _ engine: Engine
    ) async throws {
        try await engine.run { gateway in
            let device = try await gateway.device()
            try await gateway.setPower(of: device.token, isLowPowerModeEnabled: true)
            try await gateway.send([10, 5, 10].map { Self.item(device.token, priority: $0) }.joined())
            var stream = try await gateway.stream(device)
            let urgent = try await stream.next(2)
            try await gateway.setPower(of: device.token, isLowPowerModeEnabled: false)
            let released = try await stream.next()
            #expect(released.map(\.priority) == [5])
            #expect(released[0].sequence < urgent[1].sequence)
            try await gateway.send(Self.item(device.token, priority: 1))
            #expect(try await stream.next().map(\.priority) == [1])
        }
    }

    @Test(arguments: Engine.allCases) func otherDevicesOfAnAgentDoNotWait(_ engine: Engine) async throws {
        try await engine.run { gateway in
            let weak = try await gateway.device()
            let strong = try await gateway.device(secret: weak.secret)
            try await gateway.setPower(of: weak.token, isLowPowerModeEnabled: true)
            try await gateway.send(Self.item(weak.token, priority: 5) + Self.item(strong.token, priority: 5))
            var stream = try await gateway.stream(weak)
            #expect(try await stream.next().map(\.token) == [strong.token])
        }
    }

    @Test(arguments: Engine.allCases) func transientLowPriorityNotificationIsDroppedInLowPowerMode(
        _ engine: Engine
    ) async throws {
        try await engine.run { gateway in
            let device = try await gateway.device()
            try await gateway.setPower(of: device.token, isLowPowerModeEnabled: true)
            let stream = try await gateway.stream(device)
            let receipt = try await gateway.send(line(device.token, #""priority":5,"expiration":0,"#))
            #expect(try await gateway.settledStatus(of: receipt.id).states == [.dropped: 1])
            withExtendedLifetime(stream) {}
        }
    }

    @Test(arguments: Engine.allCases) func newTokenInheritsLowPowerMode(_ engine: Engine) async throws {
        try await engine.run { gateway in
            let device = try await gateway.device()
            try await gateway.setPower(of: device.token, isLowPowerModeEnabled: true)
            let path = "/v1/devices/\(device.token)/rotation"
            let registeredDevice = try await gateway.service(.POST, path, TokenRotation())
                .decoded(as: RegisteredDevice.self)
            #expect(registeredDevice.powerConstrained)
        }
    }
}
