import ArgumentParser
import Foundation
import ProviderTrials
import Testing
import WaypostSchema

@testable import AdminCommands

/// The results of trials, for people and for CI systems.
@Suite struct TrialReportTests {
    private static func result(_ verdict: TrialVerdict, failure: String? = nil) throws -> ProviderTrialResult {
        let observation = TrialObservation(
            steps: [TrialObservation.Step(step: .load(TrialLoad(200)), at: SampleTrial.time, providerClock: 0)],
            messages: [],
            requests: (0..<1_200).map { SampleTrial.request($0, marker: "m") },
            connections: [],
            endedAt: SampleTrial.time
        )
        return ProviderTrialResult(
            try SampleTrial.make(),
            verdict,
            observation: observation,
            failure: failure,
            milliseconds: 1_250
        )
    }

    private static func failed() throws -> ProviderTrialResult {
        var request = SampleTrial.request(7, marker: "m", status: 410)
        (request.reason, request.token, request.connection) = (.unregistered, "0123456789abcdef0123", 2)
        return try result(.failed("2 tokens were used again", figures: ["tokens": 2], request: request))
    }

    @Test func failedTrialHasItsTimelineWithoutBodies() throws {
        let timeline = try #require(try Self.failed().timeline)
        #expect(timeline.phases.map(\.text) == ["200 messages to 20 tokens"])
        #expect(timeline.requests.count == 1_000 && timeline.requests.allSatisfy { $0.body == nil })
        #expect(try Self.result(.passed("fine")).timeline == nil)
    }

    @Test(arguments: [(6, 0), (999, 0), (1_000, 1), (1_199, 200)])
    func timelineHasTheFirstWrongRequest(_ wrong: Int, _ first: Int) throws {
        let request = SampleTrial.request(wrong, marker: "m")
        let timeline = try #require(try Self.result(.failed("wrong", request: request)).timeline)
        #expect(timeline.requests.map(\.number) == Array(first..<first + 1_000))
    }

    private static func notShown(
        _ requests: [ProviderRequestRecord],
        failure: String? = nil
    ) throws -> String {
        let observation = TrialObservation(
            steps: [],
            messages: [TrialObservation.Message(marker: "m", load: 0, device: 0, token: "token-0")],
            requests: requests,
            connections: [],
            endedAt: SampleTrial.time
        )
        return ProviderTrialResult(
            try SampleTrial.make(),
            .notShown("0 of 1 message"),
            observation: observation,
            at: "https://localhost:3",
            failure: failure
        ).summary
    }

    @Test func missingMessagesHaveAReason() throws {
        let silent = """
            0 of 1 message; no request arrived at https://localhost:3; \
            does the provider use WAYPOST_URL and WAYPOST_CA_FILE?
            """
        #expect(try Self.notShown([]) == silent)
        let other = SampleTrial.request(1, marker: "another")
        let unmarked = "0 of 1 message; 1 request arrived, none with the marker of a message in its payload"
        #expect(try Self.notShown([other]) == unmarked)
        #expect(try Self.notShown([other, SampleTrial.request(2, marker: "m")]) == "0 of 1 message")
        #expect(try Self.notShown([], failure: "it failed") == "0 of 1 message; it failed")
    }

    @Test func endOfTheProcessIsInTheSummary() throws {
        let end = "the command exited with status 3"
        #expect(try Self.result(.notShown("no load"), failure: end).summary == "no load; \(end)")
        #expect(try Self.result(.passed("fine"), failure: end).summary == "fine")
    }

    @Test func failureNamesTheRequestTheRuleAndTheRemedy() throws {
        let text = TrialReport.text(try Self.failed(), width: 10)
        #expect(text.hasPrefix("✗ sample      2 tokens were used again\n    First wrong request: number 7 at "))
        #expect(text.contains(", token 01234567…, connection 2, 410 Unregistered\n"))
        #expect(text.hasSuffix("\n    Rule: A rule. (A page)\n    What to do: Do better."))
        let passed = TrialReport.text(try Self.result(.passed("1 token", figures: [:])), width: 10)
        #expect(passed == "✓ sample      1 token")
        #expect(TrialReport.text(try Self.result(.notShown("no load")), width: 0) == "– sample  no load")
    }

    @Test func runPassesIfATrialPassedAndNoneFailed() throws {
        let (passed, shownNot) = (try Self.result(.passed("fine")), try Self.result(.notShown("no load")))
        #expect(TrialReport.hasPassed([passed, shownNot]))
        #expect(!TrialReport.hasPassed([shownNot]))
        #expect(!TrialReport.hasPassed([passed, try Self.failed()]))
        #expect(TrialReport.summary([passed, shownNot]) == "✓ 2 trials: 1 passed, 1 not shown")
        #expect(TrialReport.summary([shownNot]) == "✗ 1 trial: 1 not shown")
        #expect(TrialReport.summary([passed], of: 1) == "✓ 1 trial: 1 passed")
        #expect(TrialReport.summary([passed], of: 3) == "✗ interrupted: 1 of 3 trials, 1 passed")
    }

    @Test func junitHasFailuresAndSkippedTrials() throws {
        let results = [try Self.result(.passed("fine")), try Self.failed(), try Self.result(.notShown("no <load>"))]
        let text = TrialReport.junit(results)
        #expect(text.contains("<testsuites tests=\"3\" failures=\"1\" skipped=\"1\" time=\"3.750\">"))
        #expect(text.contains("<failure message=\"2 tokens were used again\">"))
        #expect(text.contains("<skipped message=\"no &lt;load&gt;\"/>"))
    }

