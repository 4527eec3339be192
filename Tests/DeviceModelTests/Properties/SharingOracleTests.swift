import DeviceModel
import Highlights
import Testing
import WaypostSchema
import WaypostTestSupport

/// The device agrees with the rules, recomputed from the whole of a random history.
@Suite struct SharingOracleTests {
    @Test(arguments: Trials.seeds(6, from: 1))
    func deviceAgreesWithTheRules(seed: UInt64) {
        var walk = HistoryWalk()
        for (number, entry) in SharingHistory(seed: seed, count: 60).entries.enumerated() {
            // Explaining every link for every app is slow, so it is done only for every twelfth entry.
            let errors = walk.take(entry) + (number % 12 == 11 ? walk.explanationErrors : [])
            #expect(errors.isEmpty, "seed \(seed), entry \(number): \(entry)")
            guard errors.isEmpty else { return }
        }
    }
}
