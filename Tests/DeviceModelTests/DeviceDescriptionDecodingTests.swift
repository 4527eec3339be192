import DeviceModel
import Foundation
import Testing
import WaypostSchema
import WaypostTestSupport

@Suite struct DeviceDescriptionDecodingTests {
    private static let minimal = """
        {"name": "tablet", "apps": [{"bundleIdentifier": "a", "scenes": [{"persistentIdentifier": "s"}]}]}
        """

    private func decode(_ text: String) throws -> DeviceDescription {
        try JSONDecoder().decode(DeviceDescription.self, from: Data(text.utf8))
    }

    @Test(.proves("T3")) func appSupportsSeveralScenesByDefault() throws {
        let app = try #require(try decode(Self.minimal).apps.first)
        #expect(app.supportsMultipleScenes)
    }

    @Test func sceneIsInTheBackgroundAndNeverActivatedByDefault() throws {
        let scene = try #require(try decode(Self.minimal).apps.first?.scenes.first)
        #expect(scene.title == nil)
        #expect(scene.state == .background)
        #expect(scene.lastActivated == nil)
    }

    @Test func sceneCanDisplayAnythingAndPrefersNothingByDefault() throws {
        let scene = try #require(try decode(Self.minimal).apps.first?.scenes.first)
        #expect(scene.activationConditions == ActivationConditions(can: "TRUEPREDICATE", prefers: "FALSEPREDICATE"))
    }

    @Test(arguments: [
        (#"{}"#, "TRUEPREDICATE", "FALSEPREDICATE"),
        (#"{"canActivateForTargetContentIdentifierPredicate": "SELF == 'a'"}"#, "SELF == 'a'", "FALSEPREDICATE"),
        (#"{"prefersToActivateForTargetContentIdentifierPredicate": "SELF == 'a'"}"#, "TRUEPREDICATE", "SELF == 'a'"),
    ])
    func absentConditionHasItsDefault(_ text: String, _ can: String, _ prefers: String) throws {
        let conditions = try JSONDecoder().decode(ActivationConditions.self, from: Data(text.utf8))
        #expect(conditions == ActivationConditions(can: can, prefers: prefers))
    }

    @Test func nullEqualsAbsence() throws {
        let text = """
            {"name": "tablet", "apps": [{"bundleIdentifier": "a", "supportsMultipleScenes": null, "scenes": [
                {"persistentIdentifier": "s", "title": null, "state": null, "lastActivated": null,
                 "activationConditions": null}
            ]}]}
            """
        #expect(try decode(text) == decode(Self.minimal))
    }

    @Test func minimalDescriptionIsValid() throws {
        var device = try DeviceModel(try decode(Self.minimal))
        let effects = device.deliverAndOpen(.example(for: "a", about: "crusty"), at: Timestamp(milliseconds: 1))
        #expect(effects.opened?.scene == "s")
        #expect(effects.opened?.decision?.reason == .can)
    }

    @Test func descriptionSurvivesEncoding() throws {
        let data = try JSONEncoder().encode(DeviceDescription.example)
        #expect(try JSONDecoder().decode(DeviceDescription.self, from: data) == .example)
    }

    @Test(arguments: [
        #"{"apps": []}"#,
        #"{"name": "tablet", "apps": [{"scenes": []}]}"#,
        #"{"name": "tablet", "apps": [{"bundleIdentifier": "a", "scenes": [{}]}]}"#,
        #"{"name": "tablet", "apps": [{"bundleIdentifier": "a", "scenes": [{"persistentIdentifier": "s", "state": "x"}]}]}"#,
    ])
    func descriptionWithAMissingOrInvalidMemberIsRefused(_ text: String) {
        #expect(throws: DecodingError.self) { try decode(text) }
    }
}
