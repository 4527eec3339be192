import Foundation
import LocalService
import Testing

@Suite struct ShutdownLimitTests {
    @Test func processThatNeverEndsIsEndedAfterTheLimit() async {
        await #expect(processExitsWith: .exitCode(75)) {
            ShutdownLimit.endProcess(after: .milliseconds(50))
            // Work that no cancellation reaches.
            while true {}
        }
    }
}
