import GatewayTestSupport
import NIOHTTP1
import ServiceLifecycle
import Synchronization
import Testing
import WaypostSchema
import WaypostTestSupport

@testable import Gateway
@testable import GatewayStore

@Suite(.timeLimit(.minutes(5))) struct HealthTests {
    static let wrote = CommitReport(itemCount: 1, duration: .zero, hasWrites: true)

    static func failed(_ error: StoreError) -> CommitReport {
        CommitReport(itemCount: 1, duration: .zero, hasWrites: false, error: error)
    }

    /// The health of a gateway that accepts requests.
    static var well: GatewayHealth {
        var health = GatewayHealth(Set(GatewayListener.two))
        for listener in GatewayListener.two { health.recordListening(listener, at: nil) }
        return health
    }

    @Test(arguments: Engine.allCases) func runningGatewayIsAliveAndReady(_ engine: Engine) async throws {
        try await engine.run { gateway in
            let live = try await gateway.service(.GET, "/health/live")
            #expect(live.status == 200)
            #expect(
                try live.decoded()
                    == Health(
                        schema: 1,
                        store: engine.storeName,
                        version: ProgramVersion.current,
                        build: "debug",
                        courier: gateway.ready.courier,
                        providerPlaintext: gateway.ready.providerPlaintext,
                        openingSessions: 0,
                        endingSessions: 0
                    )
            )
            let ready = try await gateway.service(.GET, "/health/ready")
            #expect(ready.status == 200)
            let checks = ["gateway": "ok", "listeners": "ok", "store": "ok"]
            let courier = gateway.ready.courier
            #expect(
                try ready.decoded()
                    == Health(
                        schema: 1,
                        store: engine.storeName,
                        version: ProgramVersion.current,
                        build: "debug",
                        courier: courier,
                        providerPlaintext: gateway.ready.providerPlaintext,
                        checks: checks,
                        openingSessions: 0,
                        endingSessions: 0
                    )
            )
        }
    }

    @Test func gatewayIsNotReadyBeforeEveryListenerAccepts() {
        var health = GatewayHealth(Set(GatewayListener.two))
        #expect(!health.isReady)
        health.recordListening(.service, at: nil)
        #expect(!health.isReady)
        #expect(health.checks["listeners"] == "starting")
        health.recordListening(.courier, at: nil)
        #expect(health.isReady)
    }

    @Test func gatewayThatShutsDownIsNotReady() {
        var health = Self.well
        health.recordShuttingDown()
        #expect(!health.isReady)
        #expect(health.checks["gateway"] == "shuttingDown")
    }

    @Test func gatewayIsUnreadyBeforeItsServicesShutDown() async throws {
        let monitor = HealthMonitor(listeners: Set(GatewayListener.two))
        for listener in GatewayListener.two { monitor.recordListening(listener, at: nil) }
        let (started, start) = AsyncStream.makeStream(of: Void.self)
        let witness = ShutdownWitness(start: start) { monitor.current.isReady }
        let services = ServiceGroup(services: [witness, monitor], logger: .quiet)
        await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await services.run() }
            for await _ in started { await services.triggerGracefulShutdown() }
        }
        #expect(witness.findings.withLock { $0 } == [true, false])
    }

    @Test(arguments: [StoreError.full, .readOnly, .moved, .unavailable, .outcomeUnknown, .failed("disk I/O error")])
    func failedStoreIsNotReadyUntilAWriteSucceeds(_ fault: StoreError) {
        var health = Self.well
        let now = ContinuousClock.now
        health.record(Self.failed(fault), at: now)
        #expect(!health.isReady)
        #expect(health.checks["store"] == fault.name)
        health.record(CommitReport(itemCount: 1, duration: .zero, hasWrites: false), at: now)
        #expect(!health.isReady)
        health.record(Self.wrote, at: now)
        #expect(health.isReady)
    }

    @Test func failedStoreIsProbedEvery30Seconds() {
        var health = Self.well
        let failure = ContinuousClock.now
        #expect(!health.isProbeDue(at: failure + .seconds(1_000)))
        health.record(Self.failed(.full), at: failure)
        #expect(!health.isProbeDue(at: failure + .seconds(29)))
        #expect(health.isProbeDue(at: failure + .seconds(30)))
        health.record(Self.failed(.full), at: failure + .seconds(30))
        #expect(!health.isProbeDue(at: failure + .seconds(59)))
        health.record(Self.wrote, at: failure + .seconds(59))
        #expect(!health.isProbeDue(at: failure + .seconds(1_000)))
    }

    @Test func acknowledgementOnAFullDiskDoesNotMakeTheStoreReady() {
        var health = Self.well
        health.record(Self.failed(.full), at: .now)
        health.record(CommitReport(itemCount: 1, duration: .zero, hasWrites: true, hasRoom: false), at: .now)
        #expect(health.checks["store"] == "full")
        health.record(Self.wrote, at: .now)
        #expect(health.isReady)
    }

    @Test func fullDiskIsNoticedOnceUntilThereIsRoom() {
        var health = Self.well
        let now = ContinuousClock.now
        let notices = [
            Self.failed(.full), Self.failed(.full), Self.failed(.readOnly), Self.failed(.full), Self.wrote, Self.wrote,
        ].map { health.record($0, at: now) }
        #expect(notices == [.full, nil, nil, nil, .roomAgain, nil])
    }

    @Test func fullDiskIsNoticedOnceInAMinute() {
        var notices = FullDiskNotices()
        let start = ContinuousClock.now
        let found = [(true, 0), (false, 1), (true, 2), (false, 3), (true, 59), (true, 60), (false, 61)]
            .map { notices.record(isFull: $0.0, at: start + .seconds($0.1)) }
        #expect(found == [.full, .roomAgain, nil, nil, nil, .full, .roomAgain])
    }

    @Test(arguments: [StoreError.busy, .overloaded]) func busyStoreIsReady(_ fault: StoreError) {
        var health = Self.well
        health.record(Self.failed(fault), at: .now)
        #expect(health.isReady)
    }

    @Test func successfulProbeRestoresReadiness() async throws {
        let folder = try ScratchFolder()
        let monitor = HealthMonitor(listeners: Set(GatewayListener.two))
        for listener in GatewayListener.two { monitor.recordListening(listener, at: nil) }
        let store = try SQLiteStore.open(in: folder.path(of: "data")) { monitor.record($0) }.store
        monitor.record(Self.failed(.full))
        #expect(!monitor.current.isReady)
        try await store.probe()
        #expect(monitor.current.isReady)
        #expect(store.waitingItems == 0)
        try store.close()
    }

    @Test func unreadyGatewayReportsTheFailedCheck() {
        var health = Self.well
        health.record(Self.failed(.full), at: .now)
        #expect(health.checks == ["gateway": "ok", "listeners": "ok", "store": "full"])
    }

    @Test(
        arguments: [
            (0, 0, nil), (100, 100, nil), (101, 0, "101 devices are connecting; each waits for its turn"),
            (0, 9_000, "9000 streams have closed and are being ended; each waits for its turn"),
            (
                8_000, 1_000,
                "8000 devices are connecting, 1000 streams have closed and are being ended; each waits for its turn"
            ),
        ] as [(Int, Int, String?)]
    )
    func backlogOfSessionsIsNamed(opening: Int, ending: Int, notice: String?) {
        #expect(SessionBacklog(openingCount: opening, endingCount: ending).notice == notice)
    }

    @Test(arguments: ["/health", "/health/live", "/health/ready"])
    func healthNeedsNoAdminToken(_ path: String) async throws {
        var configuration = GatewayConfiguration.forTests
        configuration.authentication = .token
        try await Engine.sqlite.run(configuration) { gateway in
            let (got, posted) = (try await gateway.service(.GET, path), try await gateway.service(.POST, path))
            #expect(got.status == 200)
            #expect(posted.status == 405)
        }
    }
}

/// A service that starts first, and records the readiness at start-up and at shutdown.
private final class ShutdownWitness: Service {
    let findings = Mutex<[Bool]>([])
    private let start: AsyncStream<Void>.Continuation
    private let look: @Sendable () -> Bool

    init(start: AsyncStream<Void>.Continuation, look: @escaping @Sendable () -> Bool) {
        self.start = start
        self.look = look
    }

    func run() async throws {
        note()
        start.yield()
        try await gracefulShutdown()
        note()
        start.finish()
    }

    private func note() {
        let finding = look()
        findings.withLock { $0.append(finding) }
    }
}

extension GatewayListener {
    /// The listeners that every gateway has.
    fileprivate static let two = [Self.service, .courier]
}