    @Test(arguments: [
        (TrialStep.inject(SendFault(token: nil, kind: .hang), devices: 0..<1, since: nil), "fault 'hang' for 1 token"),
        (TrialStep.inject(SendFault(kind: .respond, status: 400), devices: 2..<3, since: nil), "400 without a body"),
        (TrialStep.affectConnections(ConnectionFault(.goAway, frames: 2)), "GOAWAY, 2 times"),
        (TrialStep.affectConnections(ConnectionFault(.limitStreams, streams: 5)), "limit of 5 streams"),
        (TrialStep.skew(-7_200), "back by 2 h"), (TrialStep.advance(600), "10 min"),
    ])
    func stepHasWords(_ step: TrialStep, _ words: String) {
        #expect(step.text.contains(words), "\(step.text)")
    }
}

/// The environment of a provider, and the hook for services.
@Suite struct ProviderVariablesTests {
    @Test func variablesHaveTheListenersTheKeyAndTheTokens() {
        let ready = GatewayReadyFile(
            service: "http://127.0.0.1:1",
            courier: "http://127.0.0.1:2",
            provider: "https://127.0.0.1:3",
            proxy: "http://127.0.0.1:4",
            ca: "/ca/ca.pem"
        )
        let variables = ProviderVariables.values(trial: "sample", SampleTrial.setup, ready)
        let expected = [
            "WAYPOST_TRIAL": "sample", "WAYPOST_URL": "https://localhost:3", "WAYPOST_HOST": "localhost",
            "WAYPOST_PORT": "3", "WAYPOST_PROXY_URL": "http://127.0.0.1:4", "https_proxy": "http://127.0.0.1:4",
            "HTTPS_PROXY": "http://127.0.0.1:4", "no_proxy": "localhost,127.0.0.1", "WAYPOST_CA_FILE": "/ca/ca.pem",
            "WAYPOST_KEY_FILE": "/keys/1.p8", "WAYPOST_KEY_ID": "KEY1", "WAYPOST_TEAM_ID": "TEAM1",
            "WAYPOST_TOPIC": "com.example.certificate",
        ]
        for (name, value) in expected { #expect(variables[name] == value) }
        #expect(variables["WAYPOST_TOKENS"]?.split(separator: ",").count == 20)
        #expect(variables["WAYPOST_PLAINTEXT_URL"] == nil)
    }

    @Test func namesOfTrustVariablesAreThoseOfTheScript() {
        let names = ProviderVariables.names(exportedBy: ShellTrustScript.source(certificate: "/ca.pem", proxy: nil))
        #expect(Set(names).isSuperset(of: ["SSL_CERT_FILE", "CURL_CA_BUNDLE", "NODE_EXTRA_CA_CERTS"]))
        #expect(names.allSatisfy { $0.allSatisfy { $0 == "_" || $0.isUppercase } })
    }

    @Test func serviceGetsTheTrialItsMessagesAndTheEnd() throws {
        let messages = try TrialMessages.messages(
            of: TrialLoad(2),
            named: "a",
            for: SampleTrial.setup,
            at: SampleTrial.time
        )
        var inbox = TrialInbox()
        #expect(inbox.setup() == .nothing)
        inbox.begin(["WAYPOST_TRIAL": "a"])
        #expect(inbox.setup() == .value(["WAYPOST_TRIAL": "a"]))
        inbox.give(messages)
        let answers = [inbox.takeMessages(), inbox.takeMessages()]
        #expect(answers == [.value(messages), .nothing])
        inbox.give(messages)
        inbox.endTrial()
        let afterTrial = inbox.takeMessages()
        #expect(inbox.setup() == .nothing && afterTrial == .nothing)
        inbox.end()
        let afterRun = inbox.takeMessages()
        #expect(inbox.setup() == .isOver && afterRun == .isOver)
    }
}

/// The options of `waypost provider test`.
@Suite struct ProviderTestOptionsTests {
    private static func command(_ arguments: [String]) throws -> ProviderTestCommand {
        let command = try WaypostCommand.parseAsRoot(["provider", "test"] + arguments)
        return try #require(command as? ProviderTestCommand)
    }

    @Test func everythingAfterTheDashesIsTheCommand() throws {
        let command = try Self.command(["--seed", "7", "--", "./send.sh", "--whole"])
        #expect(command.command == ["./send.sh", "--whole"] && command.seed == 7 && !command.whole)
    }

    @Test func quickTrialsAreTheDefault() throws {
        let quick = try Self.command(["--", "x"]).trials().map(\.name)
        #expect(quick == ProviderTrial.all.filter(\.isQuick).map(\.name))
        #expect(try Self.command(["--whole", "--", "x"]).trials().count == ProviderTrial.all.count)
        #expect(try Self.command(["--only", "token-reuse", "--", "x"]).trials().map(\.name) == ["token-reuse"])
        #expect(try Self.command(["--list"]).trials().count == ProviderTrial.all.count)
    }

    @Test(arguments: [
        ("", "give the command of the provider after '--', or --listen ADDR:PORT"),
        ("--listen 127.0.0.1:1 -- x", "give either a command or --listen"),
        ("--listen 0.0.0.0:7350", "--listen 0.0.0.0:7350: use a loopback address, such as 127.0.0.1:7350"),
        ("--listen 7350", "use a loopback address"), ("--only , -- x", "at least one trial"),
        ("--only token-reus -- x", "--only token-reus: there is no such trial; did you mean 'token-reuse'?"),
        ("--only q -- x", "--only q: there is no such trial; --list lists them"),
    ])
    func unusableOptionSaysWhatIsAccepted(_ line: String, _ message: String) throws {
        let arguments = line.split(separator: " ").map(String.init)
        try expectRefusal(of: ProviderTestCommand.self, arguments, message)
    }
}
