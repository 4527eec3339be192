import Foundation
import PushRules
import Testing
import WaypostSchema
import WaypostTestSupport

/// The table of push types.
@Suite struct PushTypeContractTests {
    @Test func everyPushTypeHasOneRow() {
        let types = PushTypeContract.all.compactMap(\.pushType)
        #expect(types == types.sorted { $0.rawValue < $1.rawValue })
        #expect(Set(types) == PushType.documented)
        #expect(types.count == 12)
    }

    @Test func schemaNamesThePushTypes() throws {
        let url = Repository.root.appending(path: "Core/WaypostSchema/schema-v1.json")
        let schema = try JSONDecoder().decode(JSONValue.self, from: Data(contentsOf: url))
        guard case .array(let names)? = schema["$defs"]?["PushType"]?["examples"] else {
            Issue.record("the schema names no push types")
            return
        }
        #expect(names.compactMap(\.string) == PushType.documented.map(\.rawValue).sorted())
    }

    @Test(
        arguments: [
            (.documented("a page"), true), (.stated(thread: 1), true), (.observed(2, "two issues"), true),
            (.observed(1, "an issue"), false), (.inferred, false),
        ] as [(Evidence, Bool)]
    )
    func onlyGoodEvidenceJustifiesARefusal(_ evidence: Evidence, isEnough: Bool) {
        #expect(evidence.justifiesRefusal == isEnough)
        #expect(Rule(1, .inferred, evidence).justifiesRefusal == isEnough)
    }

    @Test(
        arguments: [
            ("com.example.a.voip", "com.example.a", "voip"), ("com.example.a.voip-ptt", "com.example.a", "pushtotalk"),
            ("com.example.a.push-type.liveactivity", "com.example.a", "liveactivity"), ("com.example.a", nil, nil),
            (".voip", nil, nil), ("com.example.voipa", nil, nil),
        ] as [(Topic, Topic?, PushType?)]
    )
    func topicIsSplitAtItsSuffix(_ topic: Topic, base: Topic?, pushType: PushType?) {
        #expect(topic.split?.base == base)
        #expect(topic.split?.contract.pushType == pushType)
    }

    @Test(
        arguments: [
            (.alert, "pass.com.example.circus", nil), (.background, "pass.com.example.circus", nil),
            ("voip", "pass.com.example.voip", "voip"), (.alert, "com.example.pass", .alert),
        ] as [(PushType, Topic, PushType?)]
    )
    func passHasARowOfItsOwn(_ pushType: PushType, topic: Topic, expected: PushType?) {
        #expect(PushTypeContract.contract(for: pushType, topic: topic)?.pushType == expected)
    }

    @Test func unknownTypeHasNoRow() {
        #expect(PushType(rawValue: "telegram").contract == nil)
        #expect(PushTypeContract.contract(for: "telegram", topic: "com.example.a") == nil)
    }

    /// docs/push-types.md is made from the table; with `WAYPOST_WRITE_DOCS=1` it is written first.
    @Test func documentIsCurrent() throws {
        let url = Repository.root.appending(path: "docs/push-types.md")
        let expected = PushTypesDocument.text
        if ProcessInfo.processInfo.environment["WAYPOST_WRITE_DOCS"] == "1" { try Data(expected.utf8).write(to: url) }
        let isCurrent = try String(contentsOf: url, encoding: .utf8) == expected
        #expect(isCurrent, "to write it again: WAYPOST_WRITE_DOCS=1 make test FILTER=PushTypeContractTests")
    }
}
