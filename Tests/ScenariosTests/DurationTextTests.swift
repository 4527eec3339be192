import SchemaFiles
import Testing

@testable import Scenarios

@Suite struct DurationTextTests {
    @Test(arguments: [
        ("250ms", 250), ("90s", 90_000), ("30m", 1_800_000), ("2h", 7_200_000), ("1d", 86_400_000),
        ("1h30m", 5_400_000), ("0s", 0),
    ])
    func durationIsANumberWithAUnit(_ text: String, _ milliseconds: Int) {
        #expect(DurationText.milliseconds(in: text) == milliseconds)
    }

    @Test(arguments: ["", "5", "h", "2 h", "-1s", "1.5h", "2hours", "99999999999d", "101d99999999999999999h"])
    func anythingElseIsNone(_ text: String) {
        #expect(DurationText.milliseconds(in: text) == nil)
    }

    @Test(arguments: ["0s", "250ms", "1m30s", "2h", "1d1h1m1s1ms"])
    func textIsReadAgainAsTheSameDuration(_ text: String) {
        #expect(DurationText.milliseconds(in: text).map(DurationText.text) == text)
    }
}
