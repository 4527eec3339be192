internal import GatewayStore
internal import Hummingbird
internal import LocalService
internal import ServiceLifecycle
internal import Synchronization
internal import WaypostSchema

/// The health of a gateway, as a value: whether it can accept requests.
struct GatewayHealth: Sendable {
    /// The time after a store failure before the store is probed: the `Retry-After` of the failed requests.
    private static let probeInterval = Duration.seconds(30)

    /// Whether the store was unreachable at the last change.
    var hasLostStore: Bool {
        storeError == .unavailable || storeError == .outcomeUnknown
    }

    private let listeners: Set<GatewayListener>
    private var openListeners: Set<GatewayListener> = []
    private var storeError: StoreError?
    private var lastFailureTime: ContinuousClock.Instant?
    private var isShuttingDown = false
    private var notices = FullDiskNotices()

    /// Creates the health of a gateway with `listeners`.
    init(_ listeners: Set<GatewayListener>) {
        self.listeners = listeners
    }

    /// The URLs of the listeners that accept connections.
    private(set) var urls: [GatewayListener: String] = [:]

    /// Records that a listener accepts connections at a URL.
    mutating func recordListening(_ listener: GatewayListener, at url: String?) {
        openListeners.insert(listener)
        urls[listener] = url
    }

    /// Records that the gateway is shutting down.
    mutating func recordShuttingDown() {
        isShuttingDown = true
    }

    /// Records the result of a transaction; a failed store is healthy again once it has written something.
    ///
    /// A store that was busy or overloaded is still healthy. On a full disk, acknowledgements and deletions still
    /// succeed.
    ///
    /// - Returns: the notice to log, if any.
    @discardableResult
    mutating func record(_ commit: CommitReport, at now: ContinuousClock.Instant) -> FullDiskNotices.Notice? {
        switch commit.error {
        case .full, .readOnly, .moved, .unavailable, .outcomeUnknown, .failed: storeError = commit.error
        case .busy, .overloaded: return nil
        case nil:
            guard commit.hasWrites else { return nil }
            storeError = commit.hasRoom ? nil : .full
        }
        if storeError != nil { lastFailureTime = now }
        return storeError == nil || storeError == .full ? notices.record(isFull: storeError == .full, at: now) : nil
    }

    /// Whether to probe if a failed store works again.
    ///
    /// A gateway that is not ready gets no requests, so no request would show it.
    func isProbeDue(at now: ContinuousClock.Instant) -> Bool {
        guard storeError != nil, let lastFailureTime else { return false }
        return lastFailureTime.duration(to: now) >= Self.probeInterval
    }

    /// The checks and their results: `ok`, or the problem.
    var checks: [String: String] {
        [
            "gateway": isShuttingDown ? "shuttingDown" : Self.ok,
            "listeners": openListeners == listeners ? Self.ok : "starting",
            "store": storeError?.name ?? Self.ok,
        ]
    }

    /// Whether all checks pass.
    var isReady: Bool {
        checks.values.allSatisfy { $0 == Self.ok }
    }

    /// The result of a check that passes.
    static let ok = "ok"
}

/// The health of a running gateway, shared by the parts that change it and those that read it.
///
/// The monitor is the last service to start, so it is the first to be notified of a shutdown.
final class HealthMonitor: Service {
    private let health: Mutex<GatewayHealth>
    private let onNotice: @Sendable (FullDiskNotices.Notice) -> Void

    /// Creates the health of a gateway with `listeners`, which reports notices for the log to `onNotice`.
    init(
        listeners: Set<GatewayListener>,
        onNotice: @escaping @Sendable (FullDiskNotices.Notice) -> Void = { _ in }
    ) {
        health = Mutex(GatewayHealth(listeners))
        self.onNotice = onNotice
    }

    /// The current health.
    var current: GatewayHealth {
        health.withLock { $0 }
    }

    /// Records that a listener accepts connections at a URL.
    func recordListening(_ listener: GatewayListener, at url: String?) {
        health.withLock { $0.recordListening(listener, at: url) }
    }

