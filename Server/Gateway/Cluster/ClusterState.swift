internal import GatewayStore
internal import Synchronization
internal import WaypostSchema

/// A gateway's knowledge of the gateways on its store, as a value.
struct ClusterState: Sendable {
    /// The time without a renewal after which another gateway may take this one for dead.
    static let lease = Duration.seconds(5)

    /// The gateways at the last renewal.
    private(set) var members = StoreMembers()

    /// The error of the last renewal.
    private(set) var error: StoreError?

    /// The difference in milliseconds between the clocks of the gateway and of the store above which the gateway is not
    /// ready: gateways compare expirations with their own clocks.
    private static let maximumClockDifference = 1_000

    /// The least difference in milliseconds between the two clocks at the last renewal; positive if the gateway's is
    /// ahead.
    private(set) var clockDifference = 0

    /// The start of the last renewal that succeeded; `nil` before the first one, and after the lease was lost.
    private var lastRenewal: ContinuousClock.Instant?

    /// Whether the clocks of the gateway and of the store differ too much.
    var isClockWrong: Bool {
        abs(clockDifference) > Self.maximumClockDifference
    }

    /// Records the result of a renewal that began at `start`, and during which the gateway's clock showed `times`.
    mutating func recordRenewal(
        _ result: Result<StoreMembers, StoreError>,
        from start: ContinuousClock.Instant,
        during times: ClosedRange<Timestamp>
    ) {
        switch result {
        case .success(let members):
            self.members = members
            error = nil
            lastRenewal = start
            clockDifference = members.time.map { Self.difference(of: times, from: $0) } ?? 0
        case .failure(let error): self.error = error
        }
    }

    /// Returns the least number of milliseconds by which a time is ahead of `other`, if it is in `times`.
    private static func difference(of times: ClosedRange<Timestamp>, from other: Timestamp) -> Int {
        let nearest = min(max(other, times.lowerBound), times.upperBound)
        return nearest.rawValue - other.rawValue
    }

    /// Whether the lease was lost since the last call: the gateway's streams must end, so that devices connect to a
    /// gateway that reaches the store.
    mutating func takeLeaseLoss(at moment: ContinuousClock.Instant) -> Bool {
        guard let lastRenewal, lastRenewal.duration(to: moment) >= Self.lease else { return false }
        self.lastRenewal = nil
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

    /// Records the result of a renewal that began at `start`, and during which the gateway's clock showed `times`.
    func recordRenewal(
        _ result: Result<StoreMembers, StoreError>,
        from start: ContinuousClock.Instant,
        during times: ClosedRange<Timestamp>
    ) {
        state.withLock { $0.recordRenewal(result, from: start, during: times) }
    }

    /// Whether the lease was lost since the last call.
    func takeLeaseLoss(at moment: ContinuousClock.Instant) -> Bool {
        state.withLock { $0.takeLeaseLoss(at: moment) }
    }
}
