import Foundation
import SchemaFiles
import Testing
import WaypostSchema
import WaypostTestSupport

@testable import Scenarios

/// The changes that `--update` makes to a file.
@Suite struct SourceEditTests {
    private func edited(_ text: String, line: Int, column: Int, _ old: String, _ new: String) -> String? {
        var source = EditedSource(text)
        let place = SourcePlace(file: "x.yaml", line: line, column: column)
        let failed = source.apply([
            SourceEdit(place: place, field: "scene", oldValue: old, newValue: new, stepPlace: place)
        ])
        return failed.isEmpty ? source.text : nil
    }

    @Test(arguments: [
        ("expect: { scene: a } # why", "a", "b", "expect: { scene: b } # why"),
        ("expect: { scene: \"a\" }", "a", "b", "expect: { scene: \"b\" }"),
        ("expect: { scene: 'it''s' }", "it's", "who's", "expect: { scene: 'who''s' }"),
        ("expect: { scene: a }", "a", "b, c", "expect: { scene: \"b, c\" }"),
        ("expect: { scene: a }", "a", "x: y", "expect: { scene: \"x: y\" }"),
        ("expect: { scene: a }", "a", "true", "expect: { scene: \"true\" }"),
    ])
    func valueIsReplacedInItsOwnQuotes(_ text: String, _ old: String, _ new: String, _ expected: String) {
        #expect(edited(text, line: 1, column: 18, old, new) == expected)
    }

    @Test func fileWithTheLineBreaksOfWindowsKeepsThem() {
        #expect(edited("name: x\r\nscene: a\r\n", line: 2, column: 8, "a", "b") == "name: x\r\nscene: b\r\n")
    }

    @Test func otherLinesStayAsTheyAre() {
        let text = "# a comment\nexpect:\n  scene: a   # kept\n\nlast: 1\n"
        #expect(edited(text, line: 3, column: 10, "a", "b") == text.replacing("scene: a", with: "scene: b"))
    }

    @Test(arguments: [("a", ["b"]), ("${scene}", nil), ("a-${number}", nil)])
    func valueWithAVariableIsNotReplaced(_ text: String, _ expected: [String]?) {
        var step = Step(place: SourcePlace(file: "x.yaml", line: 1, column: 1))
        step.scalars["scene"] = .init(place: step.place, text: text)
        let failure = StepFailure("", [.init(field: "scene", expected: "a", actual: "b", replacement: ["b"])])
        #expect(SourceEdit.edits(for: failure, in: step)?.map(\.newValue) == expected)
    }

    @Test func laterEditsOfALineComeFirst() {
        var source = EditedSource("{ a: one, b: two }")
        let places = [("one", 6, "first"), ("two", 14, "second")]
        let edits = places.map { old, column, new in
            SourceEdit(
                place: SourcePlace(file: "x", line: 1, column: column),
                field: "f",
                oldValue: old,
                newValue: new,
                stepPlace: .init(file: "x", line: 1, column: 1)
            )
        }
        #expect(source.apply(edits).isEmpty)
        #expect(source.text == "{ a: first, b: second }")
    }
}

/// The changes that the runs of a matrix make with `--update`.
@Suite struct ScenarioUpdateTests {
    private func update(_ values: [String]) throws -> (text: String, failed: [String]) {
        let folder = try ScratchFolder()
        let file = try folder.write("expect: { scene: a } # why".utf8, to: "x.yaml")
        let results = values.map { value in
            let place = SourcePlace(file: file, line: 1, column: 18)
            let edit = SourceEdit(place: place, field: "scene", oldValue: "a", newValue: value, stepPlace: place)
            return ScenarioResult(
                name: "x",
                file: file,
                steps: [],
                edits: [edit],
                start: Timestamp(milliseconds: 0),
                duration: .zero
            )
        }
        let failed = try ScenarioUpdate.write(results)
        return (try String(contentsOfFile: file, encoding: .utf8), failed.map { $0.replacing(file, with: "x.yaml") })
    }

    @Test func runsThatAgreeChangeTheValueOnce() throws {
        let updated = try update(["b", "b"])
        #expect(updated.text == "expect: { scene: b } # why")
        #expect(updated.failed.isEmpty)
    }

    @Test func runsThatDifferChangeNothing() throws {
        let updated = try update(["b", "c"])
        #expect(updated.text == "expect: { scene: a } # why")
        #expect(
            updated.failed == [
                "x.yaml:1:18: scene: a → b: other runs of this step have another value",
                "x.yaml:1:18: scene: a → c: other runs of this step have another value",
            ]
        )
    }
}

