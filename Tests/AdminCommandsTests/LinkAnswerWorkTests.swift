import Testing
import UniversalLinks
import WaypostSchema

@testable import AdminCommands

/// URLs that exceed the work limit have the same answer in answer lines and in single answers.
@Suite struct LinkAnswerWorkTests {
    @Test func costlyFileHasTheSameAnswersInLines() throws {
        let entries = ["a", "b", "c"].map { app in
            let pattern = "/" + String(repeating: "*$(lang)", count: 30) + app
            let rules = (0..<100).map { #"{"/":"\#(pattern)\#($0)"}"# }.joined(separator: ",")
            return #"{"appIDs":["ABCDE12345.com.example.\#(app)"],"components":[\#(rules)]}"#
        }
        let text = #"{"applinks":{"details":[\#(entries.joined(separator: ","))]}}"#
        let matcher = AssociationMatcher(try AssociationFile(Array(text.utf8)))
        let query = try LinkQuery(matcher: matcher, app: nil, domain: nil)
        let url = "https://a.example/" + String(repeating: "enfrdeitesptnl", count: 60)
        var (answers, lines) = (LinkAnswerLines(query), "")
        try answers.append(answersTo: url, to: &lines)
        #expect(
            lines == (try query.decisions(on: url, tracing: false).map { try JSONOutput.line($0) + "\n" }.joined())
        )
    }
}
