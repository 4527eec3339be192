import LocalService
import Testing

@Suite struct TimeSpanTests {
    static let everyUnit: [TimeSpan.Unit] = [.millisecond, .second, .minute, .hour, .day]

    @Test(arguments: [
        ("0ms", 0), ("500ms", 500), ("2s", 2_000), ("007s", 7_000), ("3m", 180_000), ("2h", 7_200_000),
        ("1d", 86_400_000),
        ("999999999999999999d", Int.max),
    ])
    func timeSpanIsANumberAndAUnit(_ text: String, _ milliseconds: Int) {
        #expect(TimeSpan.milliseconds(text[...], units: Self.everyUnit) == milliseconds)
    }

    @Test(arguments: [
        "", "s", "2", "-1s", "+1s", "1.5s", "1 s", "1S", "1w", "1ss", "٣s", "1234567890123456789s", "0x1s",
    ])
    func otherTextIsNotATimeSpan(_ text: String) {
        #expect(TimeSpan.milliseconds(text[...], units: Self.everyUnit) == nil)
    }

    @Test func onlyTheGivenUnitsAreAccepted() {
        #expect(TimeSpan.milliseconds("1m", units: [.millisecond, .second]) == nil)
    }
}
