import Foundation
import Testing
import WaypostSchema
import WaypostTestSupport

@testable import WaypostTesting

/// `WaypostTesting`, the library for tests in Swift: what it says if something is wrong.
///
/// The stories in docs/examples/swift show what it does otherwise.
@Suite(.timeLimit(.minutes(5))) struct TestingLibraryTests {
    private static let iPad = Scenario.example("town/devices/ipad.yaml")
    private static let programs = ["WAYPOST_BIN": BuiltPrograms.folder.path]

    /// Runs `body` as a test with devices.
    private func run(
        devices: [String] = [iPad],
        environment: [String: String] = programs,
        _ body: @Sendable () async throws -> Void
    ) async throws {
        try await TestProcesses.run(devices: devices, environment: environment) { processes in
            try await Waypost.$processes.withValue(processes) { try await body() }
        }
    }

    @Test(arguments: [
        (["WAYPOST_BIN": "/nowhere", "PATH": "/usr/share"], "in WAYPOST_BIN (/nowhere) or on the PATH"),
        (["PATH": "/usr/share"], "on the PATH"),
        ([:], "on the PATH"),
    ])
    func missingProgramSaysWhatToDo(_ environment: [String: String], _ place: String) async throws {
        let error = await #expect(throws: WaypostError.self) { try await run(environment: environment) {} }
        #expect(
            error?.description == """
                waypost-gateway is not \(place); install the package of Waypost, or set WAYPOST_BIN to the folder of \
                its programs
                """
        )
    }

    @Test(arguments: [
        ["WAYPOST_BIN": "/nowhere", "PATH": BuiltPrograms.folder.path],
        ["PATH": "/usr/share:\(BuiltPrograms.folder.path)"],
    ])
    func programsAreOnThePathToo(_ environment: [String: String]) async throws {
        try await run(environment: environment) {
            let iPad = try Waypost.device()
            #expect(iPad.name == "iPad")
        }
    }

    @Test func gatewayKnowsTheKeysOfATest() async throws {
        try await run {
            let key = try await Waypost.makeKey()
            #expect(key.file.hasSuffix("AuthKey_\(key.id).p8") && key.team == "TEAM123456")
            #expect(try String(contentsOfFile: key.file, encoding: .utf8).hasPrefix("-----BEGIN PRIVATE KEY-----"))
            // It can be registered again, as a key of the user's own.
            try await Waypost.register(SigningKey(file: key.file, id: "HONK123456", team: "TEAM654321"))
            let call: [String: JSONValue] = ["at": .string("gateway"), "path": .string("/v1/keys")]
            let answer = try await Waypost.perform(["call": .object(call)])
            guard case .array(let keys) = answer else {
                Issue.record("\(answer)")
                return
            }
            let identifiers = Set(keys.compactMap { $0["id"]?.string })
            #expect(identifiers == ["HONK123456", key.id.rawValue])
            let wrong = SigningKey(file: Self.iPad, id: "A", team: "B")
            let error = await #expect(throws: WaypostError.self) { try await Waypost.register(wrong) }
            #expect(error?.description.contains("not a P-256 private key") == true)
        }
    }

    @Test func unusableDeviceFileIsNamed() async throws {
        let error = await #expect(throws: WaypostError.self) { try await run(devices: ["/nowhere/ipad.yaml"]) {} }
        #expect(
            error?.description.hasPrefix(
                "waypost-agent ended early:\nwaypost-agent: /nowhere/ipad.yaml:1:1: cannot be read"
            )
                == true
        )
    }

    @Test func devicesOfOneFileHaveNamesAndAnOrder() async throws {
        try await run(devices: ["Yours=\(Self.iPad)", "Mine=\(Self.iPad)"]) {
            let (mine, yours) = (try Waypost.device("Mine"), try Waypost.device("Yours"))
            #expect(mine.token != yours.token)
            #expect(throws: WaypostError.noDevice(nil, available: ["Yours", "Mine"])) { try Waypost.device() }
            #expect(throws: WaypostError.noDevice("iPad", available: ["Yours", "Mine"])) { try Waypost.device("iPad") }
        }
    }

    /// The agent is the command that stands for `docker exec -i waypost waypost agent`.
    @Test func runningGatewayGivesEachTestANamespace() async throws {
        let arguments = [
            "--store", "memory", "--clock", "manual", "--service", "127.0.0.1:0", "--courier", "127.0.0.1:0",
            "--provider-plaintext", "127.0.0.1:0",
        ]
        let gateway = try await Program.whileRunning("waypost-gateway", arguments) { running in
            let url = try await running.value(after: "service")
            var environment = Self.programs
            environment["WAYPOST_GATEWAY"] = url + "/"
            environment["WAYPOST_AGENT_COMMAND"] = "env -C / \(BuiltPrograms.path(of: "waypost-agent"))"
            try await run(environment: environment) {
                let iPad = try Waypost.device()
                #expect(try Waypost.gateway.service == url)
                #expect(try Waypost.gateway.providerPlaintext?.hasPrefix("http://127.0.0.1:") == true)
                try await Waypost.advance(by: .seconds(3_600))
                try await iPad.send("Crusty is near", topic: "com.example.clowntown")
                try await iPad.open("Crusty is near").expect(scene: "overview")
                #expect(try await Self.namespaces(of: url).contains("test-"))
            }
            return try await Self.namespaces(of: url)
        }
        #expect(!gateway.value.contains("test-"))
    }

    private static func namespaces(of url: String) async throws -> String {
        try await Program.run("curl", ["--silent", "\(url)/v1/namespaces"]).output
    }

    @Test(arguments: [
        ("not a url", "it is not a URL"), ("http://127.0.0.1:9", "it cannot be reached"),
    ])
    func gatewayThatCannotBeUsedIsNamed(_ url: String, _ reason: String) async throws {
        let error = await #expect(throws: WaypostError.self) {
            try await RunningGateway(url, adminToken: nil, timeLimit: .zero).hasManualClock()
        }
        #expect(error?.description.hasPrefix("the gateway \(url) cannot be used: \(reason)") == true)
    }

    @Test func testWithoutTheTraitHasNoDevice() {
        #expect(throws: WaypostError.noTrait) { try Waypost.device() }
    }

    @Test func tokensOfAnAppEndAndAreReplaced() async throws {
        let bakery = AppDescription(
            bundleIdentifier: "com.example.bakery",
            scenes: [],
            backgroundModes: [.voip],
            tokens: [.app, .voip]
        )
        try await run {
            let iPad = try Waypost.device()
            try await iPad.apply(.system(.appInstalled(bakery)))
            let app = bakery.bundleIdentifier
            let first = try await iPad.token(.app, of: app)
            #expect(first != iPad.token)
            try await iPad.send("Bread", topic: "com.example.bakery")
            let calls = try await iPad.rotateToken(.voip, of: app)
            #expect(try await iPad.token(.voip, of: app) == calls)
            try await iPad.update(app)
            #expect(try await iPad.token(.voip, of: app) == calls)
            try await iPad.expect(tokens: [.voip, .app], of: app)
            try await iPad.uninstall(app, after: .seconds(3_600))
            try await iPad.expect(tokens: [], of: app)
            try await iPad.send("Lost", topic: "com.example.bakery")
            try await Waypost.advance(by: .seconds(3_600))
            let refusal = await #expect(throws: WaypostError.self) {
                try await iPad.send("Gone", topic: "com.example.bakery")
            }
            #expect(refusal?.description.contains("Unregistered") == true)
            try await iPad.reinstall(app)
            #expect(try await iPad.token(.app, of: app) != first)
            let missing = await #expect(throws: WaypostError.self) { _ = try await iPad.token(.control, of: app) }
            let problem = "com.example.bakery on iPad has no token 'control'; its tokens: app, voip"
            #expect(missing?.description.contains(problem) == true)
        }
    }

    @Test func rotatedTokenOfTheDeviceIsReturned() async throws {
        try await run {
            let iPad = try Waypost.device()
            let token = try await iPad.rotateToken()
            #expect(token != iPad.token)
            let status: [DeviceStatus] = try await iPad.get("/v1/devices")
            #expect(status.map(\.token) == [token])
        }
    }

    @Test func restoredBackupNamesTheTokens() async throws {
        try await run {
            let iPad = try Waypost.device()
            let restoration = try await iPad.restoreBackup(of: iPad)
            #expect(restoration.from == "iPad")
            #expect(restoration.tokens.map(\.previous) == [iPad.token])
            let status: [DeviceStatus] = try await iPad.get("/v1/devices")
            #expect(status.map(\.token) == restoration.tokens.map(\.token))
            #expect(status.first?.token != iPad.token)
        }
    }

    @Test func failedActionNamesTheLineOfTheCall() async throws {
        try await run {
            let iPad = try Waypost.device()
            let error = await #expect(throws: WaypostError.self) {
                _ = try await iPad.open(app: "com.example.tw")
            }
            let text = error?.description ?? ""
            #expect(text.hasPrefix("TestingLibraryTests.swift:\(#line - 4):"))
            #expect(text.contains("'com.example.tw', which is no app of a device; did you mean 'com.example.tv'?"))
        }
    }

    @Test func wrongExpectationExplainsTheDecision() async throws {
        try await run {
            let iPad = try Waypost.device()
            let opened = try await iPad.open(url: "https://tv.example/shows/lasso")
            withKnownIssue {
                opened.expect(scene: "overview")
            } matching: { issue in
                issue.comments.contains { $0.rawValue.contains("com.example.tv opens: the URL is one of its") }
                    && issue.sourceLocation?.line == #line - 3
            }
            try await withKnownIssue {
                try await iPad.expect(shelf: ["https://tv.example/shows/lasso"], within: .milliseconds(100))
            } matching: { issue in
                issue.comments.contains { $0.rawValue.contains("expected shelf https://tv.example/shows/lasso, got") }
                    && issue.sourceLocation?.line == #line - 3
            }
            try await iPad.expect(reloads: [.widgets: 0], of: "com.example.tv")
            try await withKnownIssue {
                try await iPad.expect(reloads: [.widgets: 1], of: "com.example.tv", within: .milliseconds(100))
            } matching: { issue in
                issue.comments.contains { $0.rawValue.contains("expected reloads.widgets 1, got 0") }
                    && issue.sourceLocation?.line == #line - 3
            }
        }
    }
}
