import Foundation
import GatewayStore
import GatewayTestSupport
import NIOHTTP1
import PushRules
import Testing
import WaypostSchema
import WaypostTestSupport

@testable import Gateway

/// The console's files, and the calls that only it uses.
@Suite(.timeLimit(.minutes(5))) struct ConsoleTests {
    /// The files of the page in the repository.
    static let files: [URL] = {
        let folder = Repository.root.appending(path: "Server/CConsole/page")
        let files = try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        return (files ?? []).sorted { $0.path < $1.path }
    }()

    private static func path(of file: URL) -> String {
        file.lastPathComponent == "index.html" ? "/" : "/console/\(file.lastPathComponent)"
    }

    @Test func everyFileIsServedAsItIsAndProtected() async throws {
        #expect(Self.files.count > 10)
        try await RunningGateway.run { gateway in
            for file in Self.files {
                let answer = try await gateway.service(.GET, Self.path(of: file))
                #expect(answer.status == 200, "\(file.lastPathComponent)")
                let content = try Data(contentsOf: file)
                #expect(Data(answer.body) == content)
                let policy = answer.headers.first(name: "content-security-policy") ?? ""
                for directive in [
                    "default-src 'none'", "script-src 'self'", "style-src 'self'", "connect-src 'self'",
                    "frame-ancestors 'none'", "base-uri 'none'", "form-action 'none'",
                    "require-trusted-types-for 'script'", "trusted-types 'none'",
                ] {
                    #expect(policy.contains(directive))
                }
                #expect(answer.headers.first(name: "x-frame-options") == "DENY")
                #expect(answer.headers.first(name: "x-content-type-options") == "nosniff")
                #expect(answer.headers.first(name: "cross-origin-resource-policy") == "same-origin")
            }
        }
    }

    @Test func pageIsSmall() throws {
        let sizes = try Self.files.map { try Data(contentsOf: $0).count }
        #expect(sizes.reduce(0, +) <= 150_000)
    }

    /// Nothing in the page makes markup of a text, or loads anything from elsewhere.
    @Test(arguments: [
        "innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function",
        "setAttribute('style'",
        "srcdoc", "http://cdn", "https://cdn", "sessionStorage",
    ])
    func pageHasNoDangerousCalls(_ call: String) throws {
        for file in Self.files {
            let text = try String(contentsOf: file, encoding: .utf8)
            #expect(!text.contains(call), "\(file.lastPathComponent)")
        }
    }

    @Test func wordsAreThereInFourLanguages() throws {
        let file = try #require(Self.files.first { $0.lastPathComponent == "words.js" })
        let rows = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").filter {
            $0.contains("|") && !$0.hasPrefix(" ")
        }
        #expect(rows.count > 80)
        for row in rows {
            let words = row.split(separator: "|", omittingEmptySubsequences: false)
            #expect(words.count == 5 && !words.contains(""), "\(row)")
        }
    }

    @Test func everyWordThatIsUsedHasARow() throws {
        let texts = try Self.files.map { try String(contentsOf: $0, encoding: .utf8) }
        let rows = Set(
            texts.joined().split(separator: "\n").compactMap { $0.split(separator: "|").first.map(String.init) }
        )
        for text in texts {
            for match in text.matches(of: /[^\w.]t\('(\w+)'/) {
                #expect(rows.contains(String(match.1)), "\(match.1)")
            }
        }
    }

    @Test func consoleCanBeOff() async throws {
        var configuration = GatewayConfiguration.forTests
        configuration.console = false
        try await RunningGateway.run(configuration) { gateway in
            for file in Self.files {
                let answer = try await gateway.service(.GET, Self.path(of: file))
                #expect(answer.status == 404)
            }
            #expect(try await gateway.service(.GET, "/health").status == 200)
        }
    }

    @Test func filesNeedNoTokenButEveryCallDoes() async throws {
        try await RunningGateway.run(AdminTokenTests.closed, adminToken: AdminTokenTests.token) { gateway in
            for file in Self.files {
                let answer = try await gateway.service(.GET, Self.path(of: file))
                #expect(answer.status == 200)
            }
            for path in [
                "/v1/activity", "/v1/agents", "/v1/runs", "/v1/devices", "/metrics", "/v1/notifications/x/payload",
            ] {
                let answer = try await gateway.service(.GET, path)
                #expect(answer.status == 401, "\(path)")
            }
            for path in [
                "/v1/agents/link", "/v1/agents/a/answers/1", "/v1/runs", "/v1/runs/a/events", "/v1/payloads/check",
                "/v1/associations/match",
            ] {
                let answer = try await gateway.service(.POST, path)
                #expect(answer.status == 401, "\(path)")
            }
        }
    }

    @Test func tokenIsNeededForConsolePathsIfItIsOff() async throws {
        var configuration = AdminTokenTests.closed
        configuration.console = false
        try await RunningGateway.run(configuration, adminToken: AdminTokenTests.token) { gateway in
            let answer = try await gateway.service(.GET, "/")
            #expect(answer.status == 401)
        }
    }

    @Test(arguments: Engine.allCases) func payloadIsKnownBeforeAndAfterTheAcknowledgement(_ engine: Engine) async throws
    {
        try await engine.run { gateway in
            let device = try await gateway.device()
            let payload = #"{"aps":{"alert":"Honk  🤡"} }"#
            try await gateway.send(line(device.token, #""id":"\#(NotificationID.numbered(1))","#, payload: payload))
            let path = "/v1/notifications/\(NotificationID.numbered(1))/payload"
            #expect(try await String(decoding: gateway.service(.GET, path).body, as: UTF8.self) == payload)
            var stream = try await gateway.stream(device)
            let sequences = try await stream.next(1).map(\.sequence)
            _ = try await gateway.acknowledge(.sequences(sequences), device)
            #expect(try await String(decoding: gateway.service(.GET, path).body, as: UTF8.self) == payload)
            let elsewhere = RunningGateway.headers("run")
            #expect(try await gateway.service(.GET, path, headers: elsewhere).status == 404)
        }
    }

    @Test func payloadsAreBoundedInNumberAndSize() {
        let payloads = RecentPayloads()
        func batch(_ numbers: Range<Int>, size: Int) -> NewBatch {
            NewBatch(
                id: "b",
                notifications: numbers.map {
                    NewNotification(
                        id: .numbered($0),
                        token: "00",
                        topic: "a",
                        payload: [UInt8](repeating: 0x20, count: size)
                    )
                }
            )
        }
        payloads.record(batch(0..<3_000, size: 10), Array(repeating: nil, count: 3_000))
        #expect(payloads.payload(of: .numbered(999), in: .standard) == nil)
        #expect(payloads.payload(of: .numbered(1_000), in: .standard) != nil)
        payloads.record(batch(3_000..<3_003, size: 4 << 20), Array(repeating: nil, count: 3))
        #expect(payloads.payload(of: .numbered(2_999), in: .standard) == nil)
        #expect(payloads.payload(of: .numbered(3_000), in: .standard) == nil)
        #expect(payloads.payload(of: .numbered(3_001), in: .standard) != nil)
        #expect(payloads.payload(of: .numbered(3_002), in: .standard) != nil)
    }

    @Test func refusedNotificationHasItsPayload() {
        let payloads = RecentPayloads()
        let rejection = Rejection(status: 400, reason: .badTopic, message: "no")
        let known = RejectedItem(subject: LogSubject(id: .numbered(1)), rejection: rejection, payload: [0x7B])
        let unknown = RejectedItem(subject: LogSubject(id: .numbered(2)), rejection: rejection)
        payloads.record(NewBatch(id: "b", notifications: [], rejections: [known, unknown]), [])
        #expect(payloads.payload(of: .numbered(1), in: .standard) == [0x7B])
        #expect(payloads.payload(of: .numbered(2), in: .standard) == nil)
    }

    @Test func refusedNotificationHidesNoAcceptedOne() {
        let payloads = RecentPayloads()
        let accepted = NewNotification(id: .numbered(1), token: "00", topic: "a", payload: [1])
        let second = NewNotification(id: .numbered(1), token: "00", topic: "a", payload: [2])
        payloads.record(NewBatch(id: "b", notifications: [accepted]), [nil])
        payloads.record(NewBatch(id: "c", notifications: [second]), [.unknownToken])
        #expect(payloads.payload(of: .numbered(1), in: .standard) == [1])
    }

    /// The form of the console offers every push type of the table.
    @Test func consoleOffersEveryPushType() throws {
        let file = Repository.root.appending(path: "Server/CConsole/page/compose.js")
        let text = try String(contentsOf: file, encoding: .utf8)
        let list = try #require(text.firstMatch(of: /const pushTypes = \[(.*)\]/)?.output.1)
        let names = list.split(separator: ", ").map { $0.trimmingCharacters(in: CharacterSet(charactersIn: "'")) }
        #expect(Set(names) == Set(PushType.documented.map(\.rawValue)))
        #expect(names.count == PushType.documented.count)
    }

    @Test func payloadIsCheckedWithoutSendingIt() async throws {
        try await RunningGateway.run { gateway in
            let payload = Array("{\"aps\":\n {\"alrt\":1}}".utf8)
            let report: PayloadReport = try await gateway.service(.POST, "/v1/payloads/check", body: payload).decoded()
            #expect(
                report.findings.map { "\($0.line):\($0.column) \($0.code)" } == ["2:2 missingKey", "2:3 misspelledKey"]
            )
            #expect(report.limit == 4_096)
            let voip = try await gateway.service(.POST, "/v1/payloads/check?pushType=voip", body: Array("{".utf8))
            let refused: PayloadReport = try voip.decoded()
            #expect(refused.limit == 5_120)
            #expect(refused.findings.map(\.severity) == [.error])
            #expect(try await gateway.service(.POST, "/v1/payloads/check?pushType=x", body: payload).status == 400)
        }
    }

    @Test func associationFileIsMatchedWithFindingsAndRules() async throws {
        try await RunningGateway.run { gateway in
            let file = """
                {"applinks":{"details":[{"appIDs":["ABCDE12345.com.example.tv"],"components":[{"/":"/shows/*"}]}]}}
                """
            let question = AssociationQuestion(
                file: file,
                urls: ["https://tv.example/shows/lasso", "https://tv.example/x"]
            )
            let answer: AssociationAnswer = try await gateway.service(.POST, "/v1/associations/match", question)
                .decoded()
            #expect(answer.decisions.map(\.matched) == [true, false])
            #expect(answer.decisions.allSatisfy { $0.trace?.count == 1 })
            let broken: AssociationAnswer =
                try await gateway.service(.POST, "/v1/associations/match", AssociationQuestion(file: "{")).decoded()
            #expect(broken.failure?.code == .notJSON)
            #expect(!broken.findings.isEmpty)
        }
    }
}
