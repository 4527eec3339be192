import Foundation
import Testing
import WaypostSchema

/// `waypost-agent --stdio`.
@Suite(.timeLimit(.minutes(5))) struct StepSessionTests {
    /// An answer, with the keys that these tests look at.
    struct Answer: Decodable {
        struct Difference: Decodable, Equatable {
            var field: String
            var expected: String
            var actual: String
        }

        struct Problem: Decodable {
            var column: Int
            var message: String
        }

        var id: JSONValue?
        var file: String?
        var outcome: String?
        var event: JSONValue?
        var actual: JSONValue?
        var answer: JSONValue?
        var message: String?
        var problems: [Problem]?
        var differences: [Difference]?
        var explanation: String?
        var callbacks: String?
        var warning: String?
    }

    /// Returns everything that an agent with an iPad writes for lines, and its exit status.
    static func output(
        for lines: [String],
        device: String = Scenario.example("town/devices/ipad.yaml"),
        options: [String] = []
    ) async throws -> (status: Int32, errors: String, written: [Answer]) {
        let folder = FileManager.default.temporaryDirectory.appending(path: "stdio-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let ready = folder.appending(path: "gateway.json").path
        let arguments = [
            "--store", "memory", "--clock", "manual", "--service", "127.0.0.1:0", "--courier", "127.0.0.1:0",
            "--provider-plaintext", "127.0.0.1:0", "--data", folder.path, "--ready-file", ready, "--exit-on-eof",
        ]
        let gateway = try await Program.whileRunning("waypost-gateway", arguments) { running in
            _ = try await running.value(after: "store")
            return try await Program.run(
                "waypost-agent",
                [
                    "--device", device, "--gateway-ready-file", ready, "--clock", "gateway", "--stdio",
                ] + options,
                input: lines.map { $0 + "\n" }.joined()
            )
        }
        let written = try gateway.value.output.split(separator: "\n").map { line in
            try JSONDecoder().decode(Answer.self, from: Data(line.utf8))
        }
        return (gateway.value.status, gateway.value.errors, written)
    }

    /// Returns the answers to lines.
    private static func answers(to lines: [String]) async throws -> [Answer] {
        try await output(for: lines).written.filter { $0.outcome != nil }
    }

    private static let send = """
        {"id":1,"send":{"to":"iPad","topic":"com.example.clowntown","title":"Crusty is near",\
        "target-content-id":"https://clowntown.example/clowns/crusty"}}
        """

    @Test func probableMistakeIsAWarning() async throws {
        let (_, errors, written) = try await Self.output(for: [
            #"{"fault":{"device":"iPad","kind":"respond","reason":"TooManyRequest"}}"#,
            #"{"fault":{"device":"iPad","kind":"respond","reason":"TooManyRequests"}}"#,
        ])
        let answers = written.filter { $0.outcome != nil }
        #expect(answers.map(\.outcome) == ["passed", "passed"], "\(errors)")
        #expect(answers.first?.warning?.hasSuffix("did you mean 'TooManyRequests'?") == true)
        #expect(answers.last?.warning == nil)
    }

    @Test func endlessLineEndsTheInput() async throws {
        // One byte more than the limit: a writer whose line is read no further would fail.
        let line = String(repeating: "x", count: (64 << 20) + 1)
        let (_, errors, written) = try await Self.output(for: [Self.send, line])
        #expect(written.filter { $0.outcome != nil }.map(\.outcome) == ["passed"])
        #expect(errors.contains("standard input: a line has more than 64 MiB"), "\(errors.prefix(500))")
    }

    @Test func everyLineHasItsAnswerInOrder() async throws {
        let lines = [
            Self.send, #"{"id":"two","open":{"device":"iPad","notification":"Crusty is near"}}"#,
            #"{"id":[3],"advance":"2h"}"#, #"{"finish":true}"#,
        ]
        let output = try await Self.output(for: lines)
        #expect(output.status == 0)
        let answers = output.written.filter { $0.outcome != nil }
        #expect(answers.map(\.id) == [.integer(1), .string("two"), .array([.integer(3)]), nil])
        #expect(answers.map(\.outcome) == ["passed", "passed", "passed", "passed"])
        #expect(answers[1].actual?["scene"] == .string("crusty-detail"))
        #expect(answers[1].actual?["reason"] == .string("prefers"))
        #expect(answers[1].explanation?.contains("won: prefers the content") == true)
    }

    @Test func eventsOfTheDevicesAreWrittenToo() async throws {
        let events = try await Self.output(for: [Self.send]).written.compactMap(\.event)
        #expect(events.first?["type"] == .string("notificationPosted"))
        #expect(events.first?["notification"]?["title"] == .string("Crusty is near"))
    }

    @Test func failedExpectationExplainsItself() async throws {
        let open = #"{"id":2,"open":{"device":"iPad","notification":"Crusty is near"},"expect":{"scene":"overview"}}"#
        let answer = try #require(try await Self.answers(to: [Self.send, open]).last)
        #expect(answer.outcome == "failed")
        #expect(answer.message == "expected scene overview, got crusty-detail")
        #expect(answer.differences == [.init(field: "scene", expected: "overview", actual: "crusty-detail")])
        #expect(answer.explanation?.contains("overview (foregroundActive): lost") == true)
    }

    @Test(arguments: [
        (#"{"id":1,"opn":{"device":"iPad"}}"#, 9, "unknown key 'opn'; did you mean 'open'?"),
        (#"{"id":1,"network":{"device":"iPd","state":"on"}}"#, 29, "'device' is 'iPd', which is no device"),
        ("nonsense", 1, "the line is not JSON: found 'o' where 'null' should be"),
        ("[]", 1, "the line is a list; a line is an object with 'id' and an action"),
        (#"{"id":1,"finish":1}"#, 9, "'finish' is always true, and stands alone"),
        ("", 1, "the line is not JSON: the JSON ends"),
        (#"{"id":1,"#, 1, "the line is not JSON: the JSON ends"),
    ])
    func lineThatIsNoStepIsRefusedWithItsColumn(_ line: String, _ column: Int, _ message: String) async throws {
        let answers = try await Self.answers(to: [line, Self.send])
        #expect(answers.map(\.outcome) == ["refused", "passed"])
        let problem = try #require(answers.first?.problems?.first)
        #expect(problem.column == column)
        #expect(problem.message.hasPrefix(message), "\(problem.message)")
        #expect(answers.first?.message == problem.message)
    }

    @Test func eventThatMustNeverHappenFailsTheEnd() async throws {
        let never = #"{"id":0,"expect":{"never":{"notification":"Crusty is near"}}}"#
        let answers = try await Self.answers(to: [never, Self.send, #"{"id":2,"finish":true}"#])
        #expect(answers.map(\.outcome) == ["passed", "passed", "failed"])
        #expect(answers.last?.message == "'Crusty is near' arrived on iPad, 0s after the start")
    }

    @Test func standingOfATokenDecidesTheAnswer() async throws {
        let answers = try await Self.answers(to: [
            #"{"id":0,"standing":{"device":"iPad","state":"expired"}}"#, Self.send,
            #"{"id":2,"standing":{"device":"iPad","state":"gone"}}"#,
        ])
        #expect(answers.map(\.outcome) == ["passed", "failed", "refused"])
        #expect(answers[1].message?.contains("ExpiredToken") == true)
        #expect(answers[2].message == "'state' is 'gone'; use active, unregistered, expired or wrongEnvironment")
    }

    @Test func appThatWasRemovedCanBeNamed() async throws {
        let app = #""device":"iPad","app":"com.example.clowntown""#
        let answers = try await Self.answers(to: [
            #"{"id":0,"uninstall":{\#(app)}}"#, Self.send, #"{"id":2,"reinstall":{\#(app)}}"#, Self.send,
            #"{"id":4,"reinstall":{"device":"iPad","app":"com.example.circus"}}"#,
            #"{"id":5,"uninstall":{\#(app),"after":"1h"}}"#,
        ])
        #expect(answers.map(\.outcome) == ["passed", "failed", "passed", "passed", "refused", "failed"])
        #expect(answers[0].warning?.contains("the token of iPad is also that of com.example.tv") == true)
        #expect(answers[1].message?.contains("DeviceTokenNotForTopic") == true)
        #expect(answers[5].message?.contains("'after' needs an app with 'tokens' of its own") == true)
    }

    @Test func agentCannotKillItself() async throws {
        let answers = try await Self.answers(to: [#"{"id":1,"kill":"iPad"}"#, #"{"id":2,"kill":"gateway"}"#])
        #expect(answers.map(\.outcome) == ["failed", "failed"])
    }

    /// The answers to requests of files, as another program gives them.
    private static func fileAnswers(_ texts: KeyValuePairs<String, String>) throws -> [String] {
        try texts.map { String(decoding: try JSONEncoder().encode(["file": $0, "text": $1]), as: UTF8.self) }
    }

    @Test func agentElsewhereRequestsDeviceFilesAndTheFilesThatTheseAndStepsName() async throws {
        let phone = """
            name: Phone
            apps:
              - {bundleIdentifier: com.example.tv, applicationIdentifier: A.com.example.tv, sharedWithYou: true,
                 associatedDomains: ["applinks:tv.example?mode=developer", "applinks:www.tv.example?mode=developer"],
                 scenes: [{persistentIdentifier: main}]}
            associatedDomainsDevelopment: {tv.example: ../tv.json, www.tv.example: /elsewhere/www/tv.json}
            """
        let association = #"{"applinks": {"details": [{"appIDs": ["A.com.example.tv"], "components": [{"/": "/*"}]}]}}"#
        let app = "{bundleIdentifier: com.example.tv, scenes: []}"
        let output = try await Self.output(
            for: Self.fileAnswers([
                "/elsewhere/phones/phone.yaml": phone, "/elsewhere/tv.json": association,
                "/elsewhere/www/tv.json": association, "/elsewhere/app.yaml": app,
            ]) + [
                #"{"id":1,"open":{"device":"Phone","url":"https://www.tv.example/shows/lasso"}}"#,
                #"{"id":2,"app":{"device":"Phone","attach":"/elsewhere/app.yaml"}}"#,
            ],
            device: "/elsewhere/phones/phone.yaml",
            options: ["--request-files"]
        )
        #expect(output.status == 0)
        let files = output.written.compactMap(\.file)
        #expect(
            files == [
                "/elsewhere/phones/phone.yaml", "/elsewhere/tv.json", "/elsewhere/www/tv.json", "/elsewhere/app.yaml",
            ]
        )
        let answers = output.written.filter { $0.outcome != nil }
        #expect(answers.map(\.outcome) == ["passed", "passed"], "\(answers.compactMap(\.message))")
        #expect(answers.first?.actual?["app"] == .string("com.example.tv"))
    }

    @Test(arguments: [
        (#"{"file":"/elsewhere/phone.yaml","text":"name: Phone\nap: []\n"}"#, ":2:1: unknown key 'ap'"),
        (#"{"file":"/elsewhere/phone.yaml","problem":"access is denied"}"#, ":1:1: access is denied"),
        (#"{"id":1,"finish":true}"#, ":1:1: its content was requested, but the input has ended"),
    ])
    func problemOfARequestedFileHasThePlaceInTheOriginal(_ line: String, _ problem: String) async throws {
        let output = try await Self.output(
            for: [line],
            device: "Mine=/elsewhere/phone.yaml",
            options: ["--request-files"]
        )
        #expect(output.status == 2)
        #expect(output.errors.hasPrefix("waypost-agent: /elsewhere/phone.yaml\(problem)"), "\(output.errors)")
    }

    @Test func filesAreRequestedOnlyFromAProgramThatWritesSteps() async throws {
        let result = try await Program.run("waypost-agent", ["--request-files"])
        #expect(result.status == 64)
        #expect(result.errors.contains("--request-files needs --stdio"))
    }
}
