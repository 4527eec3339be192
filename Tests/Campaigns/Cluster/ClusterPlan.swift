import ClusterTestSupport
import WaypostTestSupport

/// The choices of a trial of the cluster campaign, which its seed determines.
struct ClusterPlan: Sendable, Equatable {
    /// The faults, in their order.
    let faults: [ClusterFault]

    /// The number of devices.
    let devices: Int

    /// The seed of the load, and of when and to what each fault happens.
    let seed: UInt64

    /// Chooses one to three faults; consecutive seeds have every fault in turn.
    init(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let fault = ClusterFault.all[Int(seed % UInt64(ClusterFault.all.count))]
        // A killed primary waits for its replica for seconds, which has nothing to do with the promotion.
        let candidates = ClusterFault.all.filter { candidate in
            !candidate.needsNewCluster && !(fault.needsNewCluster && candidate == .killDatabase)
        }
        let others = (0..<Int.random(in: 0...2, using: &generator)).compactMap { _ in
            candidates.randomElement(using: &generator)
        }
        faults = fault.needsNewCluster ? others + [fault] : [fault] + others
        devices = .random(in: 20...120, using: &generator)
        self.seed = generator.next()
    }
}
