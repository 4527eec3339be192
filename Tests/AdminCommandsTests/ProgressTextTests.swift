import Testing

@testable import AdminCommands

@Suite struct ProgressTextTests {
    @Test(arguments: [
        (0, Int?.none, 0, "registering 0, 0/s"),
        (500, Int?.none, 2, "registering 500, 250/s"),
        (500, 1_000, 2, "registering 500 of 1000 (50 %), 250/s, 2 s left"),
        (1, 100_000, 1, "registering 1 of 100000 (0 %), 1/s, 1 d 3 h left"),
        (1_000, 1_000, 4, "registering 1000 of 1000 (100 %), 250/s"),
        (0, 1_000, 4, "registering 0 of 1000 (0 %), 0/s"),
    ])
    func lineHasTheRateAndTheTimeLeft(_ done: Int, _ total: Int?, _ seconds: Int, _ line: String) {
        #expect(ProgressText.line("registering", .items, done: done, of: total, after: .seconds(seconds)) == line)
    }

    @Test func bytesHaveAUnit() {
        let line = ProgressText.line("saving", .bytes, done: 3 << 20, of: 12 << 20, after: .seconds(3))
        #expect(line == "saving 3 MB of 12 MB (25 %), 1 MB/s, 9 s left")
    }
}
