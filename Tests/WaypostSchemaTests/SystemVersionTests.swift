import Testing
import WaypostSchema

/// Versions of a device's system.
@Suite struct SystemVersionTests {
    @Test(
        arguments: [
            ("26.4", [26, 4]), ("18", [18]), ("17.4.1", [17, 4, 1]), ("26.10", [26, 10]), ("007", [7]),
        ] as [(SystemVersion, [Int])]
    )
    func versionHasOneToThreeNumbers(_ version: SystemVersion, _ numbers: [Int]) {
        #expect(version.numbers == numbers)
        #expect(version.major == numbers[0])
    }

    @Test(
        arguments: [
            "", ".", "26.", ".4", "26..4", "1.2.3.4", "iOS 26", "26.4b", "-1", "+1", "1000", "26,4", "\u{0662}6",
        ] as [SystemVersion]
    )
    func otherTextIsNoVersion(_ version: SystemVersion) {
        #expect(version.numbers == nil)
        #expect(version.major == nil)
        #expect(!version.isAtLeast("1"))
    }

    @Test(
        arguments: [
            ("26.4", "26.4", true), ("26.4.1", "26.4", true), ("26.3", "26.4", false), ("26.10", "26.4", true),
            ("18", "18.0.0", true), ("18.0", "18", true), ("17.9", "18", false), ("9", "10", false),
            ("26", "26.0.1", false),
        ] as [(SystemVersion, SystemVersion, Bool)]
    )
    func versionsAreComparedByTheirNumbers(_ version: SystemVersion, _ other: SystemVersion, isAtLeast: Bool) {
        #expect(version.isAtLeast(other) == isAtLeast)
    }
}
