import ArgumentParser
import Foundation
import GatewayClient
import Testing
import WaypostSchema
import WaypostTestSupport

@testable import AdminCommands

/// Tests of the settings by which commands find their gateway and their agent.
@Suite struct ContextSettingsTests {
    private static let file = ContextsFile(
        context: "local",
        contexts: [
            "local": ContextSettings(gateway: "http://127.0.0.1:1", namespace: "mine", agent: "http://127.0.0.1:2"),
            "staging": ContextSettings(gateway: "https://push.example", agent: "https://agent.example"),
        ]
    )

    private static func location(
        _ arguments: [String],
        _ environment: [String: String] = [:],
        _ file: ContextsFile = file
    ) throws -> GatewayOptions.Location {
        try GatewayOptions.parse(arguments).location(in: file, environment)
    }

    @Test func optionsPrecedeTheEnvironmentAndThatTheContext() throws {
        let environment = ["WAYPOST_GATEWAY": "http://127.0.0.1:8", "WAYPOST_NAMESPACE": "run"]
        #expect(try Self.location([]).service == "http://127.0.0.1:1")
        #expect(try Self.location([]).namespace == "mine")
        #expect(try Self.location([], environment).service == "http://127.0.0.1:8")
        #expect(try Self.location([], environment).namespace == "run")
        let options = ["--gateway", "http://127.0.0.1:9", "--namespace", "other"]
        #expect(try Self.location(options, environment).service == "http://127.0.0.1:9")
        #expect(try Self.location(options, environment).namespace == "other")
    }

    @Test func contextIsThatOfTheOptionOrTheVariableOrTheFile() throws {
        let environment = ["WAYPOST_CONTEXT": "staging"]
        #expect(try Self.location([], environment).service == "https://push.example")
        #expect(try Self.location(["--context", "local"], environment).service == "http://127.0.0.1:1")
        #expect(try Self.location([], ["WAYPOST_CONTEXT": ""]).service == "http://127.0.0.1:1")
    }

    @Test func withoutSettingsTheGatewayAndTheAgentAreThoseOfTheMachine() throws {
        #expect(try Self.location([], [:], ContextsFile()) == .init(service: "http://127.0.0.1:7330"))
        let agent = try AgentOptions.parse([]).location(in: ContextsFile(), [:])
        #expect(agent == .init(control: "http://127.0.0.1:7340"))
    }

    @Test func readyFileOfAHigherLevelPrecedesTheURLOfALowerOne() throws {
        let folder = try ScratchFolder()
        let ready =
            #"{"service":"http://127.0.0.1:5","courier":"http://127.0.0.1:6","providerPlaintext":"http://127.0.0.1:7","data":"\#(folder.path(of: "data"))"}"#
        let path = try folder.write(ready.utf8, to: "ready.json")
        #expect(try Self.location(["--ready-file", path]).service == "http://127.0.0.1:5")
        #expect(try Self.location(["--ready-file", path]).provider == "http://127.0.0.1:7")
        #expect(try Self.location([], ["WAYPOST_READY_FILE": path]).service == "http://127.0.0.1:5")
        let both = ["--gateway", "http://127.0.0.1:9"]
        #expect(try Self.location(both, ["WAYPOST_READY_FILE": path]).service == "http://127.0.0.1:9")
    }

