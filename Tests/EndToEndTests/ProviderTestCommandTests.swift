import Foundation
import LocalProcesses
import Testing
import WaypostSchema
import WaypostTestSupport

/// `waypost provider test`, with providers that are shell scripts around curl.
@Suite(.timeLimit(.minutes(5))) struct ProviderTestCommandTests {
    private let folder: ScratchFolder

    init() throws {
        folder = try ScratchFolder()
    }

    /// The functions of a provider: `sign` prints a provider token, and `send` sends the message in `$line` with `$jwt`.
    private static let functions = #"""
        base64url() { openssl base64 -e -A | tr -- '+/' '-_' | tr -d =; }
        sign() {
          head=$(printf '{"alg":"ES256","kid":"%s"}' "$WAYPOST_KEY_ID" | base64url)
          claims=$(printf '{"iss":"%s","iat":%d}' "$WAYPOST_TEAM_ID" "$(date +%s)" | base64url)
          signature=$(printf %s "$head.$claims" | openssl dgst -binary -sha256 -sign "$WAYPOST_KEY_FILE" | base64url)
          printf %s "$head.$claims.$signature"
        }
        send() {
          token=$(printf %s "$line" | sed 's/.*"token":"\([^"]*\)".*/\1/')
          payload=$(printf %s "$line" | sed 's/.*"payload":\(.*\),"pushType".*/\1/')
          curl --silent --show-error --http2-prior-knowledge --header "authorization: bearer $jwt" \
            --header "apns-topic: $WAYPOST_TOPIC" --header 'apns-push-type: alert' --data "$payload" \
            "$WAYPOST_PLAINTEXT_URL/3/device/$token"
        }

        """#

    private func script(_ body: String) throws -> String {
        try folder.write((Self.functions + body).utf8, to: "provider.sh")
    }

    private static func test(_ arguments: [String]) async throws -> Program.Result {
        try await Program.run(
            "waypost",
            ["provider", "test", "--only", "token-reuse", "--format", "jsonl"] + arguments
        )
    }

    private static func result(of execution: Program.Result) throws -> ProviderTrialResult {
        try JSONDecoder().decode(ProviderTrialResult.self, from: Data(execution.output.utf8))
    }

    @Test func providerThatKeepsItsTokenPasses() async throws {
        let script = try script("jwt=$(sign)\nwhile read -r line; do send </dev/null; done\n")
        let junit = folder.path(of: "results.xml")
        let execution = try await Self.test(["--junit", junit, "--", "sh", script])
        #expect(execution.status == 0, "\(execution.errors)")
        let result = try Self.result(of: execution)
        #expect(result.outcome == .passed && result.trial == "token-reuse", "\(result.summary)")
        #expect(result.timeline == nil && result.milliseconds > 0)
        #expect(try String(contentsOfFile: junit, encoding: .utf8).contains("tests=\"1\" failures=\"0\""))
    }

    @Test func providerThatSignsForEachMessageFails() async throws {
        let script = try script("while read -r line; do jwt=$(sign); send </dev/null; done\n")
        let execution = try await Self.test(["--keep", folder.path(of: "kept"), "--", "sh", script])
        #expect(execution.status == 1)
        let result = try Self.result(of: execution)
        #expect(result.outcome == .failed, "\(result.summary)")
        let timeline = try #require(result.timeline)
        #expect(timeline.requests.count >= 100 && timeline.connections.count >= 100)
        #expect(timeline.phases.map(\.text) == ["200 messages to 20 tokens"])
        let logs = try FileManager.default.contentsOfDirectory(atPath: folder.path(of: "kept/token-reuse"))
        #expect(Set(logs).isSuperset(of: ["gateway.log", "provider.log"]))
    }

    @Test func commandThatEndsAtOnceShowsNothing() async throws {
        let execution = try await Self.test(["--", "sh", "-c", "echo 'no such module'; exit 3"])
        #expect(execution.status == 1)
        let result = try Self.result(of: execution)
        #expect(result.outcome == .notShown)
        #expect(result.summary.hasSuffix("; the command exited with status 3"), "\(result.summary)")
        #expect(execution.errors.contains("no such module"), "\(execution.errors)")
    }

    /// A provider that ends neither with its input nor by SIGTERM, and neither does the process that it starts.
    ///
    /// Its argument is a number of seconds that no other process has. It writes the path of its key to the file `key`.
    private func stubbornScript() throws -> String {
        try script(
            #"""
            [ "$WAYPOST_TRIAL" != two-teams ] || exit 3
            trap '' TERM
            printf %s "$WAYPOST_KEY_FILE" >"$2"
            if [ "$3" = send ]; then
              jwt=$(sign)
              for number in 1 2 3; do
                read -r line
                send </dev/null
              done
            fi
            sleep "$1" &
            while :; do sleep 1; done
            """#
        )
    }

    private static func uniqueSeconds() -> String {
        "600.\(UInt64.random(in: 1_000_000_000...9_999_999_999))"
    }

    @Test func interruptReportsEndedTrialsAndLeavesNoProcessAndNoFolder() async throws {
        let (seconds, key, junit) = (Self.uniqueSeconds(), folder.path(of: "key"), folder.path(of: "results.xml"))
        let command = [
            "provider", "test", "--only", "token-reuse,two-teams", "--format", "table", "--junit", junit, "--", "sh",
            try stubbornScript(), seconds, key, "wait",
        ]
        let result = try await Program.whileRunning("waypost", command) { run in
            _ = try await run.value(after: "– two-teams")
            try await waitUntil("the provider waits") {
                try Scenario.processes(naming: seconds).contains { $0.hasPrefix("sleep") }
            }
            run.send(SIGINT)
        }
        #expect(result.status == 130)
        #expect(result.lines.contains("✗ interrupted: 1 of 2 trials, 1 not shown"), "\(result.lines)")
        #expect(try String(contentsOfFile: junit, encoding: .utf8).contains("tests=\"1\" failures=\"0\" skipped=\"1\""))
        try expectNothingLeft(of: key, naming: seconds)
    }

    @Test func commandThatDoesNotEndIsStopped() async throws {
        let (seconds, key) = (Self.uniqueSeconds(), folder.path(of: "key"))
        let execution = try await Self.test(["--", "sh", try stubbornScript(), seconds, key, "send"])
        #expect(execution.status == 1, "\(execution.errors)")
        #expect(try Self.result(of: execution).outcome == .notShown)
        try expectNothingLeft(of: key, naming: seconds)
    }

    /// Expects that the processes have ended, and that the folder of the trial with the key is removed.
    private func expectNothingLeft(of keyFile: String, naming marker: String) throws {
        let path = try String(contentsOfFile: keyFile, encoding: .utf8)
        let trialFolder = URL(filePath: path).deletingLastPathComponent().path
        #expect(trialFolder.hasSuffix("/token-reuse") && !FileManager.default.fileExists(atPath: trialFolder))
        let processes = try Scenario.processes(naming: marker) + Scenario.processes(naming: trialFolder)
        #expect(processes.isEmpty, "\(processes)")
    }

    @Test func commandWithTheWrongURLIsToldTheRightOne() async throws {
        let execution = try await Self.test(["--", "sh", "-c", "while read -r line; do :; done"])
        #expect(execution.status == 1)
        let summary = try Self.result(of: execution).summary
        #expect(summary.contains("; no request arrived at https://localhost:"), "\(summary)")
        #expect(summary.hasSuffix("; does the provider use WAYPOST_URL and WAYPOST_CA_FILE?"), "\(summary)")
    }

    @Test(arguments: [
        ("/nowhere/send.sh", "/nowhere/send.sh: not an executable file"),
        ("waypost-no-such-program", "waypost-no-such-program cannot be started"),
    ])
    func missingProgramIsUnusable(_ program: String, _ message: String) async throws {
        let execution = try await Self.test(["--", program])
        #expect(execution.status == 2)
        #expect(execution.errors.contains(message), "\(execution.errors)")
    }

    @Test func runningServiceFetchesItsMessages() async throws {
        let port = try ReservedPort()
        let script = try script(
            #"""
            call() { curl --silent --fail "$@"; }
            value() { printf %s "$setup" | sed "s/.*\"$1\":\"\([^\"]*\)\".*/\1/"; }
            setup=$(call --retry 60 --retry-delay 1 --retry-connrefused "http://$1/v1/trial") || exit 1
            for name in KEY_ID KEY_FILE TEAM_ID TOPIC PLAINTEXT_URL; do
              export "WAYPOST_$name=$(value "WAYPOST_$name")"
            done
            jwt=$(sign)
            while messages=$(call "http://$1/v1/messages"); do
              printf '%s\n' "$messages" | sed 's/},{"keyFile"/}\n{"keyFile"/g' | grep '"token"' |
                while read -r line; do send </dev/null; done
            done
            """#
        )
        async let service = Program.run("sh", [script, port.address])
        let execution = try await Self.test(["--listen", port.address])
        let ended = try await service
        #expect(execution.status == 0, "\(execution.errors) \(ended.errors)")
        #expect(try Self.result(of: execution).outcome == .passed)
    }

    @Test func listHasEveryTrial() async throws {
        let execution = try await Program.run("waypost", ["provider", "test", "--list", "--format", "jsonl"])
        #expect(execution.status == 0)
        #expect(execution.output.split(separator: "\n").count >= 30)
    }
}
