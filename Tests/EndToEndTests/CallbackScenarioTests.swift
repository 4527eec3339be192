import Foundation
import Testing
import WaypostSchema
import WaypostTestSupport

/// The action `callbacks`, and what a step says of an app that loses an event.
@Suite(.timeLimit(.minutes(5))) struct CallbackScenarioTests {
    /// A line of `Tests/Vectors/callbacks/mistakes.jsonl`.
    private struct Mistake: Decodable {
        var code: String
        var cause: String
        var state: String
        var system: Int?
        var broken: JSONValue
        var corrected: JSONValue

        /// Returns an app of a device file.
        static func app(_ identifier: String, _ callbacks: JSONValue) -> JSONValue {
            .object(["bundleIdentifier": .string(identifier), "scenes": .array([]), "callbacks": callbacks])
        }

        /// Returns a step that expects no mistake.
        func step(_ app: String) throws -> String {
            var question: [String: JSONValue] = [
                "device": .string("phone"), "app": .string(app), "cause": .string(cause), "state": .string(state),
            ]
            question["system"] = system.map { .integer($0) }
            let expectation: JSONValue = .object(["findings": .array([])])
            let line: JSONValue = .object(["callbacks": .object(question), "expect": expectation])
            return String(decoding: try JSONEncoder().encode(line), as: UTF8.self)
        }
    }

    /// The device has two apps for each mistake: the broken one fails with its code, and the corrected one passes.
    @Test func everyMistakeFailsWithItsCodeAndItsCorrectionPasses() async throws {
        let mistakes = try Repository.lines(of: Repository.vectors.appending(path: "callbacks/mistakes.jsonl"))
            .map { try JSONDecoder().decode(Mistake.self, from: Data($0.utf8)) }
        var apps: [JSONValue] = []
        var lines: [String] = []
        for (number, mistake) in mistakes.enumerated() {
            let (broken, corrected) = ("com.example.broken\(number)", "com.example.corrected\(number)")
            apps += [Mistake.app(broken, mistake.broken), Mistake.app(corrected, mistake.corrected)]
            lines += [try mistake.step(broken), try mistake.step(corrected)]
        }
        let folder = try ScratchFolder()
        let device: JSONValue = .object(["name": .string("phone"), "apps": .array(apps)])
        let file = try folder.write(try JSONEncoder().encode(device), to: "phone.yaml")
        let output = try await StepSessionTests.output(for: lines, device: file)
        let answers = output.written.filter { $0.outcome != nil }
        try #require(answers.count == lines.count, "\(output.errors)")
        for (number, mistake) in mistakes.enumerated() {
            let (broken, corrected) = (answers[2 * number], answers[2 * number + 1])
            #expect(broken.message == "expected findings none, got \(mistake.code)")
            #expect(broken.explanation?.contains("[\(mistake.code)]") == true)
            #expect(corrected.outcome == "passed", "\(mistake.code): \(corrected.message ?? "")")
        }
    }

    private static let phone = """
        {"name": "phone", "apps": [{"bundleIdentifier": "com.example.shop", "scenes": [], "callbacks": \
        {"sceneDelegate": ["willConnect", "openURLContexts"], "reads": ["urlContexts"]}}, \
        {"bundleIdentifier": "com.example.other", "scenes": []}]}
        """

    @Test(arguments: [
        (
            #"{"callbacks":{"device":"phone","app":"com.example.shop","cause":"icon","state":"foregroundActive"}}"#,
            "the cause cannot occur in this state: the scene is in the foreground already"
        ),
        (
            #"{"send":{"to":"phone","topic":"com.example.shop","title":"Sale"},"expect":{"deliveries":[]}}"#,
            "no scene opened; use the action 'callbacks' to ask about any other cause"
        ),
        (
            #"{"expect":{"device":"phone","visible":[],"within":"1s"}}"#,
            "phone has 2 apps; name the one of 'visible' with 'app'"
        ),
    ])
    func questionWithoutAnAnswerFails(_ line: String, _ message: String) async throws {
        let folder = try ScratchFolder()
        let file = try folder.write(Self.phone.utf8, to: "phone.yaml")
        let answer = try await StepSessionTests.output(for: [line], device: file).written.last { $0.outcome != nil }
        #expect(answer?.outcome == "failed")
        #expect(answer?.message == message)
    }

    @Test func sceneThatIsNotVisibleIsNamedWithItsState() async throws {
        let scenes = #"[{"persistentIdentifier":"main","state":"foregroundActive"},{"persistentIdentifier":"side"}]"#
        let device = #"{"name":"phone","apps":[{"bundleIdentifier":"com.example.shop","scenes":"# + scenes + "}]}"
        let folder = try ScratchFolder()
        let file = try folder.write(device.utf8, to: "phone.yaml")
        let lines = [
            #"{"expect":{"device":"phone","visible":["main"]}}"#,
            #"{"expect":{"device":"phone","visible":["side","main"],"within":"100ms"}}"#,
        ]
        let answers = try await StepSessionTests.output(for: lines, device: file).written.filter { $0.outcome != nil }
        #expect(answers.map(\.outcome) == ["passed", "failed"])
        #expect(answers.last?.message == "expected visible main, side, got main")
        #expect(answers.last?.explanation == "main: foregroundActive\nside: background")
    }

    /// A test in another language compares the calls itself.
    @Test func answerHasTheDeliveriesAndTheMistakes() async throws {
        let folder = try ScratchFolder()
        let file = try folder.write(Self.phone.utf8, to: "phone.yaml")
        let lines = [
            #"{"callbacks":{"device":"phone","app":"com.example.shop","cause":"customURL","state":"notRunning"}}"#,
            #"{"open":{"device":"phone","app":"com.example.shop"}}"#,
            #"{"callbacks":{"device":"phone","app":"com.example.other","cause":"customURL","state":"background"}}"#,
        ]
        let answers = try await StepSessionTests.output(for: lines, device: file).written.filter { $0.outcome != nil }
        try #require(answers.map(\.outcome) == ["passed", "passed", "passed"])
        let delivery = "scene(_:willConnectTo:options:) connectionOptions.urlContexts"
        #expect(answers[0].actual?["deliveries"] == .array([.string(delivery)]))
        #expect(answers[0].actual?["findings"] == .array([]))
        let call = "scene(_:willConnectTo:options:), connectionOptions.urlContexts"
        #expect(answers[0].callbacks?.contains(call) == true)
        #expect(answers[0].answer?["fate"] == .string("once"))
        #expect(answers[1].actual?["deliveries"] == .array([]))
        #expect(answers[2].warning?.contains("com.example.other has no 'callbacks'") == true)
    }

    /// The example of the page: the plug-in as it was, and then corrected.
    @Test(arguments: ["later", "never"]) func plugInThatIsNotCorrectedFails(_ setting: String) async throws {
        let file = Scenario.example("callbacks/cold-tap.yaml")
        let result = try await Program.run(
            "waypost",
            ["scenario", "run", file, "--format", "story", "--set", "setIn=\(setting)"]
        )
        #expect(result.status == 1)
        let isMistakeFound = result.output.contains("[notificationDelegateLate]")
        #expect(isMistakeFound == (setting == "later"), "\(result.output)")
        #expect(result.output.contains("the app loses the event"), "\(result.output)")
    }
}