    @Test func commandWithAGatewayOfItsOwnUsesAnotherOnlyIfItIsNamed() throws {
        let options = try GatewayOptions.parse([])
        #expect(try options.namedLocation(in: ContextsFile(), [:]) == nil)
        #expect(try options.namedLocation(in: ContextsFile(), ["WAYPOST_NAMESPACE": "run"]) == nil)
        #expect(try options.namedLocation(in: Self.file, [:])?.service == "http://127.0.0.1:1")
        let environment = ["WAYPOST_GATEWAY": "http://127.0.0.1:8"]
        #expect(try options.namedLocation(in: ContextsFile(), environment)?.service == "http://127.0.0.1:8")
        #expect(throws: (any Error).self) {
            try OptionalGatewayOptions.parse(["--own-gateway", "--gateway", "http://127.0.0.1:9"])
        }
        #expect(try OptionalGatewayOptions.parse(["--own-gateway"]).location() == nil)
    }

    @Test func helpSaysWhichGatewayIsUsedIfNoneIsNamed() {
        func help(_ command: any ParsableCommand.Type) -> String {
            WaypostCommand.helpMessage(for: command, columns: 200)
        }
        for text in [help(ScenarioRunCommand.self), help(LoadRunCommand.self)] {
            #expect(text.contains("or else one of its own") && !text.contains("or else http://127.0.0.1:7330"))
        }
        #expect(help(HealthCommand.self).contains("or else http://127.0.0.1:7330"))
    }

    @Test func readyFileOfAStackNamesItsAgentToo() throws {
        let folder = try ScratchFolder()
        let stack =
            #"{"gateway":{"service":"http://127.0.0.1:5","courier":"http://127.0.0.1:6"},"agent":{"control":"http://127.0.0.1:4","controlToken":"t"}}"#
        let path = try folder.write(stack.utf8, to: "ready.json")
        let agent = try AgentOptions.parse([]).location(in: ContextsFile(), ["WAYPOST_READY_FILE": path])
        #expect(agent == .init(control: "http://127.0.0.1:4", token: "t"))
    }

    @Test func agentIsFoundInTheSameWay() throws {
        let environment = ["WAYPOST_AGENT": "http://127.0.0.1:4", "WAYPOST_CONTROL_TOKEN": "secret"]
        #expect(try AgentOptions.parse([]).location(in: Self.file, [:]).control == "http://127.0.0.1:2")
        #expect(
            try AgentOptions.parse([]).location(in: Self.file, environment)
                == .init(control: "http://127.0.0.1:4", token: "secret")
        )
        let options = try AgentOptions.parse(["--agent", "http://127.0.0.1:3"])
        #expect(try options.location(in: Self.file, environment).control == "http://127.0.0.1:3")
    }

    @Test func unknownContextIsRefusedWithASuggestion() throws {
        let failure = #expect(throws: CommandFailure.self) { try Self.location(["--context", "stagin"]) }
        #expect(failure?.message == "there is no context 'stagin'; did you mean 'staging'?")
        let other = #expect(throws: CommandFailure.self) { try Self.location(["--context", "production"]) }
        #expect(other?.message == "there is no context 'production'; there are local, staging")
    }

    @Test(arguments: ["WAYPOST_GATEWAY", "WAYPOST_NAMESPACE"]) func valueOfAVariableIsChecked(_ name: String) {
        let failure = #expect(throws: CommandFailure.self) { try Self.location([], [name: "two words"]) }
        #expect(failure?.message?.contains("'two words'") == true)
    }

    @Test func fileIsWrittenForItsUserAndReadAgain() throws {
        let folder = try ScratchFolder()
        let settings = ContextsStorage(["XDG_CONFIG_HOME": folder.path(of: "config")])
        #expect(settings.path == folder.path(of: "config/waypost/settings.yaml"))
        #expect(try settings.read() == ContextsFile())
        try settings.write(Self.file)
        #expect(try settings.read() == Self.file)
        let mode = try FileManager.default.attributesOfItem(atPath: settings.path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        #expect(ContextsStorage(["HOME": "/home/ann"]).path == "/home/ann/.config/waypost/settings.yaml")
        #expect(ContextsStorage(["WAYPOST_SETTINGS": "/x.yaml"]).path == "/x.yaml")
    }

    @Test func textInBase60IsAText() throws {
        let folder = try ScratchFolder()
        let text = "59:59:59:59:59:59:59:59:59:59:59"
        let yaml = "context: \(text)\ncontexts: {\(text): {namespace: \(text)}}\n"
        let path = try folder.write(yaml.utf8, to: "settings.yaml")
        let file = try ContextsStorage(["WAYPOST_SETTINGS": path]).read()
        #expect(file == ContextsFile(context: text, contexts: [text: ContextSettings(namespace: text)]))
    }

    @Test func misspelledKeyInTheFileIsNamed() throws {
        let folder = try ScratchFolder()
        let path = try folder.write("contexts: {a: {gatway: x}}".utf8, to: "settings.yaml")
        let location = ContextsStorage(["WAYPOST_SETTINGS": path])
        let failure = #expect(throws: CommandFailure.self) { try location.read() }
        #expect(failure?.message?.contains("gatway") == true)
    }
}
