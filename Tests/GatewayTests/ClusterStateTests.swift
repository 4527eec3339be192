import GatewayStore
import Testing
import WaypostSchema

@testable import Gateway

/// Tests of what a gateway concludes from its renewals.
@Suite struct ClusterStateTests {
    private static let start = ContinuousClock.now

    private static func second(_ count: Double) -> ContinuousClock.Instant {
        start + .seconds(count)
    }

    @Test func leaseIsLostOnceIfNoRenewalSucceeds() {
        var state = ClusterState()
        state.note(.success(StoreMembers()), from: Self.second(0))
        let losses = [4.9, 5, 6, 60].map { state.takeLoss(at: Self.second($0)) }
        #expect(losses == [false, true, false, false])
    }

    @Test func leaseCountsFromTheStartOfARenewal() {
        var state = ClusterState()
        state.note(.success(StoreMembers()), from: Self.second(0))
        // It took 4 seconds.
        state.note(.success(StoreMembers()), from: Self.second(1))
        let losses = [5, 6].map { state.takeLoss(at: Self.second($0)) }
        #expect(losses == [false, true])
    }

    @Test func leaseIsThereAgainAfterARenewal() {
        var state = ClusterState()
        state.note(.success(StoreMembers()), from: Self.second(0))
        _ = state.takeLoss(at: Self.second(9))
        state.note(.success(StoreMembers()), from: Self.second(10))
        let losses = [14, 15].map { state.takeLoss(at: Self.second($0)) }
        #expect(losses == [false, true])
    }

    @Test func gatewayWithoutAnyRenewalHasNoLeaseToLose() {
        var state = ClusterState()
        state.note(.failure(.unavailable), from: Self.second(0))
        let isLost = state.takeLoss(at: Self.second(60))
        #expect(!isLost)
        #expect(state.error == .unavailable)
    }

    @Test func errorIsThatOfTheLastRenewal() {
        var state = ClusterState()
        state.note(.failure(.unavailable), from: Self.second(0))
        state.note(.success(StoreMembers()), from: Self.second(1))
        #expect(state.error == nil)
    }
}
