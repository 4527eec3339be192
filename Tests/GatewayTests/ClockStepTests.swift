import Testing
import WaypostSchema

@testable import Gateway

@Suite struct ClockStepTests {
    static let now = Timestamp(milliseconds: 1_000)

    @Test(arguments: [
        (ClockAdvance(by: 0), 1_000), (ClockAdvance(by: 5), 1_005), (ClockAdvance(by: .max - 1_000), .max),
        (ClockAdvance(to: now), 1_000), (ClockAdvance(to: Timestamp(milliseconds: 9_000)), 9_000),
    ])
    func aClockMovesForwardOrStays(_ advance: ClockAdvance, _ expected: Int) throws {
        #expect(try ClockStep.destination(of: advance, from: Self.now).rawValue == expected)
    }

    @Test(arguments: [
        ClockAdvance(), ClockAdvance(by: 1, to: Timestamp(milliseconds: 2_000)), ClockAdvance(by: -1),
        ClockAdvance(by: .min), ClockAdvance(by: .max - 999), ClockAdvance(to: Timestamp(milliseconds: 999)),
    ])
    func everythingElseIsRefused(_ advance: ClockAdvance) {
        let error = #expect(throws: GatewayError.self) { try ClockStep.destination(of: advance, from: Self.now) }
        #expect(error?.code == "malformedBody")
    }
}
