import ArgumentParser
import PushRules
import Testing
import WaypostSchema
import WaypostTestSupport

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

    // MARK: An app's types

    private static let app = """
        bundleIdentifier: com.example.football
        scenes: []
        liveActivityTypes: { Match: { contentState: { goals: Int } } }
        """

    /// Returns the lines of all findings about an update of a Live Activity, without their files.
    private static func update(against file: String, _ options: [String] = []) throws -> [String] {
        let folder = try ScratchFolder()
        let update = #"{"aps":{"event":"update","timestamp":1790000000,"content-state":{"goals":1.5}}}"#
        let arguments = [
            "--app", try folder.write(file.utf8, to: "app.yaml"), try folder.write(update.utf8, to: "update.json"),
        ]
        let command = try PayloadCheckCommand.parse(arguments + options)
        let reports = try withExtendedLifetime(folder) {
            try command.reports(at: Timestamp(milliseconds: 1_790_000_000_000))
        }
        return reports.flatMap { file in
            file.report.findings.map { "\($0.severity.rawValue): \($0.message)" }
        }
    }

    private static let failure = """
        error: content-state.goals is 1.5; the app expects Int, a whole number (APNs answers 200, and the device \
        drops the push)
        """

    private static func device(_ apps: [String]) -> String {
        "name: Phone\napps:\n" + apps.map { "  - { bundleIdentifier: \($0), scenes: [] }\n" }.joined()
    }

    @Test func liveActivityMustDecodeIntoTheTypesOfTheApp() throws {
        #expect(try Self.update(against: Self.app) == [Self.failure])
        let types = "liveActivityTypes: { Match: { contentState: { goals: Int } } }"
        let device = """
            name: Phone
            apps:
              - { bundleIdentifier: com.example.clock, scenes: [] }
              - { bundleIdentifier: com.example.football, scenes: [], \(types) }
              - { bundleIdentifier: com.example.rugby, scenes: [], \(types.replacing("Int", with: "Double")) }
            """
        #expect(try Self.update(against: device, ["--app-id", "com.example.football"]) == [Self.failure])
        #expect(try Self.update(against: device, ["--app-id", "com.example.rugby"]) == [])
        let several = #expect(throws: CommandFailure.self) { try Self.update(against: device) }
        #expect(several?.status == .unusableInput)
        #expect(several?.message?.hasSuffix("--app-id: com.example.football, com.example.rugby") == true)
        let other = #expect(throws: CommandFailure.self) {
            try Self.update(against: device, ["--app-id", "com.example.clock"])
        }
        #expect(other?.message?.hasSuffix("com.example.clock has no 'liveActivityTypes'") == true)
    }

    @Test func fileWithoutTypesIsUnusable() throws {
        let app = "bundleIdentifier: com.example.clock\nscenes: []\n"
        let failure = #expect(throws: CommandFailure.self) { try Self.update(against: app) }
        #expect(failure?.message?.hasSuffix("has no app with 'liveActivityTypes'") == true)
        let wrong = #expect(throws: CommandFailure.self) {
            try Self.update(against: Self.device(["com.example.clock"]), ["--app-id", "com.example.tv"])
        }
        #expect(wrong?.message?.hasSuffix("does not describe com.example.tv; it has com.example.clock") == true)
    }

    @Test(arguments: [
        (["--app", "app.yaml", "--push-type", "voip"], "use it with --push-type liveactivity"),
        (["--app-id", "com.example.tv"], "--app-id needs --app"),
    ])
    func optionsOfTypesAreForLiveActivities(_ arguments: [String], _ message: String) throws {
        try expectRefusal(of: PayloadCheckCommand.self, arguments, message)
    }
}
