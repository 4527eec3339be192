import LocalService
import Testing
import WaypostSchema

@Suite struct ClockAdvanceTests {
    static let now = Timestamp(milliseconds: 1_000)

    @Test(arguments: [
        (ClockAdvance(by: 0), 1_000), (ClockAdvance(by: 5), 1_005), (ClockAdvance(by: .max - 1_000), .max),
        (ClockAdvance(to: now), 1_000), (ClockAdvance(to: Timestamp(milliseconds: 9_000)), 9_000),
    ])
    func clockMovesForwardOrStays(_ advance: ClockAdvance, _ expected: Int) throws {
        #expect(try advance.destination(from: Self.now).rawValue == expected)
    }

    @Test(
        arguments: [
            (ClockAdvance(), .needsByOrTo), (ClockAdvance(by: 1, to: Timestamp(milliseconds: 2_000)), .needsByOrTo),
            (ClockAdvance(by: -1), .goesBack(field: "by")), (ClockAdvance(by: .min), .goesBack(field: "by")),
            (ClockAdvance(by: .max - 999), .exceedsMaximum),
            (ClockAdvance(to: Timestamp(milliseconds: 999)), .goesBack(field: "to")),
        ] as [(ClockAdvance, ClockAdvanceError)]
    )
    func otherAdvanceIsRefused(_ advance: ClockAdvance, _ error: ClockAdvanceError) {
        #expect(throws: error) { try advance.destination(from: Self.now) }
    }

    @Test func clockCanHaveALatestTime() throws {
        let latest = Timestamp(milliseconds: 2_000)
        #expect(try ClockAdvance(by: 1_000).destination(from: Self.now, latest: latest) == latest)
        #expect(throws: ClockAdvanceError.exceedsMaximum) {
            try ClockAdvance(by: 1_001).destination(from: Self.now, latest: latest)
        }
    }
}
