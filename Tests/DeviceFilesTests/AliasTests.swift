import DeviceFiles
import Testing
import WaypostSchema

@testable import SchemaFiles

/// Aliases in YAML, which may stand for much more than is written.
@Suite(.timeLimit(.minutes(5))) struct AliasTests {
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
        #expect(error?.findings.first?.message == "the file has more than 100000 keys and values, aliases replaced")
        #expect(error?.findings.first?.place.line == 7)
    }

    /// The fifth line exceeds the limit, so the others are not read.
    @Test(arguments: [10, 1_000]) func limitEndsTheReading(_ levels: Int) {
        var text = "a0: &a0 [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]\n"
        for level in 1...levels {
            let aliases = Array(repeating: "*a\(level - 1)", count: 10).joined(separator: ", ")
            text += "a\(level): &a\(level) [\(aliases)]\n"
        }
        #expect(eventCount(untilLimitOf: text) == 63)
    }

    /// Each level is a key of the next one, so comparing the keys takes twice as long for each level.
    @Test(arguments: [1, 40, 10_000]) func keyThatIsAnObjectIsRefused(_ levels: Int) {
        var text = "a: &a {x: 1}\n"
        for level in 0..<levels {
            let name = level == 0 ? "a" : "k\(level - 1)"
            text += "k\(level): &k\(level) {? *\(name) : *\(name)}\n"
        }
        #expect(DeviceText.problems(in: text) == ["2:12: a key is an object; it must be a text"])
        #expect(eventCount(untilLimitOf: text) == 9)
    }

    @Test(arguments: [
        ("? [a, b]\n: c", "1:3: a key is a list; it must be a text"),
        ("{[a]: b}", "1:2: a key is a list; it must be a text"),
        ("a: &a [1]\n*a : 1", "2:1: a key is a list; it must be a text"),
        ("? ? a\n", "1:3: a key is an object; it must be a text"),
        ("- a: 1\n- ? {}", "2:5: a key is an object; it must be a text"),
    ])
    func keyIsAText(_ text: String, _ problem: String) {
        #expect(DeviceText.problems(in: text) == [problem])
    }

    @Test func keyMayBeAnAliasOfAText() throws {
        let device = try DeviceText.device("&n name: tablet\napps: []\nassociatedDomainsDevelopment: {*n : a.json}")
        #expect(device.associatedDomainsDevelopment == ["name": "a.json"])
    }

    @Test(arguments: [49_998, 49_999]) func keysCount(_ count: Int) {
        let members = (0..<count).map { "k\($0): 1" }.joined(separator: "\n")
        let finding = YAMLLimits.finding(in: "a:\n- 1\n" + members, of: "file")
        // The object, its first key, a list and its element come first.
        #expect((finding == nil) == (4 + 2 * count <= YAMLLimits.maximumValueCount))
    }

    /// A long text with many aliases is short in memory, but not in what is written from it.
    @Test(arguments: [7, 8]) func textIsLimited(_ count: Int) {
        let aliases = Array(repeating: "*a", count: count).joined(separator: ", ")
        let text = "- &a \(String(repeating: "x", count: 1 << 20))\n- [\(aliases)]"
        let finding = YAMLLimits.finding(in: text, of: "file")
        let message = "the file has more than 8 MiB of text, aliases replaced"
        #expect(finding?.message == (count == 7 ? nil : message))
    }

    @Test func laterAnchorReplacesAnEarlierOne() throws {
        let text = "- &a [1, 2, 3]\n- &a x\n- {*a : 1}"
        #expect(YAMLLimits.finding(in: text, of: "file") == nil)
    }

    /// Returns the number of events up to the first one that exceeds a limit.
    private func eventCount(untilLimitOf text: String) -> Int {
        var text = text
        return text.withUTF8 { bytes in
            let events = YAMLEvents(bytes)
            var limits = YAMLLimits()
            var count = 0
            while let event = events.next() {
                count += 1
                if limits.problem(with: event) != nil { break }
            }
            return count
        }
    }

    @Test func depthIsLimited() {
        var text = "name: iPad\napps: []\na0: &a0 [1]\n"
        for level in 1...200 { text += "a\(level): &a\(level) [*a\(level - 1)]\n" }
        let error = #expect(throws: FileFindings.self) {
            try DeviceText.device(text)
        }
        #expect(error?.findings.first?.message == "lists and objects are nested deeper than 128")
    }

    @Test(arguments: [128, 129, 900]) func nestingIsLimited(_ depth: Int) {
        let text = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        let finding = YAMLLimits.finding(in: text, of: "file")
        #expect(finding?.message == (depth == 128 ? nil : "lists and objects are nested deeper than 128"))
        #expect(depth == 128 || finding?.place.column == 129)
    }

    /// The parser itself refuses more than 1,000 levels, before it passes on the first one.
    @Test func nestingThatTheParserRefusesIsAnError() {
        #expect(throws: FileFindings.self) {
            try DeviceText.device(String(repeating: "[", count: 100_000))
        }
    }
}
