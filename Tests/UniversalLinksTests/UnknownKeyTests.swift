import Testing
import UniversalLinks
import WaypostSchema

/// Unknown keys.
///
/// A key that resembles a known one is most likely a misspelling of it.
@Suite struct UnknownKeyTests {
    struct Case: CustomTestStringConvertible {
        var place: String
        var meant: String?
        var json: String
        var testDescription: String { "\(place), meant \(meant ?? "nothing known")" }

        init(_ place: String, _ meant: String?, _ json: String) {
            (self.place, self.meant, self.json) = (place, meant, json)
        }

        /// Creates a case of a key in a rule.
        init(rule key: String, _ meant: String?) {
            let isPlain = key.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) } && !key.isEmpty
            self.init(
                "applinks.details[0].components[0]" + (isPlain ? ".\(key)" : "[\"\(key)\"]"),
                meant,
                Clowntown.json(["{\"\(key)\":true}"])
            )
        }
    }

    private static let links = #"{"details":[{"appIDs":["A.b"],"components":[{}]}]"#

    @Test(arguments: [
        Case("appLinks", "applinks", #"{"appLinks":\#(links)}}"#),
        Case("applink", "applinks", #"{"applink":\#(links)}}"#),
        Case("webCredentials", "webcredentials", #"{"applinks":\#(links)},"webCredentials":{}}"#),
        Case("appclip", "appclips", #"{"applinks":\#(links)},"appclip":{}}"#),
        Case("applinks.detail", "details", #"{"applinks":{"detail":[]}}"#),
        Case("applinks.Apps", "apps", #"{"applinks":\#(links),"Apps":[]}}"#),
        Case("applinks.default", "defaults", #"{"applinks":\#(links),"default":{}}}"#),
        Case(
            "applinks.substitutionvariables",
            "substitutionVariables",
            #"{"applinks":\#(links),"substitutionvariables":{}}}"#
        ),
        Case(
            "applinks.details[0].appid",
            "appID",
            #"{"applinks":{"details":[{"appid":"A.b","components":[{}]}]}}"#
        ),
        Case(
            "applinks.details[0].appids",
            "appIDs",
            #"{"applinks":{"details":[{"appids":["A.b"],"components":[{}]}]}}"#
        ),
        Case(
            "applinks.details[0].appId",
            "appIDs",
            #"{"applinks":{"details":[{"appId":["A.b"],"components":[{}]}]}}"#
        ),
        Case(
            "applinks.details[0].AppIDs",
            "appID",
            #"{"applinks":{"details":[{"AppIDs":"A.b","components":[{}]}]}}"#
        ),
        Case(
            "applinks.details[0].component",
            "components",
            #"{"applinks":{"details":[{"appIDs":["A.b"],"component":[{}]}]}}"#
        ),
        Case(
            "applinks.details[0].path",
            "paths",
            #"{"applinks":{"details":[{"appIDs":["A.b"],"path":[],"components":[{}]}]}}"#
        ),
        Case(
            "applinks.defaults.casesensitive",
            "caseSensitive",
            #"{"applinks":\#(links),"defaults":{"casesensitive":true}}}"#
        ),
        Case(rule: "casesensitive", "caseSensitive"),
        Case(rule: "CaseSensitive", "caseSensitive"),
        Case(rule: "caseSensetive", "caseSensitive"),
        Case(rule: "percentencoded", "percentEncoded"),
        Case(rule: "percentEncode", "percentEncoded"),
        Case(rule: "Exclude", "exclude"),
        Case(rule: "excluded", "exclude"),
        Case(rule: "exlude", "exclude"),
        Case(rule: "comments", "comment"),
    ])
    func keyThatResemblesAKnownOneIsAWarningWithASuggestion(_ example: Case) throws {
        let findings = try AssociationFile(json: example.json).findings.filter { $0.code == .unknownKey }
        #expect(findings.map(\.place) == [example.place])
        #expect(findings.map(\.severity) == [.warning])
        #expect(findings.map(\.instead) == [example.meant.map { "\"\($0)\"" }])
    }

    @Test(arguments: [
        ("the known key is there, too", #"{"appIDs":["A.b"],"component":[],"components":[{}]}"#, #""components""#),
        ("only one key for apps is read", #"{"appIDs":["A.b"],"appid":"A.c","components":[{}]}"#, #""appID""#),
        ("the value has another type", #"{"appIDs":["A.b"],"component":{},"paths":["/x"]}"#, #""components""#),
    ])
    func suggestionThatDoesNotFitIsOnlyInTheMessage(_ reason: String, entry: String, key: String) throws {
        let findings = try AssociationFile(json: #"{"applinks":{"apps":[],"details":[\#(entry)]}}"#).findings
        let finding = try #require(findings.first { $0.code == .unknownKey }, "\(reason)")
        #expect(finding.severity == .warning)
        #expect(finding.instead == nil)
        #expect(finding.message.hasSuffix("; the nearest known key is \(key)"))
    }

    @Test(arguments: [
        Case("later", nil, #"{"applinks":\#(links)},"later":{}}"#),
        Case("applinks.later", nil, #"{"applinks":\#(links),"later":[]}}"#),
        Case(
            "applinks.details[0].later",
            nil,
            #"{"applinks":{"details":[{"appIDs":["A.b"],"later":1,"components":[{}]}]}}"#
        ),
        Case(rule: "until", nil),
        Case(rule: "paths", nil),
        Case(rule: "", nil),
        Case(rule: "//", nil),
        Case(rule: "&", nil),
    ])
    func keyThatResemblesNoKnownOneIsANote(_ example: Case) throws {
        let findings = try AssociationFile(json: example.json).findings.filter { $0.code == .unknownKey }
        #expect(findings.map(\.place) == [example.place])
        #expect(findings.map(\.severity) == [.note])
        #expect(findings.map(\.instead) == [nil])
    }

    @Test func commentOfAnEntryIsNotAFinding() throws {
        let json = #"{"applinks":{"details":[{"comment":"x","appIDs":["A.b"],"components":[{}]}]}}"#
        #expect(try AssociationFile(json: json).findings.isEmpty)
    }

    @Test func messageTruncatesALongKey() throws {
        let key = String(repeating: "k", count: 5_000)
        let findings = try AssociationFile(json: Clowntown.json(["{\"\(key)\":1}"])).findings
        #expect(findings.map(\.message) == ["\"\(key.prefix(120))…\" is not a known key here; it is ignored"])
    }
}
