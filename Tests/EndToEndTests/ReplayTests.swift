import Foundation
import Testing
import WaypostSchema
import WaypostTestSupport

/// `waypost replay` and `waypost search`, with the journal of `docs/journal.md`.
@Suite(.timeLimit(.minutes(1))) struct ReplayTests {
    private static let tv = "com.example.tv"
    private static let lasso = "https://tv.example/shows/lasso"

    private let journal: String

    init() throws {
        let page = Repository.root.appending(path: "docs/journal.md")
        journal = try Repository.lines(of: page).map { $0.trimmingCharacters(in: .whitespaces) }
            .filter { $0.hasPrefix("{") }
            .joined(separator: "\n")
    }

    private func replay(_ arguments: [String], _ input: String? = nil) async throws -> Program.Ended {
        try await Program.run("waypost", ["replay", "-"] + arguments, input: input ?? journal)
    }

    private static func values<Value: Decodable>(_ type: Value.Type, _ text: String) throws -> [Value] {
        try text.split(separator: "\n").map { try JSONDecoder().decode(Value.self, from: Data($0.utf8)) }
    }

    @Test func shelfListsTheItemsWithTheirScores() async throws {
        let ended = try await replay(["--shelf", Self.tv])
        #expect(ended.status == 0, "\(ended.errors)")
        let report = try #require(try Self.values(ShelfReport.self, ended.output).first)
        #expect(report.items.map(\.highlight.url) == [Self.lasso + "?utm_source=share"])
        #expect(report.curated && report.total == 1)
        let rank = try #require(report.items.first?.rank)
        #expect(rank.terms.map(\.points).reduce(0, +) == rank.score)
    }

    @Test func tableIsTheOneInTheDocumentation() async throws {
        let page = try Repository.lines(of: Repository.root.appending(path: "docs/journal.md"))
        let ended = try await replay(["--shelf", Self.tv, "--format", "table"])
        for line in ended.output.split(separator: "\n") {
            #expect(page.contains("    \(line)"), "\(line)")
        }
    }

    @Test func timeCanBeChosen() async throws {
        let before = try await replay(["--shelf", Self.tv, "--at", "2022-06-07T10:00:30Z"])
        #expect(try Self.values(ShelfReport.self, before.output).map(\.state) == [.empty])
        let fresh = try await replay(["--shelf", Self.tv, "--at", "1654596060000"])
        #expect(try Self.values(ShelfReport.self, fresh.output).map(\.curationGap) == [.tooRecent])
        let later = try await replay(["--shelf", Self.tv, "--at", "2032-01-01T00:00:00Z"])
        #expect(try Self.values(ShelfReport.self, later.output).map(\.curated) == [true])
    }

    @Test func explanationMarksTheDecidingGate() async throws {
        let url = "https://tv.example/films/1"
        let ended = try await replay(["--explain", url, "--format", "table"])
        #expect(ended.status == 1)
        #expect(ended.errors.isEmpty)
        let marked = ended.output.split(separator: "\n").filter { $0.hasPrefix("▶") }
        #expect(marked.count == 1)
        #expect(marked.first?.contains("messageSeen") == true)
        let answer = try await replay(["--explain", Self.lasso, "--app", Self.tv])
        #expect(answer.status == 0)
        let explanation = try #require(try Self.values(LinkExplanation.self, answer.output).first)
        #expect(explanation.gates.map(\.gate) == SurfacingGate.allCases)
        #expect(explanation.gates.allSatisfy { $0.status == .pass })
    }

    @Test func effectsNameTheirJournalLines() async throws {
        let ended = try await replay(["--effects", "--format", "table"])
        #expect(ended.status == 0)
        #expect(ended.output.contains("line 5  linkPinned  com.example.tv receives update 2: ready, 1 in all"))
        #expect(ended.output.contains("line 5  linkPinned  offer: "))
    }

    @Test func searchFindsByTheTextOfTheMessage() async throws {
        let found = try await Program.run("waypost", ["search", "have SEE"], input: journal)
        #expect(found.status == 0)
        #expect(try Self.values(FoundLink.self, found.output).map(\.isPinned) == [true])
        let nothing = try await Program.run("waypost", ["search", "balloons"], input: journal)
        #expect(nothing.status == 1)
        #expect(nothing.output.isEmpty)
    }

    @Test(arguments: [
        (
            #"{"at":1,"type":"messageSeen"}"#,
            "line 1: 'type': 'messageSeen' is not one of deviceDescribed, appInstalled,"
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
        let ended = try await replay([], journal)
        #expect(ended.status == 2)
        #expect(ended.errors.contains(message), "\(ended.errors)")
    }

    @Test func unknownAppIsReportedWithTheKnownOnes() async throws {
        let ended = try await replay(["--shelf", "com.example.radio"])
        #expect(ended.status == 2)
        #expect(ended.errors.contains("the app com.example.radio is not on the device; its apps are: com.example.tv"))
    }
}
