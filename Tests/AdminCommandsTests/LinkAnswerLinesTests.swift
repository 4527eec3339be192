import Testing
import UniversalLinks
import WaypostSchema

@testable import AdminCommands

/// Answer lines, which cache the encoded answer of each rule, agree with single answers.
@Suite struct LinkAnswerLinesTests {
    private static let files = [
        // Two apps with the same rules, and one with other rules.
        #"""
        {"applinks": {"details": [
          {"appIDs": ["ABCDE12345.com.example.clowntown", "ABCDE12345.com.example.balloons"],
           "components": [{"/": "/clowns/bozo/*", "exclude": true}, {"/": "/clowns/*"}, {"#": "\"花\" \\"}]},
          {"appIDs": ["ABCDE12345.com.example.notes"], "paths": ["NOT /clowns/*", "*"]}
        ]}}
        """#,
        // An app with two entries, and an entry with an invalid application identifier.
        #"""
        {"applinks": {"details": [
          {"appIDs": ["ABCDE12345.com.example.clowntown"], "components": [{"/": "/clowns/crusty", "comment": "a\nb"}]},
          {"appIDs": ["花/\" 🤡"], "components": [{}]},
          {"appIDs": ["ABCDE12345.com.example.clowntown"], "components": [{"?": {"a": "?*"}}]}
        ]}}
        """#,
        #"{"applinks": {"details": []}}"#,
        #"{"webcredentials": {"apps": []}}"#,
    ]

    private static let urls = [
        "https://clowntown.example/clowns/crusty", "https://clowntown.example/clowns/crusty",
        "https://clowntown.example/clowns/bozo/1", "https://clowntown.example/", "https://clowntown.example",
        "http://CLOWNTOWN.example/clowns/crusty?a=b#c", "https://balloons.example/clowns/crusty",
        "https://clowntown.example:8443/clowns/x", "https://user@clowntown.example/clowns/x",
        #"https://clowntown.example/clowns/"crusty"\"#, "https://clowntown.example/clowns/花🤡#\"花\" \\",
        "https://clowntown.example/clowns/cafe\u{301}", "https://clowntown.example/clowns/caf\u{E9}",
        "https://clowntown.example/clowns/%22%2F%zz%", "https://clowntown.example/clowns/a b",
        "https://božena.example/",
        "https://clowntown.example/\u{2028}\u{FEFF}\u{85}", "https://clowntown.example/\u{7F}",
        "https://clowntown.example/\u{1}\t\u{8}", "mailto:crusty@clowntown.example", "clowns/crusty", "", "\"", "{}",
        "https://clowntown.example/" + String(repeating: "a", count: 17_000),
    ]

    struct Case: CustomTestStringConvertible {
        var file: String
        var app: String?
        var domain: String?
        var testDescription: String { "\(app ?? "all apps"), \(domain ?? "any domain"): \(file)" }
    }

    private static let cases = files.flatMap { file in
        [nil, "ABCDE12345.com.example.clowntown", "ABCDE12345.com.example.nobody", "\"花\""].flatMap { app in
            [nil, "clowntown.example", "Božena.Example"].map { Case(file: file, app: app, domain: $0) }
        }
    }

    @Test(arguments: cases) func linesAgreeWithSingleAnswers(_ example: Case) throws {
        let query = try LinkQuery(
            matcher: AssociationMatcher(try AssociationFile(Array(example.file.utf8))),
            app: example.app,
            domain: example.domain
        )
        var answers = LinkAnswerLines(query)
        for url in Self.urls {
            var lines = ""
            try answers.append(answersTo: url, to: &lines)
            let expected = try query.decisions(on: url, tracing: false).map { try JSONOutput.line($0) + "\n" }
            #expect(!expected.isEmpty)
            #expect(Array(lines.utf8) == Array(expected.joined().utf8), "\(url)")
        }
    }

    @Test func linesAreAppended() throws {
        let matcher = AssociationMatcher(try AssociationFile(Array(Self.files[0].utf8)))
        var answers = LinkAnswerLines(try LinkQuery(matcher: matcher, app: nil, domain: nil))
        var lines = "before\n"
        for url in Self.urls { try answers.append(answersTo: url, to: &lines) }
        #expect(lines.hasPrefix("before\n{"))
        #expect(lines.split(separator: "\n").count == 1 + 3 * Self.urls.count)
    }
}
