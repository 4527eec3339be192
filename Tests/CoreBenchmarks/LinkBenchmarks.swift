import UniversalLinks
import WaypostSchema

/// The matching of URLs against association files.
enum LinkBenchmarks {
    private static let app: ApplicationIdentifier = "ABCDE12345.com.example.clowntown"
    private static let fixture = "https://clowntown.example"

    /// The baseline of the other benchmarks.
    private static let oneRule = "match: 1 rule, matching"

    static func all() throws -> [Benchmark] {
        let folders = (0..<200).map { #"{"/":"/clowns/\#($0)/*"}"# }
        let mixed = (0..<40).flatMap { index in
            [
                #"{"/":"/clowns/\#(index)/*"}"#, #"{"/":"/shows/*/\#(index)","exclude":true}"#,
                #"{"/":"/help/*","?":{"article":"\#(index)??"}}"#, ##"{"#":"act-\##(index)"}"##,
                #"{"/":"/Tickets/\#(index)/*","caseSensitive":false}"#,
            ]
        }
        let localized = (0..<200).map { #"{"/":"/$(lang)_$(region)/clowns/\#($0)"}"# }
        return try [
            Benchmark(name: "read a URL") {
                (try? LinkURL(fixture + "/clowns/199/crusty?ref=42#top"))?.host.utf8.count ?? 0
            },
            match(oneRule, [folders[0]], "/clowns/0/crusty", .match, baseline: nil),
            match("match: 1 rule, not matching", [folders[0]], "/shows/crusty", .noMatch),
            match("match: 200 rules, the last one matching", folders, "/clowns/199/crusty", .match),
            match("match: 200 rules, none matching", folders, "/shows/crusty", .noMatch),
            match("match: 200 rules of all kinds, none matching", mixed, "/elsewhere?ref=42#top", .noMatch),
            match("match: 200 rules with $(lang)_$(region), none matching", localized, "/en_US/shows/1", .noMatch),
        ]
    }

    /// Parses a URL and matches it.
    private static func match(
        _ name: String,
        _ rules: [String],
        _ path: String,
        _ expected: LinkDecision.Outcome,
        baseline: String? = oneRule
    ) throws -> Benchmark {
        let rules = rules.joined(separator: ",")
        let text = #"{"applinks":{"details":[{"appIDs":["\#(app)"],"components":[\#(rules)]}]}}"#
        let matcher = AssociationMatcher(try AssociationFile(Array(text.utf8)))
        let url = fixture + path
        precondition(matcher.decision(on: url, for: app).outcome == expected)
        return Benchmark(name: name, baseline: baseline) {
            (try? LinkURL(url)).map { matcher.match($0, for: app).outcome == expected ? 1 : 0 } ?? -1
        }
    }
}
