import Foundation
import GatewaySettings
import Testing
import WaypostTestSupport

@Suite(.timeLimit(.minutes(5))) struct CommandTests {
    struct Case: CustomTestStringConvertible, Sendable {
        var arguments: [String]
        var input = ""
        var status: Int32
        var output: String?
        var errors: String?
        var testDescription: String { arguments.joined(separator: " ") }
    }

    static let scenes = #"""
        {"bundleIdentifier":"com.example.clowntown","scenes":[{"persistentIdentifier":"all"},
        {"persistentIdentifier":"crusty","activationConditions":{
        "canActivateForTargetContentIdentifierPredicate":"SELF == 'c'",
        "prefersToActivateForTargetContentIdentifierPredicate":"SELF == 'c'"}}]}
        """#

    private static let plugIn = Repository.root.appending(path: "docs/examples/callbacks/plug-in.yaml").path

    static let cases = [
        Case(
            arguments: ["predicate", "eval"],
            input: #"{"format":"SELF == 'x'","value":"x"}"# + "\n\n" + #"{"format":"SELF LIK 'x'","value":"x"}"#,
            status: 0,
            output: #"{"canonical":"SELF == \"x\"","result":true}"# + "\n" + #"{"error":{"code":"syntax","message":"#
        ),
        Case(arguments: ["predicate", "eval"], input: "{}\n", status: 2, errors: "standard input, line 1: 'format'"),
        Case(arguments: ["predicate", "eval", "/nowhere"], status: 2, errors: "/nowhere: cannot be read"),
        Case(
            arguments: ["predicate", "eval", "--predicate", "SELF == 'x'", "--value", "x"],
            status: 0,
            output: "true"
        ),
        Case(
            arguments: ["predicate", "eval", "--predicate", "SELF == 'x'", "--value", "y"],
            status: 1,
            output: "false"
        ),
        Case(
            arguments: ["predicate", "eval", "--trace"],
            input: #"{"format":"NOT SELF == 'x'","value":"x"}"#,
            status: 0,
            output:
                #"{"canonical":"NOT SELF == \"x\"","deciding":{"because":"SELF equals it","predicate":"SELF == \"x\"","#
        ),
        Case(
            arguments: ["predicate", "eval", "--predicate", "SELF < 5", "--value", "y"],
            status: 2,
            errors: "offset 5: found a string and the number 5 as operands of <"
        ),
        Case(
            arguments: ["scenes", "select", "--scenes", "x", "--url", "app://a", "--target-content-id", "a"],
            status: 64,
            errors: "--url is an identifier itself"
        ),
        Case(
            arguments: ["predicate", "eval", "--predicate", "SELF ==", "--value", "y"],
            status: 2,
            errors: "offset 7"
        ),
        Case(arguments: ["predicate", "eval", "--predicate", "SELF == 'x'"], status: 64, errors: "require each other"),
        Case(arguments: ["predicate", "evaluate"], status: 64, errors: "did you mean 'waypost predicate eval'?"),
        Case(arguments: ["schema"], status: 0, output: "\"BatchItem\""),
        Case(arguments: ["send", "--title", "x"], status: 64, errors: "--to or --token, and --topic"),
        Case(
            arguments: ["send", "--too", "iPad", "--topic", "a.b", "--title", "A"],
            status: 64,
            errors: "unknown option '--too'; did you mean '--to'?"
        ),
        Case(
            arguments: ["check", "-", "--format", "table"],
            input: #"{"aps":{"alert":"Hi","badge":3}}"#,
            status: 0,
            output: "✓ standard input: a payload, no problems"
        ),
        Case(
            arguments: ["check", "-", "--kind", "device", "--format", "table"],
            input: "name: iPad\napps: []\nnmae: x\n",
            status: 2,
            output: "standard input:3:1: error: unknown key 'nmae'"
        ),
        Case(arguments: ["check", "/nowhere"], status: 2, output: "cannot be read: it does not exist"),
        Case(arguments: ["load", "--hlp"], status: 64, errors: "did you mean '--help'?"),
        Case(arguments: ["predicate", "eval", "/tmp"], status: 2, errors: "/tmp: cannot be read"),
        Case(
            arguments: ["send", "--gateway", "nonsense", "--token", "0", "--topic", "x"],
            status: 2,
            errors: "not a URL"
        ),
        Case(arguments: ["send", "/nowhere"], status: 2, errors: "/nowhere: cannot be read"),
        Case(
            arguments: ["send", "--gateway", "http://127.0.0.1:1", "--token", "00", "--topic", "x"],
            status: 69,
            errors: "cannot reach http://127.0.0.1:1"
        ),
        Case(
            arguments: ["scenes", "select", "--scenes", "/nowhere"],
            status: 2,
            errors: "/nowhere:1:1: cannot be read"
        ),
        Case(
            arguments: ["scenes", "select", "--scenes", "/dev/stdin", "--target-content-id", "c"],
            input: scenes,
            status: 0,
            output: "crusty"
        ),
        Case(
            arguments: ["scenes", "select", "--scenes", "/dev/stdin", "--target-content-id", "c"],
            input: #"{"name":"iPad","apps":[\#(scenes)]}"#,
            status: 0,
            output: "crusty"
        ),
        Case(arguments: ["demo", "--directory", "/nowhere"], status: 2, errors: "/nowhere"),
        Case(
            arguments: ["callbacks", "--cause", "universalLink", "--state", "background", "--format", "table"],
            status: 0,
            output: "    2. scene(_:continue:), userActivity.webpageURL (the event)"
        ),
        Case(
            arguments: ["callbacks", "--app", plugIn, "--cause", "notificationTap", "--state", "notRunning"],
            status: 1,
            output: #""fate":"lost","findings":[{"code":"notificationDelegateLate","#
        ),
        Case(
            arguments: ["callbacks", "--app", plugIn, "--cause", "notificationTap", "--format", "table"],
            status: 1,
            output: "notificationTap  notRunning            lost"
        ),
        Case(
            arguments: ["callbacks", "--cause", "notificationtap"],
            status: 64,
            errors: "The value 'notificationtap' is invalid for '--cause <cause>': did you mean 'notificationTap'?"
        ),
        Case(
            arguments: ["callbacks", "--app", plugIn, "--life-cycle", "appDelegate"],
            status: 2,
            errors: "--life-cycle is appDelegate, but the app of"
        ),
        Case(arguments: ["check", plugIn], status: 1, output: "[notificationDelegateLate]"),
    ]

    @Test(arguments: cases) func commandsEndWithTheirStatusAndMessages(_ example: Case) async throws {
        let result = try await Program.run("waypost", example.arguments, input: example.input)
        #expect(result.status == example.status, "\(result.errors)")
        if let output = example.output { #expect(result.output.contains(output), "\(result.output)") }
        if let errors = example.errors { #expect(result.errors.contains(errors), "\(result.errors)") }
        #expect(!result.errors.contains("Fatal error") && !result.errors.contains("Swift."))
    }

    @Test func scenesAreSelectedLineByLine() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "scenes-\(UUID().uuidString).json")
        try Data(Self.scenes.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let questions = #"{"targetContentIdentifier":"c"}"# + "\n" + #"{"targetContentIdentifier":"d"}"# + "\n{}\n"
        let result = try await Program.run("waypost", ["scenes", "select", "--scenes", file.path], input: questions)
        let lines = result.output.split(separator: "\n")
        #expect(result.status == 0, "\(result.errors)")
        #expect(lines.count == 3)
        #expect(lines.first?.contains(#""reason":"prefers","scene":"crusty""#) == true)
        #expect(lines.dropFirst().first?.contains(#""reason":"can","scene":"all""#) == true)
        #expect(lines.last?.contains(#""reason":"noIdentifier""#) == true)
    }

    /// The same app in an app file and in device files, with and without the switch; the finding names the reading.
    @Test(
        .proves("T19"),
        arguments: [
            (nil, [], "odd", "this counts, because prefersOnlyAmongCapable is off"),
            (
                nil, ["--prefers-only-among-capable"], "all",
                "this does not count, because prefersOnlyAmongCapable is on"
            ),
            (false, [], "odd", "this counts, because prefersOnlyAmongCapable is off"),
            (true, [], "all", "this does not count, because prefersOnlyAmongCapable is on"),
        ] as [(isOnInDeviceFile: Bool?, options: [String], scene: String, finding: String)]
    )
    func appFileAndDeviceFileHaveTheSameReadingAndSwitch(
        _ isOnInDeviceFile: Bool?,
        _ options: [String],
        _ scene: String,
        _ finding: String
    ) async throws {
        let app = #"""
            {"bundleIdentifier":"com.example.clowntown","scenes":[{"persistentIdentifier":"all"},
            {"persistentIdentifier":"odd","activationConditions":{
            "canActivateForTargetContentIdentifierPredicate":"FALSEPREDICATE",
            "prefersToActivateForTargetContentIdentifierPredicate":"SELF == 'c'"}}]}
            """#
        let device = { (isOn: Bool) in
            #"{"name":"iPad","prefersOnlyAmongCapable":\#(isOn),"apps":[\#(app)]}"#
        }
        let file = FileManager.default.temporaryDirectory.appending(path: "reading-\(UUID().uuidString).json")
        try Data((isOnInDeviceFile.map(device) ?? app).utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let arguments = ["scenes", "select", "--scenes", file.path, "--target-content-id", "c", "--format", "json"]
        let result = try await Program.run("waypost", arguments + options)
        #expect(result.status == 0, "\(result.errors)")
        // The trace, which follows the subject, names every scene.
        #expect(result.output.contains("\"scene\" : \"\(scene)\",\n    \"subject\""), "\(result.output)")
        #expect(result.output.contains(finding), "\(result.output)")
    }

    @Test func readerThatStopsEarlyCausesNoError() async throws {
        let command = "\(BuiltPrograms.path(of: "waypost")) schema | head -n 1; echo ${PIPESTATUS[0]}"
        let result = try await Program.run("bash", ["-c", command])
        #expect(result.output.hasPrefix("{\n"))
        #expect(result.errors.isEmpty)
    }

    @Test(arguments: ["2>&1 | true", "2>&1 | head -n 1", "| true"])
    func demoStopsItsProcessesIfItsReaderStops(_ reader: String) async throws {
        // The arguments of the gateway and the agents contain this run's own temporary folder.
        let folder = FileManager.default.temporaryDirectory.appending(path: "left-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let command =
            "TMPDIR=\(folder.path) \(BuiltPrograms.path(of: "waypost")) demo \(reader); pgrep --full --count \(folder.path)/"
        let result = try await Program.run("bash", ["-c", command])
        #expect(result.output.split(separator: "\n").last == "0", "\(result.output)")
    }

    @Test func helpOfAllCommandsHasTwoForms() async throws {
        let results = try await (Program.run("waypost", ["help", "all"]), Program.run("waypost", ["help", "--all"]))
        #expect(results.0.output == results.1.output)
        #expect(results.1.status == 0)
    }

    @Test(arguments: ["waypost", "waypost-gateway", "waypost-agent"])
    func helpHasAnOverviewAndShortLines(_ program: String) async throws {
        let result = try await Program.run(program, program == "waypost" ? ["help", "all"] : ["--help"])
        #expect(result.status == 0)
        #expect(result.output.hasPrefix("OVERVIEW: "))
        #expect(result.output.split(separator: "\n").allSatisfy { $0.count <= 100 })
    }

    @Test(arguments: [("gateway", "waypost-gateway"), ("agent", "waypost-agent")])
    func firstArgumentChoosesAProgramToo(_ word: String, _ program: String) async throws {
        let result = try await Program.run("waypost", [word, "--version"])
        #expect(result.output.hasPrefix("\(program) "))
        #expect(try await Program.run(program, ["--version"]).output == result.output)
        let help = try await Program.run(program, ["--help"]).output
        for subject in [word, program] {
            #expect(try await Program.run("waypost", ["help", subject]).output == help)
        }
    }

    @Test func programsReportWhyTheyCannotStart() async throws {
        let missing = try await Program.run("waypost-agent", ["--device", "/nowhere/ipad.yaml"])
        #expect(missing.status == 2)
        #expect(missing.errors.contains("waypost-agent: /nowhere/ipad.yaml:1:1: cannot be read"))
        let exposed = try await Program.run("waypost-gateway", ["--service", "0.0.0.0:0"])
        #expect(exposed.status == 64)
        #expect(exposed.errors.contains("use a loopback address such as 127.0.0.1"))
        let unconfigured = try await Program.run("waypost-gateway", ["--config", "/nowhere.yaml"])
        #expect(unconfigured.status == 2)
        #expect(unconfigured.errors.contains("/nowhere.yaml:1:1: cannot be read: it does not exist"))
    }

    @Test func everySettingIsAnOptionOfTheGateway() async throws {
        let help = try await Program.run("waypost-gateway", ["--help"]).output
        let words = Set(help.split(whereSeparator: \.isWhitespace).map(String.init))
        #expect(
            Setting.allCases.map(\.flag).filter { !words.contains($0) } == [
                "--test-tokens", "--trust-network", "--strict",
            ]
        )
        #expect(words.isSuperset(of: ["--strict/--no-strict", "--trust-network/--no-trust-network"]))
    }

    /// The commands do not know the agent, so the schema of stack files lists its options.
    @Test func optionsInStackFilesAreThoseOfTheAgent() async throws {
        let schema = try await Program.run("waypost", ["schema", "stack"]).output
        let document = try JSONSerialization.jsonObject(with: Data(schema.utf8)) as? [String: Any]
        let definitions = try #require(document?["$defs"] as? [String: Any])
        let definition = try #require(definitions["AgentOptions"] as? [String: Any])
        let options = try #require(definition["properties"] as? [String: Any]).keys.map { "--\($0)" }
        let help = try await Program.run("waypost-agent", ["--help"]).output
        let matches = help.matches(of: #/^ {2}(?:-h, )?(--[a-z-]+)/#.anchorsMatchLineEndings())
        let flags = Set(matches.map { String($0.1) })
        #expect(flags.isSuperset(of: options))
        // The stack chooses these, or they suit no stack.
        let others: Set = [
            "--device", "--gateway", "--courier", "--gateway-ready-file", "--ready-file", "--stdio", "--request-files",
            "--exit-on-eof", "--version", "--help",
        ]
        #expect(flags.subtracting(options) == others)
    }

    @Test func allInvalidSettingsAreReported() async throws {
        let arguments = ["--stroe", "memory", "--clock", "moon", "--console", "maybe", "--strict"]
        let result = try await Program.run("waypost-gateway", arguments)
        #expect(result.status == 64)
        #expect(
            result.errors == """
                waypost-gateway: --stroe: no such setting; did you mean '--store'?
                waypost-gateway: --clock: 'moon' is not accepted; use 'system' or 'manual'
                waypost-gateway: --console: 'maybe' is not accepted; use 'on' or 'off'

                """
        )
    }

    @Test func portInUseIsReported() async throws {
        _ = try await Program.whileRunning("waypost-gateway", PipelineTests.freePorts) { gateway in
            let port = try await gateway.value(after: "service").split(separator: ":").last.map(String.init) ?? ""
            let arguments = [
                "--service", "127.0.0.1:\(port)", "--courier", "127.0.0.1:0", "--provider-plaintext", "127.0.0.1:0",
                "--store", "memory",
            ]
            let second = try await Program.run("waypost-gateway", arguments)
            #expect(second.status == 2)
            #expect(second.errors.contains("127.0.0.1:\(port) is in use"))
            let third = try await Program.run(
                "waypost-gateway",
                [
                    "--service", "127.0.0.1:0", "--courier", "127.0.0.1:0", "--provider-plaintext", "127.0.0.1:\(port)",
                    "--store", "memory",
                ]
            )
            let message = "waypost-gateway: the plaintext provider listener's address 127.0.0.1:\(port) is in use by"
            #expect(third.errors.contains(message), "\(third.errors)")
            #expect(third.errors.contains("choose another port with --provider-plaintext"), "\(third.errors)")
            #expect(!(second.errors + third.errors).contains("CancellationError"), "\(third.errors)")
        }
    }
}
