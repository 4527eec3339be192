import PushRules
import Testing
import WaypostSchema

@Suite struct DeliveryAttemptsTests {
    @Test func laterAttemptsKeepTheTimeOfTheFirst() {
        var attempts = DeliveryAttempts(at: Timestamp(milliseconds: 5))
        #expect(
            attempts == DeliveryAttempts(first: Timestamp(milliseconds: 5), last: Timestamp(milliseconds: 5), count: 1)
        )
        attempts.merge(DeliveryAttempts(first: Timestamp(milliseconds: 7), last: Timestamp(milliseconds: 9), count: 2))
        #expect(
            attempts == DeliveryAttempts(first: Timestamp(milliseconds: 5), last: Timestamp(milliseconds: 9), count: 3)
        )
    }
}
