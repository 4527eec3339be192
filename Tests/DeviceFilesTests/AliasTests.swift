import DeviceFiles
import SchemaFiles
import Testing
import WaypostSchema

/// Aliases in YAML, which may stand for much more than is written.
@Suite(.timeLimit(.minutes(1))) struct AliasTests {
    @Test func aliasStandsForItsAnchor() throws {
        let text = """
            name: iPad
            apps:
              - bundleIdentifier: com.example.a
                scenes: &scenes [{ persistentIdentifier: main }]
              - bundleIdentifier: com.example.b
                scenes: *scenes
            """
        let device = try DeviceText.device(text)
        #expect(device.apps.map(\.scenes.count) == [1, 1])
    }

    /// Each level has ten aliases of the level before.
    @Test(arguments: [6, 9, 30]) func expansionIsLimited(_ levels: Int) {
        var text = "name: iPad\napps: []\na0: &a0 [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]\n"
        for level in 1...levels {
            let aliases = Array(repeating: "*a\(level - 1)", count: 10).joined(separator: ", ")
            text += "a\(level): &a\(level) [\(aliases)]\n"
        }
        let error = #expect(throws: FileFindings.self) {
            try DeviceText.device(text)
        }
        #expect(error?.findings.first?.message == "the file has more than 100000 values, aliases replaced")
    }

    @Test func depthIsLimited() {
        var text = "name: iPad\napps: []\na0: &a0 [1]\n"
        for level in 1...200 { text += "a\(level): &a\(level) [*a\(level - 1)]\n" }
        let error = #expect(throws: FileFindings.self) {
            try DeviceText.device(text)
        }
        #expect(error?.findings.first?.message == "lists and objects are nested deeper than 128")
    }
}
