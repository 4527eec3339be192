import Testing

@testable import GatewayClient

@Suite struct RetryBackoffTests {
    @Test func waitDoublesUpToTheMaximum() {
        var backoff = RetryBackoff()
        let waits = (0..<20).map { _ in backoff.recordFailure(random: 1) }
        #expect(waits.prefix(4) == [.milliseconds(100), .milliseconds(200), .milliseconds(400), .milliseconds(800)])
        #expect(waits.last == RetryBackoff.maximum)
        #expect(waits == waits.sorted())
    }

    @Test func randomnessSpreadsTheWaitOverItsUpperHalf() {
        var backoff = RetryBackoff()
        #expect(backoff.recordFailure(random: 0) == .milliseconds(50))
        #expect(backoff.recordFailure(random: 0.5) == .milliseconds(150))
    }

    @Test func successResetsTheWait() {
        var backoff = RetryBackoff()
        for _ in 0..<5 { _ = backoff.recordFailure(random: 1) }
        backoff.recordSuccess()
        #expect(backoff.recordFailure(random: 1) == RetryBackoff.minimum)
    }
}
