import JSONScanning
import SchemaFiles
import Testing
import WaypostSchema

@testable import Scenarios

/// The lines of a session.
@Suite struct StepRequestTests {
    private static let maximumSize = 8 << 20

    /// Returns the messages about a line that is refused.
    private static func problems(of line: String, readsFiles: Bool = true) throws -> [String] {
        let schema = try FileSchema.scenario()
        var names = ScenarioNames()
        names.devices = ["Phone"]
        var id: JSONValue?
        do throws(FileFindings) {
            _ = try StepRequest(line, schema, names: names, readsFiles: readsFiles, id: &id)
            return []
        } catch {
            return error.findings.map(\.message)
        }
    }

    @Test(arguments: ["x", "\\"]) func longLineIsRefusedBeforeItIsParsed(_ text: String) throws {
        let line = String(repeating: text, count: Self.maximumSize + 1)
        #expect(try Self.problems(of: line) == ["the line has more than 8 MiB; write a shorter step"])
    }

    @Test(arguments: [
        (true, "the photo 'nobody.png' cannot be read: it does not exist"),
        (
            false,
            "the photo 'nobody.png' is on another machine, whose files are requested as text; write it as base64"
        ),
    ])
    func photographThatCannotBeReadIsAProblem(_ readsFiles: Bool, _ message: String) throws {
        let line = #"{"contact":{"device":"Phone","id":"enrique","handles":[],"photo":"nobody.png"}}"#
        let problems = try Self.problems(of: line, readsFiles: readsFiles)
        #expect(problems.first == message)
    }

    @Test func lineMayHaveTheMaximumSize() throws {
        let step = #"{"finish":true}"#
        let line = step + String(repeating: " ", count: Self.maximumSize - step.utf8.count)
        #expect(try Self.problems(of: line).isEmpty)
    }

    @Test(arguments: ["18446744073709551615", "\"a \u{85} b\"", "\"a \u{2028}\u{7F}\u{FEFF}\"", "[1.5,null]"])
    func identifierIsThatOfTheLine(_ text: String) throws {
        var id: JSONValue?
        let schema = try FileSchema.scenario()
        _ = try StepRequest("{\"id\":\(text),\"finish\":true}", schema, names: ScenarioNames(), id: &id)
        let expected = try DocumentDecoder.decode(JSONValue.self, from: text.utf8)
        #expect(id == expected)
    }

    /// YAML would refuse some characters of JSON, and fold lines at others.
    @Test func textIsThatOfTheLine() throws {
        var (id, names) = (JSONValue?.none, ScenarioNames())
        names.devices = ["Phone"]
        let text = "a \u{85} b\u{2028} c\u{7F}\u{FEFF}\u{FFFF}\u{E0067}\u{E007F}\u{AD}"
        let pairs = #"\ud83d\ude00\uD83D\uDE01"#
        let line = "{\"snapshot\":{\"device\":\"Phone\",\"name\":\"\(text)\(pairs)\"}}"
        let request = try StepRequest(line, try FileSchema.scenario(), names: names, id: &id)
        guard case .step(let step) = request else {
            Issue.record("the line is not a step")
            return
        }
        #expect(step.action == .snapshot(device: "Phone", name: text + "\u{1F600}\u{1F601}"))
    }

    /// YAML would refuse a tab at the beginning, and a key whose colon is on another line.
    @Test(arguments: ["\t{\t\"finish\"\r:\ttrue\t}\t", "{\r\"finish\"\t\r:\rtrue\r}\r"])
    func whitespaceOfJSONMayBeBetweenTokens(_ line: String) throws {
        #expect(try Self.problems(of: line).isEmpty)
    }
}
