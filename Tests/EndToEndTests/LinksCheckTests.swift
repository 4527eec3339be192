import Foundation
import Testing
import WaypostSchema
import WaypostTestSupport

/// `waypost links check` with a file.
@Suite(.timeLimit(.minutes(5))) struct LinksCheckTests {
    struct Case: CustomTestStringConvertible {
        var testDescription: String
        var text: String
        var codes: [AssociationFinding.Code]
        var status: Int32
    }

    private static let good = #"""
        {"applinks":{"details":[{"appIDs":["ABCDE12345.com.example.clowntown"],"components":[{"/":"/clowns/*"}]}]}}
        """#

    private static let cases = [
        Case(testDescription: "good", text: good, codes: [], status: 0),
        Case(
            testDescription: "unused variable",
            text: good.replacing(#"{"applinks":{"#, with: #"{"applinks":{"substitutionVariables":{"a":["b"]},"#),
            codes: [.unusedVariable],
            status: 0
        ),
        Case(
            testDescription: "no leading slash",
            text: good.replacing("/clowns/*", with: "clowns/*"),
            codes: [.noLeadingSlash],
            status: 0
        ),
        Case(testDescription: "not an object", text: "[]", codes: [.wrongType], status: 1),
        Case(testDescription: "truncated", text: "{\"applinks\":\n {", codes: [.notJSON], status: 1),
        Case(testDescription: "empty", text: "", codes: [.notJSON], status: 1),
        Case(
            testDescription: "too large",
            text: good + String(repeating: " ", count: 128 * 1_024),
            codes: [.tooLarge],
            status: 1
        ),
    ]

    private func check(_ text: String, _ format: String) async throws -> Program.Result {
        try await Program.run("waypost", ["links", "check", "--association", "-", "--format", format], input: text)
    }

    @Test(arguments: cases) func statusIsOneOnlyIfThereIsAnError(_ example: Case) async throws {
        let result = try await check(example.text, "jsonl")
        #expect(result.status == example.status)
        #expect(result.errors.isEmpty)
        let findings = try result.output.split(separator: "\n").map {
            try JSONDecoder().decode(AssociationFinding.self, from: Data($0.utf8))
        }
        #expect(findings.map(\.code) == example.codes, "\(result.output)")
        #expect(findings.contains { $0.severity == .error } == (example.status == 1))
    }

    @Test(arguments: cases) func jsonDocumentHasTheFindingsOfTheLines(_ example: Case) async throws {
        let (lines, document) = (try await check(example.text, "jsonl"), try await check(example.text, "json"))
        #expect(document.status == example.status)
        let findings = try JSONDecoder().decode([AssociationFinding].self, from: Data(document.output.utf8))
        let expected = try lines.output.split(separator: "\n").map {
            try JSONDecoder().decode(AssociationFinding.self, from: Data($0.utf8))
        }
        #expect(findings == expected)
    }

    @Test(arguments: cases) func tableNamesTheFindings(_ example: Case) async throws {
        let result = try await check(example.text, "table")
        #expect(result.status == example.status)
        for code in example.codes { #expect(result.output.contains("(\(code.rawValue))\n  "), "\(result.output)") }
        #expect((result.output == "no problems found\n") == example.codes.isEmpty)
    }

    @Test func tableShowsThePlaceAndTheReplacement() async throws {
        let text = Self.good.replacing("/clowns/*", with: "clowns/*").replacing(
            #""components""#,
            with: "\n\"components\""
        )
        let result = try await check(text, "table")
        let lines = result.output.split(separator: "\n")
        #expect(lines.first?.hasPrefix("warning  line 2, column ") == true, "\(result.output)")
        #expect(
            lines.first?.contains("  applinks.details[0].components[0]  (noLeadingSlash)") == true,
            "\(result.output)"
        )
        #expect(lines.contains { $0.hasPrefix("  instead: ") }, "\(result.output)")
    }

    @Test func fileIsReadByItsPath() async throws {
        let files = try LinkFiles()
        let result = try await Program.run("waypost", ["links", "check", "--association", files.association])
        #expect(result.status == 0, "\(result.output)")
        #expect(result.errors.isEmpty)
    }

    @Test(
        arguments: [
            (LinkFiles.notes, 0, ""), ("ABCDE12345.com.example.Notes", 1, "which differs in case, and case counts"),
            ("ABCDE12345.org.example.juggler", 1, "the file has no entry for ABCDE12345.org.example.juggler"),
        ] as [(String, Int32, String)]
    )
    func fileMustNameTheApp(_ app: String, status: Int32, message: String) async throws {
        let files = try LinkFiles()
        let result = try await Program.run("waypost", ["links", "check", files.association, "--app", app])
        #expect(result.status == status, "\(result.output)")
        #expect(result.output.contains(#""code":"appNotInFile""#) == (status == 1), "\(result.output)")
        #expect(status == 0 || result.output.contains(message), "\(result.output)")
    }

    /// A pipe whose writer has closed it is a file, too.
    @Test func fileMayBeAPipe() async throws {
        let command = "\(BuiltPrograms.path(of: "waypost")) links check --association <(echo '[]')"
        let result = try await Program.run("bash", ["-c", command])
        #expect(result.status == 1)
        #expect(result.output.contains(#""code":"wrongType""#))
    }
}
