internal import GatewayStore
internal import Synchronization
internal import WaypostSchema

/// A gateway's knowledge of the gateways on its store, as a value.
struct ClusterState: Sendable {
    /// The time without a heartbeat after which other gateways may consider this one dead.
    static let leaseDuration = Duration.seconds(5)

    /// The gateways at the last heartbeat.
    private(set) var members = ClusterMembers()

    /// The error of the last heartbeat.
    private(set) var lastError: StoreError?

    /// The difference in milliseconds between the clocks of the gateway and of the store above which the gateway is not
    /// ready: gateways compare expirations with their own clocks.
    private static let maximumClockDifference = 1_000

    /// The least difference in milliseconds between the two clocks at the last heartbeat; positive if the gateway's is
    /// ahead.
    private(set) var clockDifference = 0

    /// The start of the last heartbeat that succeeded; `nil` before the first one, and after the lease was lost.
    private var lastHeartbeat: ContinuousClock.Instant?

    /// Whether the clocks of the gateway and of the store differ too much.
    var isClockWrong: Bool {
        abs(clockDifference) > Self.maximumClockDifference
    }

    /// Records the result of a heartbeat that began at `start`, and during which the gateway's clock showed `times`.
    mutating func recordHeartbeat(
        _ result: Result<ClusterMembers, StoreError>,
        from start: ContinuousClock.Instant,
        during times: ClosedRange<Timestamp>
    ) {
        switch result {
        case .success(let members):
            self.members = members
            lastError = nil
            lastHeartbeat = start
            clockDifference = members.time.map { Self.difference(of: times, from: $0) } ?? 0
        case .failure(let error): lastError = error
        }
    }

    /// Returns the least number of milliseconds by which a time is ahead of `other`, if it is in `times`.
    private static func difference(of times: ClosedRange<Timestamp>, from other: Timestamp) -> Int {
        let nearest = min(max(other, times.lowerBound), times.upperBound)
        return nearest.rawValue - other.rawValue
    }

    /// Returns whether the lease was lost since the last call: the gateway's streams must end, so that devices connect
    /// to a gateway that reaches the store.
    mutating func takeLeaseLoss(at now: ContinuousClock.Instant) -> Bool {
        guard let lastHeartbeat, lastHeartbeat.duration(to: now) >= Self.leaseDuration else { return false }
        self.lastHeartbeat = nil
        return true
    }
}

/// The gateways on the store of a running gateway, for the parts that need to know them.
final class Cluster: Sendable {
    private let state = Mutex(ClusterState())

    /// The current state.
    var current: ClusterState {
        state.withLock(\.self)
    }

    /// Records the result of a heartbeat that began at `start`, and during which the gateway's clock showed `times`.
    func recordHeartbeat(
        _ result: Result<ClusterMembers, StoreError>,
        from start: ContinuousClock.Instant,
        during times: ClosedRange<Timestamp>
    ) {
        state.withLock { $0.recordHeartbeat(result, from: start, during: times) }
    }

    /// Returns whether the lease was lost since the last call.
    func takeLeaseLoss(at now: ContinuousClock.Instant) -> Bool {
        state.withLock { $0.takeLeaseLoss(at: now) }
    }
}
