import DeviceModel
import Highlights
import Testing
import WaypostSchema

/// Random histories: the device comes to what the rules say, found anew from all that happened.
@Suite struct SharingOracleTests {
    @Test(arguments: 1...6 as ClosedRange<UInt64>)
    func deviceShowsTellsAndExplainsWhatTheRulesSay(seed: UInt64) {
        var walk = HistoryWalk()
        for (number, entry) in SharingHistory(seed: seed, count: 60).entries.enumerated() {
            // Every link for every app takes long, so that it is asked about only now and then.
            let errors = walk.take(entry) + (number % 12 == 11 ? walk.explanationErrors : [])
            #expect(errors.isEmpty, "seed \(seed), entry \(number): \(entry)")
            guard errors.isEmpty else { return }
        }
    }
}
