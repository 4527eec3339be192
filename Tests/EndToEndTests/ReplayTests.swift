import Foundation
import Testing
import WaypostSchema
import WaypostTestSupport

/// `waypost replay`, and the commands that read a journal with `--journal`, with the journal of `docs/journal.md`.
@Suite(.timeLimit(.minutes(5))) struct ReplayTests {
    private static let tv = "com.example.tv"
    private static let lasso = "https://tv.example/shows/lasso"

    private let journal: String

    init() throws {
        let page = Repository.root.appending(path: "docs/journal.md")
        journal = try Repository.lines(of: page).map { $0.trimmingCharacters(in: .whitespaces) }
            .filter { $0.hasPrefix("{") }
            .joined(separator: "\n")
    }

    private func replay(_ arguments: [String], _ input: String? = nil) async throws -> Program.Result {
        try await Program.run("waypost", ["replay", "-"] + arguments, input: input ?? journal)
    }

    private func shelf(_ app: String = Self.tv, _ arguments: String...) async throws -> Program.Result {
        try await Program.run("waypost", ["device", "shelf", app, "--journal", "-"] + arguments, input: journal)
    }

    private func explain(_ url: String, _ arguments: String...) async throws -> Program.Result {
        try await Program.run("waypost", ["device", "explain", url, "--journal", "-"] + arguments, input: journal)
    }

    private static func values<Value: Decodable>(_ type: Value.Type, _ text: String) throws -> [Value] {
        try text.split(separator: "\n").map { try JSONDecoder().decode(Value.self, from: Data($0.utf8)) }
    }

    @Test func pageOfARunningDeviceIsReplayed() async throws {
        let entries = journal.split(separator: "\n").joined(separator: ",")
        let page = #"{"entries":[\#(entries)],"next":99}"#
        let (whole, paged) = (try await replay(["--effects"]), try await replay(["--effects"], page))
        #expect(paged.status == 0, "\(paged.errors)")
        #expect(paged.output.split(separator: "\n").count == whole.output.split(separator: "\n").count)
    }

    @Test func keysThatAnAgentAddsAreKnown() async throws {
        let lines = journal.split(separator: "\n").map { $0.dropLast() + #","safe":1,"checksum":"9ae0daaf"}"# }
        #expect(try await replay([], lines.joined(separator: "\n")).errors.isEmpty)
        let misspelled = try await replay([], #"{"at":1,"type":"lockSet","isOn":true,"isonn":false}"#)
        #expect(misspelled.errors.contains("unknown key 'isonn'") && !misspelled.errors.contains("entries"))
    }

    @Test func shelfListsTheItemsWithTheirScores() async throws {
        let result = try await shelf()
        #expect(result.status == 0, "\(result.errors)")
        let report = try #require(try Self.values(ShelfReport.self, result.output).first)
        #expect(report.items.map(\.highlight.url) == [Self.lasso + "?utm_source=share"])
        #expect(report.curated && report.total == 1)
        let rank = try #require(report.items.first?.rank)
        #expect(rank.terms.map(\.points).reduce(0, +) == rank.score)
    }

    @Test func tableIsTheOneInTheDocumentation() async throws {
        let page = try Repository.lines(of: Repository.root.appending(path: "docs/journal.md"))
        let result = try await shelf(Self.tv, "--format", "table")
        for line in result.output.split(separator: "\n") {
            #expect(page.contains("    \(line)"), "\(line)")
        }
    }

    @Test func timeCanBeChosen() async throws {
        let before = try await shelf(Self.tv, "--at", "2022-06-07T10:00:30Z")
        #expect(try Self.values(ShelfReport.self, before.output).map(\.state) == [.empty])
        let fresh = try await shelf(Self.tv, "--at", "1654596060000")
        #expect(try Self.values(ShelfReport.self, fresh.output).map(\.curationGap) == [.tooRecent])
        let later = try await shelf(Self.tv, "--at", "2032-01-01T00:00:00Z")
        #expect(try Self.values(ShelfReport.self, later.output).map(\.curated) == [true])
    }

    @Test func explanationMarksTheDecidingGate() async throws {
        let url = "https://tv.example/films/1"
        let result = try await explain(url, "--shelves", "--format", "table")
        #expect(result.status == 1)
        #expect(result.errors.isEmpty)
        let marked = result.output.split(separator: "\n").filter { $0.hasPrefix("▶") }
        #expect(marked.count == 1)
        #expect(marked.first?.contains("messageSeen") == true)
        let answer = try await explain(Self.lasso, "--app", Self.tv)
        #expect(answer.status == 0)
        let explanation = try #require(try Self.values(LinkExplanation.self, answer.output).first)
        #expect(explanation.gates.map(\.gate) == SurfacingGate.allCases)
        #expect(explanation.gates.allSatisfy { $0.status == .pass })
    }

    @Test func effectsNameTheirJournalLines() async throws {
        let result = try await replay(["--effects", "--format", "table"])
        #expect(result.status == 0)
        #expect(result.output.contains("line 5  linkPinned  com.example.tv receives update 2: ready, 1 in all"))
        #expect(result.output.contains("line 5  linkPinned  offer: "))
    }

    @Test func searchFindsByTheTextOfTheMessage() async throws {
        let search = ["device", "search", "--journal", "-"]
        let found = try await Program.run("waypost", search + ["have SEE"], input: journal)
        #expect(found.status == 0)
        #expect(try Self.values(FoundLink.self, found.output).map(\.isPinned) == [true])
        let nothing = try await Program.run("waypost", search + ["balloons"], input: journal)
        #expect(nothing.status == 1)
        #expect(nothing.output.isEmpty)
    }

    @Test(arguments: [
        (
            #"{"at":1,"type":"messageSeen"}"#,
            "line 1: 'type': 'messageSeen' is not one of the"
        ),
        (#"{"at":1,"type":"messageDeleted"}"#, "line 1: 'message' is required"),
        (#"{"at":1,"type":"sharingSet","isOn":false}"#, #"exactly one of "everywhere":true, "app" and "conversation""#),
        (#"{"at":-1,"type":"timePassed"}"#, "'at' must be milliseconds since 1970"),
        (
            "{\"at\":2,\"type\":\"timePassed\"}\n{\"at\":1,\"type\":\"timePassed\"}",
            "line 2: 'at' is 1, which is before the 2 of"
        ),
        (#"{"at":1,"type":"timePassed""#, "line 1, column 28"),
    ])
    func invalidJournalLineIsReported(_ journal: String, _ message: String) async throws {
        let result = try await replay([], journal)
        #expect(result.status == 2)
        #expect(result.errors.contains(message), "\(result.errors)")
    }

    @Test func unknownAppIsReportedWithTheKnownOnes() async throws {
        let result = try await shelf("com.example.radio")
        #expect(result.status == 2)
        #expect(result.errors.contains("the app com.example.radio is not on the device; its apps are com.example.tv"))
    }
}
