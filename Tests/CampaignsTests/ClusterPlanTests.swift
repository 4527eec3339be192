import ClusterTestSupport
import Testing

@testable import campaigns

@Suite struct ClusterPlanTests {
    private static let plans = (0..<500).map { ClusterPlan(seed: $0) }

    @Test func consecutiveSeedsHaveEveryFault() {
        for first in stride(from: 0, to: 400, by: ClusterFault.all.count) {
            let faults = Self.plans[first..<first + ClusterFault.all.count].flatMap(\.faults)
            #expect(Set(faults) == Set(ClusterFault.all))
        }
    }

    @Test func aTrialHasOneToThreeFaults() {
        #expect(Set(Self.plans.map(\.faults.count)) == [1, 2, 3])
    }

    @Test func nothingFollowsAFaultThatCanHappenOnlyOnce() {
        for plan in Self.plans {
            let isEarly = plan.faults.dropLast().contains { $0.needsNewCluster }
            #expect(!isEarly)
            let kills = plan.faults.contains(.promoteReplica) && plan.faults.contains(.killDatabase)
            #expect(!kills)
        }
    }

    @Test func sameSeedMakesTheSameChoicesAndOthersMakeOthers() {
        #expect(ClusterPlan(seed: 7) == ClusterPlan(seed: 7))
        #expect(Set(Self.plans.map(\.seed)).count == Self.plans.count)
    }

    @Test func findingsAreViolationsAndNumbersAreCounted() {
        var summary = ClusterSummary()
        (summary.trials, summary.batches, summary.items) = (3, 10, 100)
        (summary.received, summary.repeated, summary.lost) = (90, 4, 1)
        summary.failures = [503: 2, 500: 1]
        summary.longestDrain = .milliseconds(4_700)
        summary.findings = ["kill a gateway: t0-1-2-3 to device 7 is lost: not logged"]
        let outcome = TrialOutcome(summary)
        #expect(outcome.faults == 3)
        #expect(outcome.operations == 204)
        #expect(outcome.violations == summary.findings)
        #expect(outcome.counts["lost items"] == 1)
        #expect(outcome.counts["answers 429, 500 or 503"] == 3)
        #expect(Array(outcome.peaks.values) == [4])
    }
}
