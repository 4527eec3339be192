import Foundation
import Testing
import WaypostSchema

/// `waypost links match`.
@Suite(.timeLimit(.minutes(5))) struct LinksMatchTests {
    private let files: LinkFiles

    init() throws {
        files = try LinkFiles()
    }

    private func match(_ arguments: [String], input: String = "") async throws -> Program.Result {
        try await Program.run(
            "waypost",
            ["links", "match", "--association", files.association] + arguments,
            input: input
        )
    }

    private static func decisions(_ text: String) throws -> [LinkDecision] {
        try text.split(separator: "\n").map { try JSONDecoder().decode(LinkDecision.self, from: Data($0.utf8)) }
    }

    // MARK: - The filter

    @Test func eachLineHasAnAnswerForEveryApp() async throws {
        let urls = ["https://a.example/clowns/crusty", "https://a.example/notes/1?id=2", "mailto:a@b"]
        let result = try await match([], input: urls.joined(separator: "\n"))
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.errors.isEmpty)
        let decisions = try Self.decisions(result.output)
        #expect(decisions.map(\.url) == urls.flatMap { [$0, $0, $0] })
        let apps = [LinkFiles.clownTown, LinkFiles.balloons, LinkFiles.notes]
        #expect(decisions.map(\.app?.rawValue) == apps + apps + apps)
        #expect(
            decisions.map(\.reason) == [
                .matched, .matched, .noRuleMatched, .noRuleMatched, .noRuleMatched, .matched, .notWeb, .notWeb, .notWeb,
            ]
        )
        #expect(decisions.allSatisfy { $0.trace == nil })
    }

    @Test func answerHasTheDocumentedForm() async throws {
        let result = try await match(["--app", LinkFiles.clownTown], input: "https://a.example/clowns/crusty\n")
        let answer = """
            {"app":"ABCDE12345.com.example.clowntown",\
            "explanation":"applinks.details[0].components[1] is the first rule for ABCDE12345.com.example.clowntown \
            that the URL matches","line":8,"matched":true,"outcome":"match",\
            "place":"applinks.details[0].components[1]","reason":"matched","rule":"{\\"/\\":\\"/clowns/*\\"}",\
            "url":"https://a.example/clowns/crusty"}

            """
        #expect(result.output == answer)
    }

    @Test(
        arguments: [
            ("https://a.example/clowns/crusty", .match), ("https://a.example/clowns/bozo/1", .exclude),
            ("https://a.example/x", .noMatch), ("x", .noMatch), ("https://b.example/clowns/crusty", .match),
        ] as [(String, LinkDecision.Outcome)]
    )
    func onlyTheRequestedAppHasAnAnswer(_ url: String, _ outcome: LinkDecision.Outcome) async throws {
        let result = try await match(["--app", LinkFiles.balloons], input: url)
        #expect(result.status == 0)
        let decisions = try Self.decisions(result.output)
        #expect(decisions.map(\.outcome) == [outcome])
        #expect(decisions.map(\.app?.rawValue) == [LinkFiles.balloons])
    }

    @Test func urlOfAnotherDomainDoesNotMatch() async throws {
        let input = "https://a.example/clowns/1\nhttps://b.example/clowns/1\nhttps://A.example/clowns/1\n"
        let result = try await match(["--app", LinkFiles.clownTown, "--domain", "A.Example"], input: input)
        #expect(result.status == 0)
        #expect(try Self.decisions(result.output).map(\.reason) == [.matched, .otherDomain, .matched])
    }

    @Test(arguments: [
        ([], [true, true, true, false]), (["--language", "en"], [true, false, true, false]),
        (["--language", "EN", "--region", "us"], [true, false, false, false]),
        (["--region", "GB"], [false, false, true, false]),
    ])
    func languageAndRegionOptionsReplaceTheVariables(_ options: [String], _ matched: [Bool]) async throws {
        let paths = ["en-US", "de-US", "en-GB", "xx-US"]
        let input = paths.map { "https://a.example/\($0)/x\n" }.joined()
        let result = try await match(["--app", LinkFiles.clownTown] + options, input: input)
        #expect(result.status == 0, "\(result.errors)")
        #expect(try Self.decisions(result.output).map(\.matched) == matched)
    }

    @Test func traceHasTheResultOfEachRule() async throws {
        let input = "https://a.example/clowns/crusty\nhttps://a.example/x\nx\n"
        let result = try await match(["--trace", "--app", LinkFiles.clownTown], input: input)
        #expect(result.status == 0)
        let traces = try Self.decisions(result.output).map { $0.trace?.map(\.matched) }
        #expect(traces == [[false, true], [false, false, false], nil])
    }

    @Test func blankLinesAndWindowsLineEndingsAreNotURLs() async throws {
        let input = "\r\nhttps://a.example/clowns/1\r\n \t\n\n  https://a.example/clowns/2 \r\n"
        for options in [[], ["--trace"]] {
            let result = try await match(["--app", LinkFiles.clownTown] + options, input: input)
            #expect(result.status == 0)
            let urls = try Self.decisions(result.output).map(\.url)
            #expect(urls == ["https://a.example/clowns/1", "https://a.example/clowns/2"])
        }
    }

    @Test func emptyInputHasNoAnswers() async throws {
        for input in ["", "\n", "\r\n \n"] {
            let result = try await match([], input: input)
            #expect(result.status == 0)
            #expect(result.output.isEmpty && result.errors.isEmpty)
        }
    }

    @Test func filesAreReadInTheirOrder() async throws {
        let first = try files.write("https://a.example/clowns/1".utf8, to: "1")
        let second = try files.write("https://a.example/clowns/2\r\n".utf8, to: "2")
        let result = try await match(
            ["--app", LinkFiles.notes, second, "-", first],
            input: "https://a.example/clowns/3"
        )
        #expect(result.status == 0)
        #expect(try Self.decisions(result.output).map { $0.url.suffix(1) } == ["2", "3", "1"])
    }

    // MARK: - One URL

    @Test(
        arguments: [
            (["--url", "https://a.example/clowns/crusty"], 0), (["--url", "https://a.example/notes/1?id=1"], 0),
            (["--url", "https://a.example/clowns/bozo/1"], 1), (["--url", "https://a.example/x"], 1),
            (["--url", "x"], 1), (["--url", ""], 1), (["--url", "https://a.example/clowns/1", "--app", "nobody"], 1),
            (["--url", "https://a.example/clowns/1", "--app", LinkFiles.notes], 1),
            (["--url", "https://a.example/clowns/1", "--domain", "b.example"], 1),
        ] as [([String], Int32)]
    )
    func statusOfASingleURLIsItsAnswer(_ arguments: [String], _ status: Int32) async throws {
        let result = try await match(arguments)
        #expect(result.status == status)
        #expect(result.errors.isEmpty)
        let decisions = try Self.decisions(result.output)
        #expect(decisions.contains { $0.matched } == (status == 0))
        #expect(decisions.count == (arguments.contains("--app") ? 1 : 3))
    }

    @Test func answerToASingleURLHasATrace() async throws {
        let result = try await match(["--url", "https://a.example/clowns/crusty"])
        #expect(
            try Self.decisions(result.output).map { $0.trace?.map(\.matched) } == [
                [false, true], [false, true], [false],
            ]
        )
    }

    @Test func tableShowsEachRule() async throws {
        let result = try await match(["--url", "https://a.example/x", "--format", "table"])
        #expect(result.status == 1)
        for text in [
            "no_match  \(LinkFiles.clownTown)\n", "no_match  \(LinkFiles.notes)\n",
            #"  ✗ line 7  {"/":"/clowns/bozo/*","exclude":true}  the path '/x' does not match '/clowns/bozo/*'"#,
        ] {
            #expect(result.output.contains(text), "\(result.output)")
        }
    }

    @Test func tableOfTheFilterHasALineForEachAnswer() async throws {
        let result = try await match(["--format", "table"], input: "https://a.example/clowns/crusty\n")
        #expect(result.status == 0)
        #expect(result.output.hasPrefix("Outcome   App  "))
        #expect(result.output.split(separator: "\n").count == 5)
    }
}
