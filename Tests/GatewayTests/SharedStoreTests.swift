import GatewayStore
import GatewayTestSupport
import NIOCore
import NIOHPACK
import NIOHTTP1
import StoreTestSupport
import Synchronization
import Testing
import WaypostSchema
import WaypostTestSupport

@testable import Gateway

/// Tests of two gateways on one store, whose events are late, repeated and lost: each sees what the other does.
@Suite(.timeLimit(.minutes(5))) struct SharedStoreTests {
    /// Runs two gateways on one store.
    private static func run(
        seed: UInt64 = 1,
        losing: Bool = true,
        _ configuration: GatewayConfiguration = .forTests,
        _ body: @escaping @Sendable (RunningGateway, RunningGateway) async throws -> Void
    ) async throws {
        let stores = OracleStore.open(handles: 2, delivering: .mixed(seed: seed, losing: losing))
        try await RunningGateway.run(configuration, sources: .forTests(), store: stores[0]) { first in
            let sources = GatewaySources.forTests(from: 1_000_000)
            try await RunningGateway.run(configuration, sources: sources, store: stores[1]) { second in
                try await body(first, second)
            }
        }
    }

    @Test(arguments: Trials.seeds(6))
    func deviceReceivesInOrderWhatBothGatewaysAccept(_ seed: UInt64) async throws {
        try await Self.run(seed: seed) { here, there in
            let device = try await here.device()
            var stream = try await there.stream(device)
            var receipts: [BatchReceipt] = []
            for batch in 0..<20 {
                let numbers = (1...5).map { 5 * batch + $0 }
                let gateway = batch.isMultiple(of: 2) ? here : there
                receipts.append(try await gateway.send(numbers.map { line($0, device.token) }.joined()))
            }
            let received = try await stream.next(100)
            #expect(received.map(\.id) == (1...100).map(NotificationID.numbered))
            _ = try await there.acknowledge(.sequences(received.map(\.sequence)), device)
            for receipt in receipts {
                let status: BatchStatus = try await here.get("/v1/batches/\(receipt.id)?wait=settled&timeout=60s")
                #expect(status.states == [.acknowledged: 5])
            }
        }
    }

    @Test(arguments: Trials.seeds(4))
    func transientNotificationReachesADeviceAtTheOtherGateway(_ seed: UInt64) async throws {
        try await Self.run(seed: seed) { here, there in
            let device = try await here.device()
            var stream = try await there.stream(device)
            let receipt = try await here.send(line(1, device.token, #""expiration":0,"#))
            let received = try await stream.next()
            #expect(received.map(\.id) == [.numbered(1)])
            _ = try await there.acknowledge(.sequences(received.map(\.sequence)), device)
            let status: BatchStatus = try await here.get("/v1/batches/\(receipt.id)?wait=settled&timeout=60s")
            #expect(status.states == [.acknowledged: 1])
        }
    }

    @Test(arguments: Trials.seeds(4))
    func acknowledgementAtTheOtherGatewayCoversWhatTheStreamHasSent(_ seed: UInt64) async throws {
        try await Self.run(seed: seed) { here, there in
            let device = try await here.device()
            var stream = try await there.stream(device)
            let lines = line(1, device.token) + line(2, device.token, #""expiration":0,"#) + line(3, device.token)
            let receipt = try await here.send(lines)
            let received = try await stream.next(3)
            #expect(try await here.acknowledge(.upTo(received[1].sequence), device).acknowledged == 2)
            #expect(try await here.acknowledge(.upTo(received[1].sequence), device).acknowledged == 0)
            #expect(try await here.acknowledge(.sequences([received[2].sequence]), device).acknowledged == 1)
            let status: BatchStatus = try await here.get("/v1/batches/\(receipt.id)?wait=settled&timeout=60s")
            #expect(status.states == [.acknowledged: 3])
        }
    }

    @Test func transientNotificationIsAcknowledgedAtTheOtherGateway() async throws {
        try await Self.run { here, there in
            let device = try await here.device()
            var stream = try await there.stream(device)
            let receipt = try await here.send(line(1, device.token, #""expiration":0,"#))
            let received = try await stream.next()
            #expect(try await here.acknowledge(.sequences(received.map(\.sequence)), device).acknowledged == 1)
            let status: BatchStatus = try await here.get("/v1/batches/\(receipt.id)?wait=settled&timeout=60s")
            #expect(status.states == [.acknowledged: 1])
        }
    }

    @Test func healthAndMetricsShowTheGateways() async throws {
        try await Self.run { here, there in
            var health: Health
            repeat { health = try await there.get("/health") } while health.gateways?.count != 2
            let gateways = try #require(health.gateways)
            #expect(gateways.map(\.isSelf) == [false, true])
            #expect(gateways.map(\.leads) == [true, false])
            try await here.send(line(1, try await here.device().token))
            let (first, second) = (try await here.scrape(), try await there.scrape())
            #expect(first.families["waypost_inbox_notifications"]?.samples.map(\.value) == [1])
            #expect(second.families["waypost_inbox_notifications"]?.samples.isEmpty ?? true)
            #expect(second.families["waypost_gateways"]?.samples.map(\.value) == [2])
        }
    }

    @Test func gatewayThatWasTakenForDeadEndsItsStreams() async throws {
        let store = OracleStore.open(handles: 2)[0]
        let services = GatewayServices.forTests(store)
        let registration = DeviceRegistration(name: "iPad", topics: ["com.example.clowntown"])
        let device = try await services.devices.register(registration, in: .standard)
        let session = try await services.delivery.openSession(with: device.secret)
        let signals = Mutex<[DeviceSession.Signal]>([])
        _ = services.delivery.openStream(session, after: 0, at: .now()) { signal in
            signals.withLock { $0.append(signal) }
        }
        await services.receive(.expelled)
        #expect(signals.withLock(\.self).first == .ended(.failed))
    }

    @Test func waitAtOneGatewayEndsWithTheAcknowledgementAtTheOther() async throws {
        try await Self.run { here, there in
            let device = try await here.device()
            try await here.send(line(1, device.token))
            async let waiting: NotificationRecord = here.notification(.numbered(1), "?wait=acknowledged&timeout=60s")
            var stream = try await there.stream(device)
            let received = try await stream.next()
            _ = try await there.acknowledge(.sequences(received.map(\.sequence)), device)
            #expect(try await waiting.state == .acknowledged)
        }
    }

    @Test func followerAtOneGatewaySeesWhatHappensAtTheOther() async throws {
        try await Self.run(losing: false) { here, there in
            let device = try await here.device()
            var log = try await here.followLog()
            try await there.send(line(1, device.token))
            #expect(try await log.next(in: .stored)?.number == 1)
            var stream = try await there.stream(device)
            let received = try await stream.next()
            _ = try await there.acknowledge(.sequences(received.map(\.sequence)), device)
            #expect(try await log.next(in: .acknowledged)?.number == 1)
        }
    }

    @Test func deviceThatConnectsToTheOtherGatewayLosesItsFirstStream() async throws {
        try await Self.run(losing: false) { here, there in
            let device = try await here.device()
            var first = try await here.stream(device)
            var second = try await there.stream(device)
            // The first gateway ends its stream.
            #expect(try await first.next().isEmpty)
            try await here.send(line(1, device.token))
            #expect(try await second.next().map(\.id) == [.numbered(1)])
        }
    }

    @Test func faultIsInjectedOnceWhicheverGatewayIsAsked() async throws {
        try await Self.run(losing: false) { here, there in
            let device = try await here.device()
            let fault = SendFault(token: device.token, kind: .respond, times: 1, reason: .tooManyRequests)
            #expect(try await here.service(.POST, "/v1/faults", fault).status == 201)
            var client = try await ProviderClient(there)
            var statuses: [Int] = []
            let headers: HPACKHeaders = [
                ":method": "POST", ":scheme": "http", ":path": "/3/device/\(device.token)", "host": "localhost",
                "apns-topic": "com.example.clowntown", "apns-push-type": "alert",
            ]
            // The event about the fault may be late.
            while statuses.last != 429 {
                statuses.append(try await client.exchange(headers, body: Array(#"{"aps":{"alert":"x"}}"#.utf8)).status)
            }
            #expect(statuses.dropLast().allSatisfy { $0 == 200 })
            #expect(try await client.exchange(headers, body: Array(#"{"aps":{"alert":"x"}}"#.utf8)).status == 200)
            #expect(try await here.get("/v1/faults", as: [ScriptedFault].self).isEmpty)
            try await client.close()
        }
    }

    @Test func clockIsTheSameAtBothGateways() async throws {
        try await Self.run(.forTests.withManualClock) { here, there in
            let start: ClockReading = try await here.get("/v1/clock")
            let steps = [(here, 1_000), (there, 500), (here, 250)]
            for (gateway, step) in steps {
                _ = try await gateway.service(.POST, "/v1/clock/advance", ClockAdvance(by: step))
            }
            for gateway in [here, there] {
                let reading: ClockReading = try await gateway.get("/v1/clock")
                #expect(reading.now.rawValue == start.now.rawValue + 1_750)
            }
        }
    }

    @Test func batchThatIsPendingAtOneGatewayIsKnownAtTheOther() async throws {
        let stores = OracleStore.open(handles: 2)
        let (here, there) = (GatewayServices.forTests(stores[0]), GatewayServices.forTests(stores[1]))
        try await here.delivery.store.store.addPendingBatch("b", in: .standard)
        #expect(try await there.batches.status(of: "b", in: .standard).phase == .pending)
        let body = APIErrorBody(error: APIError(code: "overloaded", message: "later"))
        try await here.delivery.store.store.endPendingBatch("b", in: .standard, as: .refused(body))
        #expect(try await there.batches.status(of: "b", in: .standard).phase == .refused)
    }

    /// The store may have failed to record that the batch no longer waits.
    @Test func storedBatchIsNotPending() async throws {
        let services = GatewayServices.forTests(OracleStore.open(handles: 1)[0])
        let store = services.delivery.store.store
        try await store.addPendingBatch("b", in: .standard)
        _ = try await store.append(NewBatch(id: "b", notifications: []), at: Timestamp(milliseconds: 1))
        #expect(try await services.batches.status(of: "b", in: .standard).phase == .committed)
    }

    @Test func powerThatADeviceReportsAtTheOtherGatewayReleasesItsNotifications() async throws {
        try await Self.run(losing: false) { here, there in
            let device = try await here.device()
            try await here.setPower(of: device.token, isLowPowerModeEnabled: true)
            try await here.send(line(1, device.token, #""priority":5,"#) + line(2, device.token))
            var stream = try await here.stream(device)
            #expect(try await stream.next().map(\.id) == [.numbered(2)])
            try await there.setPower(of: device.token, isLowPowerModeEnabled: false)
            #expect(try await stream.next().map(\.id) == [.numbered(1)])
        }
    }

    @Test func transientNotificationOfADeviceThatIsUnregisteredElsewhereEnds() async throws {
        try await Self.run(losing: false) { here, there in
            let device = try await here.device()
            var stream = try await here.stream(device)
            let receipt = try await here.send(line(1, device.token, #""expiration":0,"#))
            #expect(try await stream.next().map(\.id) == [.numbered(1)])
            #expect(try await there.service(.DELETE, "/v1/devices/\(device.token)").status == 204)
            let status: BatchStatus = try await here.get("/v1/batches/\(receipt.id)?wait=settled&timeout=60s")
            #expect(status.states == [.unregistered: 1])
        }
    }

    @Test func channelOfOneGatewayIsUsableAtTheOther() async throws {
        try await Self.run { here, there in
            var first = try await ChannelClient(here)
            let channel = try await first.create(policy: 1)
            var second = try await ChannelClient(there)
            #expect(try await second.send("message 1", to: channel).status == 200)
            try await first.close()
            try await second.close()
        }
    }

    @Test func resetAtOneGatewayEndsTheStreamsAtTheOther() async throws {
        try await Self.run(losing: false) { here, there in
            let device = try await here.device(in: "run")
            var stream = try await there.stream(device)
            #expect(try await here.service(.DELETE, "/v1/namespaces/run").status == 204)
            #expect(try await stream.next().isEmpty)
        }
    }

    @Test func revokedKeyIsRevokedAtTheOtherGateway() async throws {
        let stores = OracleStore.open(handles: 2)
        let (here, there) = (GatewayServices.forTests(stores[0]), GatewayServices.forTests(stores[1]))
        let key = ProviderSigner().key
        for event in [StoreEvent.keysChanged, .gap] {
            _ = try await here.keys.set(key, in: .standard)
            await there.receive(event)
            #expect(there.keys.keys.contains(key))
            try await here.keys.remove(key.id, in: .standard)
            await there.receive(event)
            #expect(!there.keys.keys.contains(key))
        }
    }

    /// After a loss, nothing says that another gateway has the session.
    @Test func streamWhoseSessionIsElsewhereEndsAfterAGap() async throws {
        let stores = OracleStore.open(handles: 2)
        let (here, there) = (GatewayServices.forTests(stores[0]), GatewayServices.forTests(stores[1]))
        let registration = DeviceRegistration(name: "iPad", topics: ["com.example.clowntown"])
        var opened: [DeviceCredential] = []
        let signals = Mutex<[String]>([])
        for name in ["stays", "moves"] {
            let device = try await here.devices.register(registration, in: .standard)
            opened.append(device)
            let session = try await here.delivery.openSession(with: device.secret)
            #expect(
                here.delivery.openStream(session, after: 0, at: .now()) { signal in
                    signals.withLock { $0.append("\(name) \(signal)") }
                }
            )
        }
        _ = try await there.delivery.openSession(with: opened[1].secret)
        await here.receive(.gap)
        #expect(
            signals.withLock(\.self).sorted() == ["moves ended(failed)", "moves somethingNew", "stays somethingNew"]
        )
    }

    /// The outcome of its opening may have been unknown.
    @Test(arguments: [StoreEvent.gap, .behind([:])])
    func sessionThatHasNoStreamIsClosed(_ event: StoreEvent) async throws {
        let store = OracleStore.open(handles: 2)[0]
        let services = GatewayServices.forTests(store)
        let registration = DeviceRegistration(name: "iPad", topics: ["com.example.clowntown"])
        var agents: [AgentID] = []
        for _ in 0..<3 {
            let device = try await services.devices.register(registration, in: .standard)
            agents.append(try await services.delivery.agent(with: device.secret))
            switch agents.count {
            case 1: _ = try await store.openSession(agents[0])
            case 2: _ = try await services.delivery.openSession(with: device.secret)
            default:
                let session = try await services.delivery.openSession(with: device.secret)
                #expect(services.delivery.openStream(session, after: 0, at: .now()) { _ in })
            }
        }
        await services.receive(event)
        // Until the store has closed the session, a further event does not close it again.
        await services.receive(event)
        #expect(services.delivery.followUps.sessionCount == 1)
        #expect(Array(services.delivery.followUps.closingSessions.keys) == [agents[0]])
        let ending = Task { try await FollowUpService(delivery: services.delivery).run() }
        ending.cancel()
        try await ending.value
        #expect(Set(try await store.ownSessions().keys) == Set(agents.dropFirst()))
    }

    /// The namespace may exist again when the event arrives.
    @Test func lateEventAboutAResetRemovesNoNewKeys() async throws {
        let stores = OracleStore.open(handles: 2)
        let (here, there) = (GatewayServices.forTests(stores[0]), GatewayServices.forTests(stores[1]))
        let key = ProviderSigner().key
        _ = try await here.keys.set(key, in: "run")
        await there.receive(.keysChanged)
        await there.receive(.reset("run"))
        #expect(there.keys.keys.contains(key))
    }
}

/// Tests of what the listeners answer if the store cannot be reached, or does not know what it has done.
@Suite(.timeLimit(.minutes(5))) struct StoreFailureTests {
    struct Answers: Sendable {
        let error: StoreError
        let code: APIError.Code
        let status: Int
        let provider: Int
    }

    static let answers = [
        Answers(error: .unavailable, code: "storeUnavailable", status: 503, provider: 503),
        Answers(error: .outcomeUnknown, code: "storeOutcomeUnknown", status: 500, provider: 500),
    ]

    @Test(arguments: answers) func everyListenerAnswersWithItsStatus(_ expected: Answers) async throws {
        let store = OracleStore.open(handles: 1)[0]
        try await RunningGateway.run(store: store) { gateway in
            let device = try await gateway.device()
            store.fail(with: expected.error)
            let batch = try await gateway.batch(Array(line(1, device.token).utf8))
            #expect(batch.status == expected.status)
            #expect(try batch.error.code == expected.code)
            let headers = [("authorization", "Bearer \(device.secret.rawValue)")]
            let stream = try await gateway.courier(.GET, "/v1/events", headers: headers)
            #expect(stream.status == expected.status)
            let acknowledgement = try await gateway.courier(
                .POST,
                "/v1/acks",
                headers: headers,
                body: Array(#"{"sequences":[1]}"#.utf8)
            )
            #expect(acknowledgement.status == expected.status)
            #expect(try acknowledgement.error.code == expected.code)
            var client = try await ProviderClient(gateway)
            let fields: HPACKHeaders = [
                ":method": "POST", ":scheme": "http", ":path": "/3/device/\(device.token)", "host": "localhost",
                "apns-topic": "com.example.clowntown", "apns-push-type": "alert",
            ]
            let answer = try await client.exchange(fields, body: Array(#"{"aps":{"alert":"x"}}"#.utf8))
            #expect(answer.status == expected.provider)
            try await client.close()
            store.fail(with: nil)
            #expect(try await gateway.batch(Array(line(2, device.token).utf8)).status == 200)
        }
    }
}
