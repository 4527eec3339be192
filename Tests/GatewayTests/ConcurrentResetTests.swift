import GatewayStore
import GatewayTestSupport
import NIOCore
import StoreTestSupport
import Synchronization
import Testing
import WaypostSchema

@testable import Gateway

/// The reset of a namespace that other requests create again before it returns.
@Suite(.timeLimit(.minutes(5))) struct ConcurrentResetTests {
    private static let namespace: Namespace = "run"
    private static let topic: Topic = "com.example.clowntown"

    /// A gateway's services, whose clock is moved by hand.
    private struct Setup: Sendable {
        let store = OracleStore.open(handles: 1)[0]
        let clock = MovingClock()
        let services: GatewayServices

        init() {
            var sources = GatewaySources.forTests()
            sources.now = clock.now
            services = GatewayServices.forTests(store, sources: sources)
        }

        /// Registers a device with a stream, and sends it a notification that expires after a minute.
        ///
        /// - Parameter id: The identifier of the notification.
        /// - Returns: The signals that the stream gets.
        /// - Throws: The error of the registration or of the stream.
        func connectDevice(sending id: NotificationID) async throws -> StreamSignals {
            let registration = DeviceRegistration(name: "iPad", topics: [ConcurrentResetTests.topic])
            let device = try await services.devices.register(registration, in: ConcurrentResetTests.namespace)
            let session = try await services.delivery.openSession(with: device.secret)
            let signals = StreamSignals()
            let isOpen = services.delivery.openStream(session, after: 0, at: .now()) { signals.add($0) }
            try #require(isOpen)
            let notification = NewNotification(
                id: id,
                token: device.token,
                topic: ConcurrentResetTests.topic,
                expiration: clock.now().seconds + 60,
                payload: Array("{}".utf8)
            )
            let batch = NewBatch(
                id: BatchID(rawValue: id.rawValue),
                namespace: ConcurrentResetTests.namespace,
                notifications: [notification]
            )
            _ = try await services.delivery.append(batch)
            return signals
        }

        /// Records a provider's request that is accepted.
        func recordRequest() {
            let response = ProviderResponse(
                outcome: .accepted(uniqueID: "1"),
                id: "1",
                target: SendTarget(token: "c0ffee", namespace: ConcurrentResetTests.namespace)
            )
            _ = services.senders.record(response, to: SentRequest(connectionNumber: 1, responseCountAtArrival: 0))
        }

        /// The number of requests in the report about senders.
        var requestCount: Int {
            services.senders.report(of: ConcurrentResetTests.namespace).requests
        }

        /// Lets a minute pass, and returns the state of a notification after the next sweep.
        func stateAfterAMinute(of id: NotificationID) async throws -> DeliveryState? {
            clock.advance(seconds: 61)
            await services.delivery.expireInAllNamespaces()
            return try await store.logEntry(of: id, in: ConcurrentResetTests.namespace)?.state
        }
    }

    /// The signals that a stream got.
    private final class StreamSignals: Sendable {
        private let signals = Mutex<[DeviceSession.Signal]>([])

        /// The reasons for which the stream was ended.
        var ends: [StreamEnd.Reason] {
            signals.withLock(\.self).compactMap { signal in
                if case .ended(let reason) = signal { reason } else { nil }
            }
        }

        func add(_ signal: DeviceSession.Signal) {
            signals.withLock { $0.append(signal) }
        }
    }

    @Test func devicesAndKeysThatAreAddedDuringAResetStay() async throws {
        let setup = Setup()
        let services = setup.services
        let (kept, removed) = (ProviderSigner("KEPT123456").key, ProviderSigner("GONE123456").key)
        for key in [kept, removed] { _ = try await services.keys.set(key, in: Self.namespace) }
        let signals = try await setup.connectDevice(sending: "before")
        let (newStreams, newStream) = AsyncStream.makeStream(of: StreamSignals.self)
        setup.store.afterReset {
            _ = try await services.keys.set(kept, in: Self.namespace)
            let signals = try await setup.connectDevice(sending: "after")
            newStream.yield(signals)
            newStream.finish()
        }
        try await services.namespaces.reset(Self.namespace)
        #expect(signals.ends == [.reset])
        for await signals in newStreams { #expect(signals.ends.isEmpty) }
        #expect(services.delivery.sessions.withLock(\.count) == 1)
        #expect(services.keys.keys.contains(kept))
        #expect(!services.keys.keys.contains(removed))
        let state = try await setup.stateAfterAMinute(of: "after")
        #expect(state == .expired)
    }

    @Test func logStreamsThatAreOpenedDuringAResetStay() async throws {
        let setup = Setup()
        let followers = setup.services.delivery.followers
        let earlier = followers.follow(Self.namespace)
        let (newFollowers, newFollower) = AsyncStream.makeStream(of: LogFollower.self)
        setup.store.afterReset {
            newFollower.yield(followers.follow(Self.namespace))
            newFollower.finish()
        }
        try await setup.services.namespaces.reset(Self.namespace)
        #expect(earlier.changes.end == .reset)
        for await follower in newFollowers { #expect(follower.changes.end == nil) }
    }

    /// The keys are never missing in memory, also not before the gateway reads them again.
    @Test func keyThatIsAddedDuringADeletionIsNotRemovedFromMemory() async throws {
        let services = Setup().services
        let (kept, removed) = (ProviderSigner("KEPT123456").key, ProviderSigner("GONE123456").key)
        for key in [kept, removed] { _ = try await services.keys.set(key, in: Self.namespace) }
        try await services.keys.keys.removeAll(in: Self.namespace) { () async throws(GatewayError) in
            _ = try await services.keys.set(kept, in: Self.namespace)
        }
        #expect(services.keys.keys.contains(kept))
        #expect(!services.keys.keys.contains(removed))
    }

    @Test func failedResetChangesNothing() async throws {
        let setup = Setup()
        let services = setup.services
        let key = ProviderSigner().key
        _ = try await services.keys.set(key, in: Self.namespace)
        let signals = try await setup.connectDevice(sending: "before")
        let follower = services.delivery.followers.follow(Self.namespace)
        setup.recordRequest()
        setup.store.fail(with: .readOnly)
        await #expect(throws: GatewayError.self) { try await services.namespaces.reset(Self.namespace) }
        setup.store.fail(with: nil)
        #expect(signals.ends.isEmpty)
        #expect(follower.changes.end == nil)
        #expect(setup.requestCount == 1)
        #expect(services.keys.keys.contains(key))
        let state = try await setup.stateAfterAMinute(of: "before")
        #expect(state == .expired)
    }
}
