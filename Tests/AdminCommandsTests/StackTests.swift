import Foundation
import SchemaFiles
import Testing
import WaypostTestSupport

@testable import AdminCommands

/// Tests of the files that `waypost up` reads.
@Suite struct StackTests {
    private let folder: ScratchFolder

    init() throws {
        folder = try ScratchFolder()
        for path in ["d/ipad.yaml", "a.yaml", "a/tv.yaml"] {
            let file = URL(filePath: folder.path(of: path))
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            let text = path.hasPrefix("d") ? "{name: iPad, apps: []}" : "{bundleIdentifier: a, scenes: []}"
            try Data(text.utf8).write(to: file)
        }
    }

    private func stack(_ text: String, usesFreePorts: Bool = false) throws -> Stack {
        try Stack(from: try folder.write(text.utf8, to: "waypost.yaml"), Stack.Options(usesFreePorts: usesFreePorts))
    }

    @Test func pathsAreRelativeToTheFile() throws {
        let stack = try stack("{data: st, devices: [d/ipad.yaml], apps: [{file: a.yaml, device: iPad}]}")
        #expect(stack.folder.path == folder.path(of: "st"))
        #expect(stack.agentArguments?.prefix(2) == ["--device", folder.path(of: "d/ipad.yaml")])
        #expect(stack.apps == [StackApp(file: folder.path(of: "a.yaml"), device: "iPad")])
    }

    @Test func textInBase60IsAText() throws {
        let text = "59:59:59:59:59:59:59:59:59:59:59"
        _ = try folder.write("{name: '\(text)', apps: []}".utf8, to: "d/clock.yaml")
        let stack = try stack("{data: \(text), devices: [d], apps: [{file: a.yaml, device: \(text)}]}")
        #expect(stack.folder.path == folder.path(of: text))
        #expect(stack.apps.map(\.device) == [text])
    }

