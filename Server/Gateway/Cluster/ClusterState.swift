internal import GatewayStore
internal import Synchronization

/// A gateway's knowledge of the gateways on its store, as a value.
struct ClusterState: Sendable {
    /// The time without a renewal after which another gateway may take this one for dead.
    static let lease = Duration.seconds(5)

    /// The gateways at the last renewal.
    private(set) var members = StoreMembers()

    /// The error of the last renewal.
    private(set) var error: StoreError?

    /// The start of the last renewal that succeeded; `nil` before the first one, and after the lease was lost.
    private var renewed: ContinuousClock.Instant?

    /// Records the result of a renewal that began at `start`.
    mutating func note(_ result: Result<StoreMembers, StoreError>, from start: ContinuousClock.Instant) {
        switch result {
        case .success(let members):
            self.members = members
            error = nil
            renewed = start
        case .failure(let error): self.error = error
        }
    }

    /// Whether the lease was lost since the last call: the gateway's streams must end, so that devices connect to a
    /// gateway that reaches the store.
    mutating func takeLoss(at moment: ContinuousClock.Instant) -> Bool {
        guard let renewed, renewed.duration(to: moment) >= Self.lease else { return false }
        self.renewed = nil
        return true
    }
}

/// The gateways on the store of a running gateway, for the parts that need to know them.
final class Cluster: Sendable {
    private let state = Mutex(ClusterState())

    /// The present knowledge.
    var present: ClusterState {
        state.withLock(\.self)
    }

    /// Records the result of a renewal that began at `start`.
    func note(_ result: Result<StoreMembers, StoreError>, from start: ContinuousClock.Instant) {
        state.withLock { $0.note(result, from: start) }
    }

    /// Whether the lease was lost since the last call.
    func takeLoss(at moment: ContinuousClock.Instant) -> Bool {
        state.withLock { $0.takeLoss(at: moment) }
    }
}
