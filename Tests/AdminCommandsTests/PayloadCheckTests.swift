import PushRules
import Testing
import WaypostSchema

@testable import AdminCommands

/// Tests of `waypost payload check`.
@Suite struct PayloadCheckTests {
    private static func lines(_ text: String, _ pushType: PushType = .alert) -> [String] {
        PayloadCheck.report(on: Array(text.utf8), for: pushType).findings
            .map { PayloadFileFinding(file: "p.json", finding: $0).text }
    }

    @Test func usualPayloadHasNoFindings() {
        #expect(Self.lines(#"{"aps":{"alert":"Hi","badge":3},"id":7}"#).isEmpty)
        #expect(Self.lines(#"{"Simulator Target Bundle":"a.b","aps":{"alert":"Hi"}}"#).isEmpty)
    }

    @Test func findingsHaveTheirPlaces() {
        let text = """
            {
              "aps": {
                "alert": 5,
                "target-content-id": "two words",
                "colour": "red"
              }
            }
            """
        #expect(
            Self.lines(text) == [
                "p.json:3:14: error: 'alert' must be a string or an object; it is 5 [wrongApsValue]",
                "p.json:4:26: warning: 'target-content-id' is 'two words', which is neither a URL nor an identifier "
                    + "without spaces [targetContentIdentifier]",
                "p.json:5:5: warning: 'colour' is ignored in 'aps'; put an app's own keys beside 'aps' [unknownApsKey]",
            ]
        )
    }

    @Test(arguments: [
        (#"{"aps":}"#, "p.json:1:8: error: the payload is not JSON"),
        ("", "p.json:1:1: error: the payload is not JSON"),
        (" [1]", "p.json:1:2: error: the payload must be a JSON object"),
    ])
    func payloadThatAPNsRefusesIsAnError(_ text: String, _ start: String) {
        #expect(Self.lines(text).first?.hasPrefix(start) == true, "\(Self.lines(text))")
    }

    @Test func sizeCountsWithoutSpaces() {
        func payload(_ count: Int) -> String {
            "{ \"aps\" : {\"badge\" : 1},\n  \"a\" : \"\(String(repeating: "x", count: count))\" }"
        }
        let overhead = #"{"a":"","aps":{"badge":1}}"#.utf8.count
        #expect(Self.lines(payload(4_096 - overhead)).map { $0.suffix(16) } == ["[nearlyTooLarge]"])
        #expect(
            Self.lines(payload(4_097 - overhead)) == [
                "p.json:1:1: error: the payload has 4097 bytes; push type alert accepts at most 4096 [PayloadTooLarge]"
            ]
        )
        #expect(Self.lines(payload(4_097 - overhead), "voip").isEmpty)
    }

    @Test func backgroundPushHasItsOwnRules() {
        #expect(
            Self.lines(#"{"aps":{"alert":"Hi"}}"#, .background) == [
                "p.json:1:8: error: 'aps' lacks 'content-available', which push type background needs; "
                    + "without it, the app is not started [backgroundContent]",
                "p.json:1:9: error: 'alert' does not belong into a background push; "
                    + "what the user sees needs the push type alert [backgroundContent]",
            ]
        )
    }

    @Test func unknownPushTypeIsRefused() throws {
        try expectRefusal(of: PayloadCheckCommand.self, ["--push-type", "banner"], "use one of alert, background")
    }
}