/// The numbers for values that differ from run to run.
@Suite struct NumberingTests {
    @Test func valuesAreNumberedByTheirFirstUse() {
        var numbering = Numbering(start: Timestamp(milliseconds: 1_000))
        let token = String(repeating: "ab", count: 32)
        #expect(numbering.replaceVaryingValues(in: "to \(token) at 127.0.0.1:4711") == "to token-1 at port-1")
        #expect(numbering.replaceVaryingValues(in: "127.0.0.1:4712, 127.0.0.1:4711") == "port-2, port-1")
        #expect(numbering.replaceVaryingValues(in: "00000000-0000-4000-8000-000000000001") == "id-1")
    }

    @Test func timesAreRelativeToTheStart() {
        var numbering = Numbering(start: Timestamp(milliseconds: 2_524_608_000_000))
        #expect(numbering.replaceVaryingValues(in: .integer(2_524_608_000_250)) == .string("+250 ms"))
        #expect(numbering.replaceVaryingValues(in: .integer(5)) == .integer(5))
    }
}

/// The results as JUnit's XML.
@Suite struct JUnitReportTests {
    private func result(_ name: String, failure: StepFailure?) -> ScenarioResult {
        let place = SourcePlace(file: "a.yaml", line: 3, column: 5)
        let step = StepResult(
            number: 1,
            text: "open",
            place: place,
            outcome: failure == nil ? .passed : .failed,
            elapsed: 0,
            failure: failure
        )
        return ScenarioResult(
            name: name,
            file: "a.yaml",
            steps: [step],
            start: Timestamp(milliseconds: 0),
            duration: .milliseconds(1_250)
        )
    }

    @Test func failureHasItsMessageAndItsText() {
        let failure = StepFailure("expected scene <a> & \"b\"")
        let text = JUnitReport.text([result("one", failure: nil), result("two", failure: failure)])
        #expect(text.contains("<testsuites tests=\"2\" failures=\"1\" time=\"2.500\">"))
        #expect(text.contains("<testcase classname=\"a.yaml\" name=\"one\" time=\"1.250\"/>"))
        #expect(text.contains("message=\"expected scene &lt;a&gt; &amp; &quot;b&quot;\""))
        #expect(text.contains("a.yaml:3:5: expected scene"))
    }

    @Test func charactersThatXMLForbidsAreReplaced() {
        #expect(JUnitReport.text([result("a\u{1B}b", failure: nil)]).contains("name=\"a\u{FFFD}b\""))
    }
}

/// Values as YAML.
@Suite struct YAMLTextTests {
    @Test(arguments: [
        ("Crusty is near", "Crusty is near"), ("https://a.example/b", "https://a.example/b"), ("a: b", "\"a: b\""),
        ("5", "\"5\""), ("true", "\"true\""), ("off", "\"off\""), ("", "\"\""), ("a, b", "\"a, b\""),
        ("say \"hi\"", "say \"hi\""), ("\"hi\"", "\"\\\"hi\\\"\""), ("+1408", "\"+1408\""), ("a\nb", "\"a\\nb\""),
        ("${x}", "\"${x}\""), ("<<", "\"<<\""), ("a: \u{301}b", "\"a: \u{301}b\""), ("a:?b", "\"a:?b\""),
        ("a,\u{301}", "\"a,\u{301}\""), ("a \u{2028} b", "\"a \\u2028 b\""),
    ])
    func textIsQuotedIfItWouldNotStayAText(_ text: String, _ written: String) {
        #expect(YAMLText.scalar(text) == written)
    }

    /// A mark at the start of a key makes another character of the space before it.
    @Test(arguments: [
        "\u{2028}a", "\u{301}a", "\u{20E3}", String(decoding: [0xEF, 0xBF, 0xBF], as: UTF8.self),
    ])
    func textIsReadAsItWasWritten(_ text: String) throws {
        let long = JSONValue.string(text + String(repeating: "long ", count: 30) + "end")
        let list = JSONValue.array([.object([text: long])])
        let written = YAMLText.document([(text, .string(text)), ("list", list)])
        #expect(try FileText(written, file: "file").value == .object([text: .string(text), "list": list]))
    }

    @Test func longObjectsAreWrittenOnSeveralLines() {
        let long = String(repeating: "long ", count: 20) + "end"
        let text = YAMLText.document([("a", .object(["name": .string(long), "b": .string(long)]))])
        #expect(text == "a:\n  name: \(long)\n  b: \(long)\n")
    }
}