    /// Records the result of a transaction.
    func record(_ commit: CommitReport) {
        let now = ContinuousClock.now
        let notice = health.withLock { $0.record(commit, at: now) }
        if let notice { onNotice(notice) }
    }

    func run() async throws {
        try? await gracefulShutdown()
        health.withLock { $0.recordShuttingDown() }
    }
}

extension StoreError {
    /// The error's name in labels and checks.
    var name: String {
        switch self {
        case .full: "full"
        case .readOnly: "readOnly"
        case .moved: "moved"
        case .busy: "busy"
        case .overloaded: "overloaded"
        case .unavailable: "unavailable"
        case .outcomeUnknown: "outcomeUnknown"
        case .failed: "failed"
        }
    }
}

/// `/health`: whether the process responds, and whether it can accept requests.
struct HealthRoutes {
    let monitor: HealthMonitor

    let delivery: DeliveryService
    let cluster: Cluster

    let configuration: GatewayConfiguration

    private var store: any GatewayStore {
        delivery.store.store
    }

    private var build: String {
        #if DEBUG
        "debug"
        #else
        "release"
        #endif
    }

    /// Returns the gateways on the store, if others may use it.
    private func gateways(for request: Request) -> [Health.Gateway]? {
        guard store.isShared else { return nil }
        let members = cluster.current.members
        return members.members.map { member in
            Health.Gateway(
                number: member.number,
                courier: member.isSelf ? url(of: .courier, for: request) : member.address,
                joined: member.joinedAt,
                isSelf: member.isSelf,
                leads: member == members.leader
            )
        }
    }

    /// The checks of the store that commits do not update, and their results.
    private var storeChecks: [String: String] {
        let cluster = cluster.current
        var checks: [String: String] = [:]
        if let failure = store.isInPlace ? cluster.lastError : .moved { checks["store"] = failure.name }
        if store.isShared {
            checks["clock"] =
                cluster.isClockWrong ? "differs by \(abs(cluster.clockDifference)) ms" : GatewayHealth.ok
        }
        return checks
    }

    /// Returns the URL of a listener for the sender of a request; `nil` if there is none.
    ///
    /// On a trusted network the gateway does not know by which name others reach it, so the URL has the host that the
    /// request names; with TLS it is a host that the certificate has, if the gateway knows one.
    private func url(of listener: GatewayListener, for request: Request) -> String? {
        guard let url = monitor.current.urls[listener] else { return nil }
        guard configuration.trustsNetwork, configuration.listeners[listener]?.isWildcard == true,
            let host = request.head.authority.flatMap(AllowedHosts.host),
            listener != .provider || configuration.isSuitable(host),
            let port = url.split(separator: ":").last.flatMap({ Int($0) })
        else { return url }
        return ListenAddress(host, port: port).url(port: port, isSecure: url.hasPrefix("https:"))
    }

    /// Returns the health, without the checks.
    private func health(for request: Request) -> Health {
        let backlog = delivery.sessionBacklog
        return Health(
            schema: SchemaVersion.current,
            store: configuration.store.name,
            version: ProgramVersion.current,
            build: build,
            courier: url(of: .courier, for: request),
            provider: url(of: .provider, for: request),
            providerPlaintext: url(of: .providerPlaintext, for: request),
            trustsNetwork: configuration.trustsNetwork ? true : nil,
            openingSessions: backlog.openingCount,
            endingSessions: backlog.endingCount,
            notice: backlog.notice,
            gateways: gateways(for: request)
        )
    }

    func add(to router: Router<ServiceContext>) {
        for path: RouterPath in ["health", "health/live"] {
            router.get(path) { request, _ in try JSONResponse.make(health(for: request)) }
        }
        router.get("health/ready") { request, _ in
            if monitor.current.isProbeDue(at: .now) { try? await store.probe() }
            let current = monitor.current
            let storeChecks = storeChecks
            let isReady = current.isReady && storeChecks.values.allSatisfy { $0 == GatewayHealth.ok }
            var body = health(for: request)
            body.status = isReady ? "ok" : "notReady"
            body.checks = current.checks.merging(storeChecks) { $1 }
            return try JSONResponse.make(body, status: isReady ? .ok : .serviceUnavailable)
        }
    }
}