    @Test func optionsOfTheFilePrecedeTheUsualOnes() throws {
        let stack = try stack(
            "gateway: {service: '127.0.0.1:9', clock: manual, redelivery: 30, strict: true, trust-network: false}"
        )
        let arguments = stack.gatewayArguments.joined(separator: " ")
        #expect(
            arguments.hasPrefix(
                "--clock manual --redelivery 30 --service 127.0.0.1:9 --strict --courier 127.0.0.1:7331"
            )
        )
        #expect(!stack.trustsNetwork)
        #expect(stack.agentArguments == nil)
    }

    /// The folder may be one of the user's.
    @Test func onlyTheFilesOfItsProcessesAreItsOwn() throws {
        let stack = try stack("{data: ., devices: [d], apps: [{file: a/tv.yaml, device: iPad}]}")
        let names = [
            "stack.ready.json", "gateway.ready.json", "gateway.log", "agent.ready.json", "agent.log", "app-tv-iPad.log",
        ]
        #expect(stack.generatedFiles == names.map(folder.path(of:)))
    }

    @Test func freePortsAreZero() throws {
        let stack = try stack("devices: [d]", usesFreePorts: true)
        #expect(stack.gatewayArguments.filter { $0 == "127.0.0.1:0" }.count == 3)
        #expect(stack.agentArguments?.contains("127.0.0.1:0") == true)
    }

    private static let container = [
        "WAYPOST_GATEWAY_TRUST_NETWORK": "TRUE", "WAYPOST_GATEWAY_AUTHENTICATION": "token",
        "WAYPOST_GATEWAY_STRICT": "no",
        "WAYPOST_GATEWAY_DATA": "/elsewhere", "WAYPOST_GATEWAY_STORE": "", "HOME": "/",
    ]

    @Test func variablesOfAContainerAreOptionsOfTheGateway() throws {
        let variables = try GatewayVariables.ofContainer(Self.container)
        #expect(
            variables == [
                "trust-network": ["--trust-network"], "authentication": ["--authentication", "token"],
                "strict": ["--no-strict"],
            ]
        )
        let file = try folder.write("{devices: [d], gateway: {authentication: none}}".utf8, to: "waypost.yaml")
        let options = Stack.Options(folder: folder.path(of: "elsewhere"), gatewayVariables: variables)
        let stack = try Stack(from: file, options)
        #expect(stack.folder.path == folder.path(of: "elsewhere"))
        #expect(
            stack.gatewayArguments.prefix(6) == [
                "--authentication", "none", "--no-strict", "--trust-network", "--service", "0.0.0.0:7330",
            ]
        )
        #expect(stack.trustsNetwork)
        // Nobody else needs the agent.
        #expect(stack.agentArguments?.contains("127.0.0.1:7340") == true)
    }

    @Test func fileCanSayThatTheNetworkIsNotTrusted() throws {
        let file = try folder.write("{devices: [d], gateway: {trust-network: false}}".utf8, to: "waypost.yaml")
        let options = Stack.Options(gatewayVariables: try GatewayVariables.ofContainer(Self.container))
        let stack = try Stack(from: file, options)
        #expect(!stack.trustsNetwork)
        #expect(stack.gatewayArguments.contains("127.0.0.1:7330"))
    }

    @Test func variablesAreOfAnotherGatewayIfTheNetworkIsNotTrusted() throws {
        for trust in ["false", "", nil] {
            var environment = Self.container
            environment["WAYPOST_GATEWAY_TRUST_NETWORK"] = trust
            #expect(try GatewayVariables.ofContainer(environment).isEmpty)
        }
        let error = #expect(throws: CommandFailure.self) {
            try GatewayVariables.ofContainer(["WAYPOST_GATEWAY_TRUST_NETWORK": "tru"])
        }
        #expect(error?.message?.contains("'tru' is not accepted; use 'true' or 'false'") == true)
    }

    @Test func folderOfDeviceFilesIsAStack() throws {
        let stack = try Stack(ofDevicesIn: folder.path(of: "d"), Stack.Options(folder: folder.path(of: "data")))
        #expect(stack.agentArguments?.prefix(2) == ["--device", folder.path(of: "d")])
        #expect(stack.apps.isEmpty)
        _ = try folder.write("{name: iPad, apps: 1}".utf8, to: "d/mac.yaml")
        #expect(throws: FileFindings.self) { try Stack(ofDevicesIn: folder.path(of: "d"), Stack.Options()) }
    }

    /// The agent and the apps would report them one after another, in their logs.
    @Test func problemsOfAllFilesAreReportedAtOnce() throws {
        _ = try folder.write("{name: iPad, apps: [], lnaguage: ja}".utf8, to: "ipad.yaml")
        _ = try folder.write("bundleIdentifier: a\nscene: []".utf8, to: "app.yaml")
        let error = try #require(throws: FileFindings.self) {
            try stack("{devices: [d, ipad.yaml, none.yaml], apps: [{file: app.yaml, device: iPad}]}")
        }
        #expect(
            error.description.replacing(folder.path + "/", with: "").split(separator: "\n") == [
                "app.yaml:2:1: unknown key 'scene'; did you mean 'scenes'?",
                "ipad.yaml:1:24: unknown key 'lnaguage'; did you mean 'language'?",
                "none.yaml:1:1: cannot be read: it does not exist",
            ]
        )
    }

    @Test(arguments: [
        ("devices: [a]\ndevcies: []", "waypost.yaml:2:1: unknown key 'devcies'; did you mean 'devices'?"),
        ("gateway:\n  clock: [manual]", "waypost.yaml:2:10: 'clock' "),
        ("gateway:\n  clok: manual", "waypost.yaml:2:3: unknown key 'clok'; did you mean 'clock'?"),
        ("gateway: {clock: manal}", "waypost.yaml:1:18: 'clock' is 'manal'; did you mean 'manual'?"),
        ("gateway: {console: always}", "'console' is 'always'; use on or off"),
        ("gateway: {strict: maybe}", "'strict' is 'maybe'; it must be true or false"),
        ("devices: [d]\nagent: {clock: gatway}", "waypost.yaml:2:16: 'clock' is 'gatway'; did you mean 'gateway'?"),
        ("devices: [d]\nagent: {xyzzy: 1}", "unknown key 'xyzzy'; keys here: allowed-host, apps, clock, "),
        // The stack chooses these itself.
        ("devices: [d]\nagent: {device: x.yaml}", "unknown key 'device'"),
        (
            "devices: [d]\napps: [{file: a.yaml, device: iPda}]",
            "waypost.yaml:2:31: the stack has no device 'iPda'; did you mean 'iPad'?"
        ),
        ("devices: [d]\napps: [{file: a.yaml, device: Watch}]", "no device 'Watch'; its devices: iPad"),
        ("devices: [d, d/ipad.yaml]", "d/ipad.yaml:1:8: "),
        ("apps: [{file: a, device: b}]", "waypost.yaml:1:7: apps need 'devices'"),
        ("devices: [d]\napps: [{file: a}]", "waypost.yaml:2:8: "),
        ("data: ''", "must not be empty"), ("- a", "a stack is an object"), ("{", "waypost.yaml:"),
    ])
    func unusableFileIsRefusedWithThePlace(_ text: String, _ words: String) throws {
        let error = #expect(throws: FileFindings.self) { try stack(text) }
        #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
    }
}
