import Foundation
import Testing
import WaypostSchema

/// All ways to ask `waypost links match` give the same answers.
@Suite(.timeLimit(.minutes(5))) struct LinksAgreementTests {
    private let files: LinkFiles

    init() throws {
        files = try LinkFiles()
    }

    private static let urls = [
        "https://a.example/clowns/crusty", "https://a.example/clowns/bozo/1", "https://a.example/",
        "https://a.example/notes/1?id=2#3", "http://A.example:80/clowns/1", "https://b.example/clowns/1",
        #"https://a.example/clowns/"crusty"\'<>&"#, "https://a.example/clowns/花🤡",
        "https://a.example/clowns/cafe\u{301}",
        "https://a.example/clowns/caf\u{E9}", "https://a.example/clowns/a b", "https://a.example/clowns/%2F%22%zz",
        "https://božena.example/clowns/1", "https://a.example/\u{2028}", "https://a.example/a\u{1}b\tc\u{7F}", "x",
        "\"",
        "{\"url\":\"x\"}", "clowntown://a.example/clowns/1", "https://", "https://a.example/\u{A0}\u{A0}.",
        "https://a.example/" + String(repeating: "x", count: 16_384),
    ]

    private func match(_ arguments: [String]) async throws -> String {
        let input = Self.urls.joined(separator: "\n") + "\n"
        let arguments = ["links", "match", "--association", files.association] + arguments
        let result = try await Program.run("waypost", arguments, input: input)
        #expect(result.status == 0, "\(result.errors)")
        return result.output
    }

    private static func lines(_ text: String) throws -> [LinkDecision] {
        try text.split(separator: "\n").map { try JSONDecoder().decode(LinkDecision.self, from: Data($0.utf8)) }
    }

    @Test(arguments: [[], ["--app", LinkFiles.clownTown], ["--app", "nobody"], ["--domain", "a.example"]])
    func linesAndJSONDocumentHaveTheSameAnswers(_ options: [String]) async throws {
        let lines = try Self.lines(try await match(options))
        let document = Data(try await match(options + ["--format", "json"]).utf8)
        #expect(lines == (try JSONDecoder().decode([LinkDecision].self, from: document)))
        #expect(lines.count == Self.urls.count * (options.first == "--app" ? 1 : 3))
    }

    @Test func traceChangesOnlyTheTraceAndTheHint() async throws {
        let lines = try Self.lines(try await match([]))
        let traced = try Self.lines(try await match(["--trace"]))
        #expect(lines.count == traced.count)
        for (line, traced) in zip(lines, traced) {
            var untraced = traced
            untraced.trace = nil
            // Only a traced decision names the closest rule.
            #expect(traced.explanation.hasPrefix(line.explanation))
            untraced.explanation = line.explanation
            #expect(untraced == line)
        }
    }

    @Test(arguments: [[], ["--trace"], ["--format", "json"]])
    func decisionContainsTheURLUnchanged(_ options: [String]) async throws {
        let text = try await match(options + ["--app", LinkFiles.clownTown])
        let decisions =
            options.contains("json")
            ? try JSONDecoder().decode([LinkDecision].self, from: Data(text.utf8)) : try Self.lines(text)
        #expect(decisions.map { Array($0.url.utf8) } == Self.urls.map { Array($0.utf8) })
    }

    @Test func singleURLHasTheSameAnswerAsInTheFilter() async throws {
        let traced = try Self.lines(try await match(["--trace"]))
        for (index, url) in Self.urls.enumerated() {
            let arguments = ["links", "match", "--association", files.association, "--url", url]
            let result = try await Program.run("waypost", arguments)
            #expect(try Self.lines(result.output) == Array(traced[(index * 3)..<(index * 3 + 3)]), "\(url)")
        }
    }
}
