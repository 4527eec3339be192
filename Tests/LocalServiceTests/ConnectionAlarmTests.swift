import LocalService
import NIOCore
import NIOEmbedded
import Testing
import WaypostTestSupport

@Suite struct ConnectionAlarmTests {
    private let loop = EmbeddedEventLoop()

    /// Sets and clears an alarm at random, and compares it with the time that it should have.
    @Test(arguments: 0..<50) func alarmComesAtItsTime(_ seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let alarm = ConnectionAlarm(on: loop)
        var now = 0
        var expected: Int?
        var alarms: [Int] = []
        var expectedAlarms: [Int] = []
        for _ in 0..<200 {
            switch Int.random(in: 0..<4, using: &generator) {
            case 0:
                let time = Int.random(in: 1...20, using: &generator)
                let due = now + time
                expected = due
                alarm.set(in: .seconds(Int64(time))) { alarms.append(due) }
            case 1:
                expected = nil
                alarm.clear()
            default:
                let step = Int.random(in: 1...10, using: &generator)
                now += step
                loop.advanceTime(by: .seconds(Int64(step)))
                if let due = expected, due <= now {
                    expectedAlarms.append(due)
                    expected = nil
                }
            }
        }
        #expect(alarms == expectedAlarms)
    }

    @Test func releasedAlarmDoesNothing() {
        var count = 0
        do {
            let alarm = ConnectionAlarm(on: loop)
            alarm.set(in: .seconds(1)) { count += 1 }
        }
        loop.advanceTime(by: .seconds(2))
        #expect(count == 0)
    }
}
