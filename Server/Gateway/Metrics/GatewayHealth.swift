internal import GatewayStore
internal import Hummingbird
internal import LocalService
internal import ServiceLifecycle
internal import Synchronization
internal import WaypostSchema

/// Whether a gateway can take what is sent to it, as a value.
struct GatewayHealth: Sendable {
    /// How long a store that failed is left alone: as long as those are told to wait whom it could not serve.
    private static let probeInterval = Duration.seconds(30)

    private let listeners: Set<GatewayListener>
    private var listening: Set<GatewayListener> = []
    private var storeError: StoreError?
    private var lastFailure: ContinuousClock.Instant?
    private var isShuttingDown = false

    /// Creates the health of a gateway that has `listeners`.
    init(_ listeners: Set<GatewayListener>) {
        self.listeners = listeners
    }

    /// Where the courier listener is; `nil` while it does not listen.
    private(set) var courier: String?

    /// Notes that a listener accepts connections at a URL.
    mutating func noteListening(_ listener: GatewayListener, at url: String?) {
        listening.insert(listener)
        if listener == .courier { courier = url }
    }

    /// Notes that the gateway was asked to shut down.
    mutating func noteShuttingDown() {
        isShuttingDown = true
    }

    /// Notes what became of a transaction: a store that failed is not well before it has written something.
    ///
    /// One that was busy or had too much to do is well all the same.
    mutating func note(_ commit: CommitReport, at moment: ContinuousClock.Instant) {
        switch commit.error {
        case .full, .readOnly, .failed:
            storeError = commit.error
            lastFailure = moment
        case .busy, .overloaded: break
        case nil: if commit.wrote { storeError = nil }
        }
    }

    /// Whether it is time to see whether a store that failed is well again.
    ///
    /// Who is not ready is sent nothing, so that nothing else may show it.
    func isProbeDue(at moment: ContinuousClock.Instant) -> Bool {
        guard storeError != nil, let lastFailure else { return false }
        return lastFailure.duration(to: moment) >= Self.probeInterval
    }

    /// What was looked at, and a word for each: `ok`, or what is not.
    var checks: [String: String] {
        [
            "gateway": isShuttingDown ? "shuttingDown" : Self.ok,
            "listeners": listening == listeners ? Self.ok : "starting",
            "store": storeError?.word ?? Self.ok,
        ]
    }

    /// Whether everything is well.
    var isReady: Bool {
        checks.values.allSatisfy { $0 == Self.ok }
    }

    private static let ok = "ok"
}

/// The health of a gateway that runs, for those who change it and those who ask.
///
/// Being the last service to start, it is the first to be told of a shutdown, and notes that.
final class HealthMonitor: Service {
    private let health: Mutex<GatewayHealth>

    /// Creates the health of a gateway that has `listeners`.
    init(listeners: Set<GatewayListener>) {
        health = Mutex(GatewayHealth(listeners))
    }

    /// What is known now.
    var present: GatewayHealth {
        health.withLock { $0 }
    }

    /// Notes that a listener accepts connections at a URL.
    func noteListening(_ listener: GatewayListener, at url: String?) {
        health.withLock { $0.noteListening(listener, at: url) }
    }

    /// Notes what became of a transaction.
    func note(_ commit: CommitReport) {
        let now = ContinuousClock.now
        health.withLock { $0.note(commit, at: now) }
    }

    func run() async throws {
        try? await gracefulShutdown()
        health.withLock { $0.noteShuttingDown() }
    }
}

extension StoreError {
    /// The fault as one word, for labels and checks.
    var word: String {
        switch self {
        case .full: "full"
        case .readOnly: "readOnly"
        case .busy: "busy"
        case .overloaded: "overloaded"
        case .failed: "failed"
        }
    }
}

/// `/health`: whether the process answers, and whether it can take what is sent to it.
struct HealthRoutes {
    let monitor: HealthMonitor

    /// The store's name on the command line.
    let store: String

    /// Writes something to the store.
    let probe: @Sendable () async throws(StoreError) -> Void

    func add(to router: Router<BasicRequestContext>) {
        for path: RouterPath in ["health", "health/live"] {
            router.get(path) { _, _ in
                let courier = monitor.present.courier
                return try JSONResponse.make(Health(schema: SchemaVersion.current, store: store, courier: courier))
            }
        }
        router.get("health/ready") { _, _ in
            if monitor.present.isProbeDue(at: .now) { try? await probe() }
            let health = monitor.present
            let body = Health(
                status: health.isReady ? "ok" : "notReady",
                schema: SchemaVersion.current,
                store: store,
                courier: health.courier,
                checks: health.checks
            )
            return try JSONResponse.make(body, status: health.isReady ? .ok : .serviceUnavailable)
        }
    }
}
