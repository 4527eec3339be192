import PushRules
import Testing

@Suite struct PowerRuleTests {
    @Test(arguments: [(10, false), (5, true), (1, true)])
    func lowPrioritiesWaitInLowPowerMode(_ priority: Int, _ waits: Bool) {
        #expect(PowerRule.defers(priority: priority, isLowPowerModeEnabled: true) == waits)
    }

    @Test(arguments: [10, 5, 1])
    func nothingWaitsOutsideLowPowerMode(_ priority: Int) {
        #expect(!PowerRule.defers(priority: priority, isLowPowerModeEnabled: false))
    }
}
