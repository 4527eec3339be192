import PushRules
import Testing
import WaypostSchema

/// The versions of iOS that parts of pushes need.
@Suite struct SystemRequirementTests {
    /// The first version that has a part, one before it, and the row of push types that names the version.
    struct Case: Sendable, CustomTestStringConvertible {
        var requirement: SystemRequirement
        var first: SystemVersion
        var before: SystemVersion
        var pushType: PushType?
        var testDescription: String { "\(requirement)" }
    }

    private static let cases = [
        Case(requirement: .liveActivityStart, first: "17.2", before: "17.1"),
        Case(requirement: .inputPushToken, first: "18", before: "17.7"),
        Case(requirement: .inputPushChannel, first: "18", before: "17.7"),
        Case(requirement: .controls, first: "18", before: "17.7", pushType: "controls"),
        Case(requirement: .widgets, first: "26", before: "18.6", pushType: "widgets"),
        Case(requirement: .mustReport, first: "26.4", before: "26.3"),
    ]

    @Test func everyRequirementHasACase() {
        #expect(Self.cases.map(\.requirement) == SystemRequirement.allCases)
    }

    @Test(arguments: cases) func requirementIsMetFromItsVersionOn(_ example: Case) {
        #expect(example.requirement.version.value == example.first)
        #expect(example.requirement.isMet(by: example.first))
        #expect(!example.requirement.isMet(by: example.before))
        #expect(example.requirement.isMet(by: "27.0"))
    }

    @Test(arguments: cases) func sentenceNamesBothVersionsAndTheSource(_ example: Case) {
        let sentence = example.requirement.sentence(for: example.before)
        let comparison = "needs iOS \(example.first); this device has iOS \(example.before)"
        #expect(sentence.contains(" \(comparison) (Apple: "), "\(sentence)")
        #expect(!example.requirement.sentence(for: example.first).contains("Apple"))
    }

    @Test(arguments: cases) func rowOfItsPushTypeNamesTheSameVersion(_ example: Case) throws {
        guard let pushType = example.pushType else { return }
        let row = try #require(PushTypeContract.all.first { $0.pushType == pushType })
        #expect(row.systems.value.hasPrefix("iOS \(example.first) "))
        #expect(row.systems.evidence == example.requirement.version.evidence)
    }
}
