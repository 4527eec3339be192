import GatewayStore
import NIOCore
import Synchronization
import Testing
import WaypostSchema

@testable import Gateway

/// Tests of connections that close while their session is being opened.
@Suite struct AbandonedSessionTests {
    private static func register(_ services: GatewayServices) async throws -> DeviceCredential {
        let registration = DeviceRegistration(name: "iPad", topics: ["com.example.clowntown"])
        return try await services.devices.register(registration, in: .standard)
    }

    /// Otherwise, the stream would stay open although the store delivers to no session of the agent.
    @Test func streamOfTheEarlierSessionEnds() async throws {
        let services = try GatewayServices.forTests()
        let device = try await Self.register(services)
        let signals = Mutex<[DeviceSession.Signal]>([])
        let first = try await services.delivery.openSession(with: device.secret)
        #expect(
            services.delivery.openStream(first, after: 0, at: .now()) { signal in
                signals.withLock { $0.append(signal) }
            }
        )
        let second = try await services.delivery.openSession(with: device.secret)
        services.delivery.abandon(second)
        #expect(signals.withLock(\.self) == [.ended(.failed)])
    }

    @Test func earlierSessionThatIsBeingOpenedGetsNoStream() async throws {
        let services = try GatewayServices.forTests()
        let device = try await Self.register(services)
        let first = try await services.delivery.openSession(with: device.secret)
        let second = try await services.delivery.openSession(with: device.secret)
        services.delivery.abandon(second)
        #expect(!services.delivery.openStream(first, after: 0, at: .now()) { _ in })
        let third = try await services.delivery.openSession(with: device.secret)
        #expect(services.delivery.openStream(third, after: 0, at: .now()) { _ in })
    }
}

/// Tests of the order of reads that replace a copy.
@Suite struct ReloadOrderTests {
    @Test func readThatEndsAfterALaterOneIsNotUsed() {
        var order = ReloadOrder()
        let (first, second) = (order.beginRead(), order.beginRead())
        let uses = [order.acceptRead(second), order.acceptRead(first), order.acceptRead(second)]
        #expect(uses == [true, false, false])
    }

    @Test func readThatBeganBeforeAChangeIsNotUsed() {
        var order = ReloadOrder()
        let before = order.beginRead()
        order.recordChange()
        let after = order.beginRead()
        let uses = [order.acceptRead(before), order.acceptRead(after)]
        #expect(uses == [false, true])
    }
}
