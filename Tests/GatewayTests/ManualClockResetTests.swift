import GatewayStore
import GatewayTestSupport
import NIOCore
import StoreTestSupport
import Testing
import WaypostSchema

@testable import Gateway

/// Manual clocks that are read while their namespace is reset.
@Suite(.timeLimit(.minutes(5))) struct ManualClockResetTests {
    private static let namespace: Namespace = "run"
    private static let topic: Topic = "com.example.clowntown"
    private static let hour = 3_600_000

    /// Gateways with manual clocks on one store.
    private struct Setup: Sendable {
        let stores: [OracleStore]
        let gateways: [GatewayServices]

        init(gateways count: Int) {
            stores = OracleStore.open(handles: count)
            gateways = stores.map { GatewayServices.forTests($0, .forTests.withManualClock) }
        }

        /// Moves the clock forward by an hour.
        func advance() async throws {
            let advance = ClockAdvance(by: ManualClockResetTests.hour)
            _ = try await gateways[0].delivery.clocks.advance(ManualClockResetTests.namespace, advance)
        }

        /// Returns the time of the clock as a gateway last read it, in milliseconds since a clock of `forTests` starts.
        func lastReadTime(by gateway: Int) -> Int? {
            gateways[gateway].delivery.clocks.lastReadTime(in: ManualClockResetTests.namespace)
                .map { $0.rawValue - GatewaySources.forTests().now().rawValue }
        }
    }

    @Test func readFromBeforeAResetDoesNotExpireNotifications() async throws {
        let setup = Setup(gateways: 1)
        let services = setup.gateways[0]
        try await setup.advance()
        setup.stores[0].afterClockRead { try await services.namespaces.reset(Self.namespace) }
        _ = try await services.delivery.clocks.now(in: Self.namespace)
        #expect(setup.lastReadTime(by: 0) == nil)
        let received = try await Self.notificationsReceived(from: services)
        #expect(received == ["new"])
        #expect(setup.lastReadTime(by: 0) == 0)
    }

    /// Sends a new device a notification that expires within the hour, and returns what its stream gets in three steps.
    private static func notificationsReceived(from services: GatewayServices) async throws -> [NotificationID] {
        let registration = DeviceRegistration(name: "iPad", topics: [topic])
        let device = try await services.devices.register(registration, in: namespace)
        let session = try await services.delivery.openSession(with: device.secret)
        let isOpen = services.delivery.openStream(session, after: 0, at: .now()) { _ in }
        try #require(isOpen)
        let notification = NewNotification(
            id: "new",
            token: device.token,
            topic: topic,
            expiration: GatewaySources.forTests().now().seconds + 60,
            payload: Array("{}".utf8)
        )
        _ = try await services.delivery.append(NewBatch(id: "b", namespace: namespace, notifications: [notification]))
        var received: [NotificationID] = []
        for _ in 0..<3 {
            switch services.delivery.next(session.agent, session.epoch, at: .now()) {
            case .send(let notifications): received += notifications.map(\.notification.id)
            case .read(let request):
                let page = try await services.delivery.page(request, for: session.agent, session.epoch, at: .now())
                received += page.map(\.notification.id)
            case .wait, nil: break
            }
        }
        return received
    }

    @Test func readFromBeforeAResetAtAnotherGatewayDoesNotCount() async throws {
        let setup = Setup(gateways: 2)
        let (here, there) = (setup.gateways[0], setup.gateways[1])
        try await setup.advance()
        setup.stores[1].afterClockRead {
            try await here.namespaces.reset(Self.namespace)
            await there.receive(.reset(Self.namespace))
        }
        _ = try await there.delivery.clocks.now(in: Self.namespace)
        #expect(setup.lastReadTime(by: 1) == nil)
        _ = try await here.namespaces.startedClock(of: Self.namespace)
        await there.receive(.clockMoved(Self.namespace))
        #expect(setup.lastReadTime(by: 1) == 0)
    }

    /// The event about the reset may be late.
    @Test func clockIsReadAfterAnEventAboutAReset() async throws {
        let setup = Setup(gateways: 2)
        let (here, there) = (setup.gateways[0], setup.gateways[1])
        try await setup.advance()
        _ = try await there.delivery.clocks.now(in: Self.namespace)
        try await here.namespaces.reset(Self.namespace)
        _ = try await here.namespaces.startedClock(of: Self.namespace)
        _ = try await there.delivery.clocks.now(in: Self.namespace)
        await there.receive(.reset(Self.namespace))
        #expect(setup.lastReadTime(by: 1) == 0)
    }

    @Test(arguments: [true, false]) func lostEventAboutAResetIsNoticedAfterAGap(_ isCreatedAgain: Bool) async throws {
        let setup = Setup(gateways: 2)
        let (here, there) = (setup.gateways[0], setup.gateways[1])
        try await setup.advance()
        _ = try await there.delivery.clocks.now(in: Self.namespace)
        #expect(setup.lastReadTime(by: 1) == Self.hour)
        try await here.namespaces.reset(Self.namespace)
        if isCreatedAgain { _ = try await here.namespaces.startedClock(of: Self.namespace) }
        await there.receive(.gap)
        #expect(setup.lastReadTime(by: 1) == (isCreatedAgain ? 0 : nil))
    }

    @Test func advanceDuringTheReadOfAResetCounts() async throws {
        let setup = Setup(gateways: 1)
        let (services, store) = (setup.gateways[0], setup.stores[0])
        try await setup.advance()
        try await setup.advance()
        store.afterReset {
            _ = try await services.namespaces.startedClock(of: Self.namespace)
            // The next read is that of the reset.
            store.afterClockRead { try await setup.advance() }
        }
        try await services.namespaces.reset(Self.namespace)
        #expect(setup.lastReadTime(by: 0) == Self.hour)
    }

    @Test func advanceDuringTheReadAfterAGapCounts() async throws {
        let setup = Setup(gateways: 1)
        try await setup.advance()
        setup.stores[0].afterClockRead { try await setup.advance() }
        await setup.gateways[0].receive(.gap)
        #expect(setup.lastReadTime(by: 0) == 2 * Self.hour)
    }

    /// Its result does not count, but may be about the new clock.
    @Test func clockIsReadAgainAfterAReadFromBeforeAReset() async throws {
        let setup = Setup(gateways: 2)
        let (store, clocks) = (setup.stores[1], setup.gateways[0].delivery.clocks)
        try await setup.advance()
        store.afterClockRead {
            _ = try await store.reset(Self.namespace)
            clocks.forget(Self.namespace)
            _ = try await setup.gateways[1].namespaces.startedClock(of: Self.namespace)
        }
        _ = try await clocks.now(in: Self.namespace)
        #expect(setup.lastReadTime(by: 0) == 0)
    }
}
