import GatewayStore
import Testing
import WaypostSchema

@testable import Gateway

/// Tests of what a gateway concludes from its heartbeats.
@Suite struct ClusterStateTests {
    private static let start = ContinuousClock.now

    private static func second(_ count: Double) -> ContinuousClock.Instant {
        start + .seconds(count)
    }

    /// The times that the gateway's clock shows during a heartbeat.
    private static let times = Timestamp(milliseconds: 50_000)...Timestamp(milliseconds: 50_200)

    @Test(
        arguments: [
            (50_100, 0, false), (50_000, 0, false), (51_200, -1_000, false), (51_201, -1_001, true),
            (49_000, 1_000, false),
            (40_000, 10_000, true),
        ]
    )
    func clockIsWrongIfItDiffersByMoreThanASecond(_ time: Int, _ difference: Int, _ isWrong: Bool) {
        var state = ClusterState()
        let members = ClusterMembers(at: Timestamp(milliseconds: time))
        state.recordHeartbeat(.success(members), from: Self.start, during: Self.times)
        #expect(state.clockDifference == difference)
        #expect(state.isClockWrong == isWrong)
        state.recordHeartbeat(.success(ClusterMembers()), from: Self.start, during: Self.times)
        #expect(!state.isClockWrong)
    }

    @Test func leaseIsLostOnceIfNoRenewalSucceeds() {
        var state = ClusterState()
        state.recordHeartbeat(.success(ClusterMembers()), from: Self.second(0), during: Self.times)
        let losses = [4.9, 5, 6, 60].map { state.takeLeaseLoss(at: Self.second($0)) }
        #expect(losses == [false, true, false, false])
    }

    @Test func leaseCountsFromTheStartOfARenewal() {
        var state = ClusterState()
        state.recordHeartbeat(.success(ClusterMembers()), from: Self.second(0), during: Self.times)
        // It took 4 seconds.
        state.recordHeartbeat(.success(ClusterMembers()), from: Self.second(1), during: Self.times)
        let losses = [5, 6].map { state.takeLeaseLoss(at: Self.second($0)) }
        #expect(losses == [false, true])
    }

    @Test func leaseIsThereAgainAfterARenewal() {
        var state = ClusterState()
        state.recordHeartbeat(.success(ClusterMembers()), from: Self.second(0), during: Self.times)
        _ = state.takeLeaseLoss(at: Self.second(9))
        state.recordHeartbeat(.success(ClusterMembers()), from: Self.second(10), during: Self.times)
        let losses = [14, 15].map { state.takeLeaseLoss(at: Self.second($0)) }
        #expect(losses == [false, true])
    }

    @Test func gatewayWithoutAnyRenewalHasNoLeaseToLose() {
        var state = ClusterState()
        state.recordHeartbeat(.failure(.unavailable), from: Self.second(0), during: Self.times)
        let isLost = state.takeLeaseLoss(at: Self.second(60))
        #expect(!isLost)
        #expect(state.lastError == .unavailable)
    }

    @Test func errorIsThatOfTheLastRenewal() {
        var state = ClusterState()
        state.recordHeartbeat(.failure(.unavailable), from: Self.second(0), during: Self.times)
        state.recordHeartbeat(.success(ClusterMembers()), from: Self.second(1), during: Self.times)
        #expect(state.lastError == nil)
    }
}
