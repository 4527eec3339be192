import ArgumentParser
import Testing
import WaypostSchema

@testable import AdminCommands

/// Tests of the commands that let a link onto a shelf.
@Suite struct GateRemedyTests {
    private static let message = Message(id: "m1", conversation: "Ann", sender: "+14085550111", text: "")

    @Test(
        arguments: [
            (.permission, "device pin m1", "device consent on --app com.example.tv --automatic"),
            (.sharingEverywhere, "device consent on", nil),
            (.sharingWithApp, "device consent on --app com.example.tv", nil),
            (.sharingFromConversation, "device consent on --conversation Ann", nil),
            (.notRemoved, "device pin m1", nil), (.contact, "device save-contact NAME +14085550111", nil),
        ] as [(SurfacingGate, String, String?)]
    )
    func remedyHasCommandsThatExist(_ gate: SurfacingGate, _ command: String, other: String?) throws {
        let remedy = try #require(gate.remedy(for: "com.example.tv", message: Self.message))
        for command in [command, other].compactMap(\.self) {
            #expect(remedy.contains("'waypost \(command)'"), "\(remedy)")
            let words = command.split(separator: " ").map(String.init)
            #expect(throws: Never.self) { _ = try WaypostCommand.parseAsRoot(words) }
        }
    }

    @Test func gateWithoutAChoiceHasNoRemedy() {
        #expect(SurfacingGate.notFromMe.remedy(for: "com.example.tv", message: Self.message) == nil)
    }
}
