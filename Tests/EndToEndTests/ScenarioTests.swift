import Foundation
import Testing
import WaypostTestSupport
import Yams

/// `waypost scenario`, with gateways and agents that it starts.
///
/// The time limit is that of all examples, which start some hundred processes.
@Suite(.timeLimit(.minutes(5 * Trials.factor)), .serialized) struct ScenarioTests {
    /// Runs `waypost scenario` in a new folder, which has a copy of the examples.
    private static func inACopy<Value>(_ body: (URL) async throws -> Value) async throws -> Value {
        let folder = try Scenario.copyOfExamples()
        defer { try? FileManager.default.removeItem(at: folder) }
        return try await body(folder)
    }

    /// Each run has more gateways and agents at once than the one before.
    @Test func everyExamplePassesAndEveryRunHasTheSameDecisionsStatesAndTimes() async throws {
        let command = ["scenario", "run", Scenario.folder.path, "--format", "jsonl", "--jobs"]
        let first = try await Program.run("waypost", command + ["2"])
        #expect(first.status == 0, "\(first.output)\(first.errors)")
        for run in 1...Trials.factor {
            let other = try await Program.run("waypost", command + [run.isMultiple(of: 2) ? "1" : "4"])
            let pairs = zip(first.output.split(separator: "\n"), other.output.split(separator: "\n"))
            let difference = pairs.first { $0 != $1 }
            #expect(other.output == first.output, "run \(run): \(difference.map { "\($0)\n\($1)" } ?? "")")
        }
    }

    @Test func changedExpectationFailsWithTheTrace() async throws {
        try await Self.inACopy { folder in
            let file = folder.appending(path: "crusty.yaml")
            let text = try String(contentsOf: file, encoding: .utf8)
            try text.replacing("scene: crusty-detail", with: "scene: overview")
                .write(to: file, atomically: true, encoding: .utf8)
            let report = folder.appending(path: "junit.xml").path
            let result = try await Program.run(
                "waypost",
                ["scenario", "run", file.path, "--format", "story", "--junit", report]
            )
            #expect(result.status == 1)
            #expect(result.output.contains("expected scene overview, got crusty-detail"), "\(result.output)")
            #expect(result.output.contains("▶ crusty-detail (background): won: prefers the content"))
            #expect(result.output.contains("overview (foregroundActive): lost"))
            let junit = try String(contentsOfFile: report, encoding: .utf8)
            #expect(junit.contains("<testsuites tests=\"1\" failures=\"1\""))
            #expect(junit.contains("<failure message=\"expected scene overview, got crusty-detail\">"))
            let path = try #require(result.output.firstMatch(of: /Logs, journals and pictures: (.+)/)).1
            for name in ["gateway.log", "agent-iPad.log", "device-iPad/devices/iPad/journal.jsonl"] {
                #expect(FileManager.default.fileExists(atPath: "\(path)/\(name)"), "\(path)/\(name)")
            }
            let runs = URL(filePath: String(path)).deletingLastPathComponent()
            // Only the folder that the command made for its runs may go.
            try #require(runs.lastPathComponent.hasPrefix("waypost-scenarios-"), "\(path)")
            try FileManager.default.removeItem(at: runs)
        }
    }

    private static let ownProvider = #"""
        name: A provider of one's own
        devices:
          phone: { apps: [{ bundleIdentifier: com.example.bakery, scenes: [] }] }
        steps:
          - run: >-
              curl -sS --cacert "$WAYPOST_CA" -H 'apns-topic: com.example.bakery' -H 'apns-push-type: alert'
              -d '{"aps":{"alert":"Bread","sound":"ding.caf","badge":2,"thread-id":"orders"}}'
              "$WAYPOST_PROVIDER/3/device/$WAYPOST_TOKEN_PHONE"
          - expect: { device: phone, shown: immediate, sound: ding.caf, badge: 2, thread: orders }
          - expect: { notification: acknowledged }
        """#

    @Test func expectationWithoutASendIsAboutWhatTheDeviceReceivedLast() async throws {
        try await Self.inACopy { folder in
            let file = folder.appending(path: "own-provider.yaml")
            try Self.ownProvider.write(to: file, atomically: true, encoding: .utf8)
            let result = try await Program.run("waypost", ["scenario", "run", file.path, "--format", "story"])
            #expect(result.status == 0, "\(result.output)\(result.errors)")
            #expect(result.output.contains("expect shown, sound, badge, thread on phone"), "\(result.output)")
        }
    }

    @Test func expectationOfAnArrivalFailsWithTheGatesAndIsUpdated() async throws {
        try await Self.inACopy { folder in
            let file = folder.appending(path: "badges.yaml")
            let text = try String(contentsOf: file, encoding: .utf8)
            let wrong = text.replacing(
                "{ badge: 3, thread: clowns }",
                with: "{ badge: 4, thread: pies, shown: list, sound: horn }"
            )
            try wrong.write(to: file, atomically: true, encoding: .utf8)
            let failed = try await Program.run("waypost", ["scenario", "run", file.path, "--format", "story"])
            #expect(failed.status == 1)
            for part in ["badge", "thread", "shown", "sound"] {
                #expect(failed.output.contains(part), "\(failed.output)")
            }
            #expect(failed.output.contains("✓  authorization"), "\(failed.output)")
            let updated = try await Program.run(
                "waypost",
                ["scenario", "run", file.path, "--format", "story", "--update"]
            )
            #expect(updated.status == 0, "\(updated.output)\(updated.errors)")
            let written = try String(contentsOf: file, encoding: .utf8)
            #expect(written.contains("{ badge: 3, thread: clowns, shown: immediate, sound: none }"), "\(written)")
            let again = try await Program.run("waypost", ["scenario", "run", file.path])
            #expect(again.status == 0, "\(again.output)")
        }
    }

    @Test func updateWritesWhatHappenedAndKeepsComments() async throws {
        try await Self.inACopy { folder in
            let file = folder.appending(path: "crusty.yaml")
            let text = try String(contentsOf: file, encoding: .utf8)
            let wrong = text.replacing("scene: crusty-detail, reason: prefers", with: "scene: overview, reason: can")
            #expect(wrong != text)
            try wrong.write(to: file, atomically: true, encoding: .utf8)
            let updated = try await Program.run(
                "waypost",
                ["scenario", "run", file.path, "--format", "story", "--update"]
            )
            #expect(updated.status == 0, "\(updated.output)\(updated.errors)")
            #expect(updated.output.contains("scene: overview → crusty-detail"))
            #expect(try String(contentsOf: file, encoding: .utf8) == text)
        }
    }

    @Test func recordingRunsAndHasTheDecisionsAsExpectations() async throws {
        let ready = FileManager.default.temporaryDirectory.appending(path: "ready-\(UUID().uuidString).json").path
        let copy = try Scenario.copyOfExamples()
        defer {
            try? FileManager.default.removeItem(at: copy)
            try? FileManager.default.removeItem(atPath: ready)
        }
        let gateway = [
            "--service", "127.0.0.1:0", "--courier", "127.0.0.1:0", "--provider-plaintext", "127.0.0.1:0", "--clock",
            "manual", "--store", "memory",
        ]
        let recorded = try await Program.whileRunning("waypost-gateway", gateway) { gateway in
            let service = try await gateway.value(after: "service")
            let agent = [
                "--gateway", service, "--clock", "gateway", "--device", Scenario.example("town/devices/ipad.yaml"),
                "--ready-file", ready,
            ]
            return try await Program.whileRunning("waypost-agent", agent) { agent in
                let control = try await agent.value(after: "control")
                let events = [
                    #"{"type":"contactChanged","contact":{"id":"e","givenName":"Enrique","handles":["+14085550101"]}}"#,
                    #"{"type":"messageReceived","message":{"id":"m1","conversation":"c1","sender":"+14085550101","text":"See: https://tv.example/shows/lasso"}}"#,
                    #"{"type":"linkPinned","message":"m1"}"#,
                ]
                for event in events {
                    _ = try await Program.run("curl", ["-s", "\(control)/v1/devices/iPad/events", "-d", event])
                }
                let url = #"{"url":"https://tv.example/shows/lasso"}"#
                _ = try await Program.run("curl", ["-s", "\(control)/v1/devices/iPad/open", "-d", url])
                return try await Program.run("waypost", ["scenario", "record", "--ready-file", ready, "--now"])
            }.value
        }.value
        #expect(recorded.status == 0, "\(recorded.errors)")
        #expect(recorded.output.contains("  - pin: { device: iPad, message: m1 }"), "\(recorded.output)")
        #expect(
            recorded.output.contains("expect: { app: com.example.tv, destination: app, reason: can, scene: watch-now }")
        )
        let file = copy.appending(path: "recorded.yaml")
        try recorded.output.write(to: file, atomically: true, encoding: .utf8)
        let result = try await Program.run("waypost", ["scenario", "run", file.path, "--format", "story"])
        #expect(result.status == 0, "\(result.output)\(result.errors)")
    }

    @Test func interruptLeavesNoProcessAndNoFolder() async throws {
        try await Self.inACopy { folder in
            let marker = "waiting-\(UUID().uuidString)"
            let keepFolder = folder.appending(path: "kept").path
            let text = try String(contentsOf: folder.appending(path: "crusty.yaml"), encoding: .utf8)
                .replacing("steps:\n", with: "steps:\n  - run: \"sleep 600 # \(marker)\"\n")
            let file = folder.appending(path: "waiting.yaml")
            try text.write(to: file, atomically: true, encoding: .utf8)
            let command = ["scenario", "run", file.path, "--format", "story", "--keep", keepFolder]
            let result = try await Program.whileRunning("waypost", command) { run in
                try await waitUntil("the step runs") { try !Scenario.processes(naming: marker).isEmpty }
                #expect(try !Scenario.processes(naming: keepFolder).isEmpty)
                run.send(SIGINT)
            }
            #expect(result.status == 130)
            #expect(try Scenario.processes(naming: marker).isEmpty)
            #expect(try Scenario.processes(naming: keepFolder).filter { !$0.contains("scenario") }.isEmpty)
        }
    }

    @Test func fileThatCannotBeUsedIsReportedWithItsPlace() async throws {
        try await Self.inACopy { folder in
            let file = folder.appending(path: "crusty.yaml")
            let text = try String(contentsOf: file, encoding: .utf8).replacing("title:", with: "titel:")
            try text.write(to: file, atomically: true, encoding: .utf8)
            for command in [["check"], ["scenario", "run"], ["scenario"]] {
                let result = try await Program.run("waypost", command + [file.path])
                #expect(result.status == 2)
                let problem = result.output + result.errors
                #expect(problem.contains("crusty.yaml"), "\(problem)")
                #expect(problem.contains("unknown key 'titel'; did you mean 'title'?"), "\(problem)")
            }
        }
    }

    @Test(arguments: ["crusty.yaml", "channel.yaml"])
    func givenGatewayIsLeftWithoutTheNamespace(_ example: String) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "given-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let ready = folder.appending(path: "gateway.json").path
        let gateway = [
            "--service", "127.0.0.1:0", "--courier", "127.0.0.1:0", "--provider-plaintext", "127.0.0.1:0", "--clock",
            "manual", "--store", "memory", "--ready-file", ready,
        ]
        _ = try await Program.whileRunning("waypost-gateway", gateway) { gateway in
            let service = try await gateway.value(after: "service")
            let result = try await Program.run(
                "waypost",
                ["scenario", "run", Scenario.example(example), "--format", "story", "--ready-file", ready]
            )
            #expect(result.status == 0, "\(result.output)\(result.errors)")
            let namespaces = try await Program.run("curl", ["-s", "\(service)/v1/namespaces"])
            #expect(!namespaces.output.contains("scenario-"), "\(namespaces.output)")
        }
    }

    /// Scenarios with the actions and expectations that no example has.
    @Test(arguments: ["actions", "states", "callbacks", "tokens", "tokens-offline", "links"])
    func scenarioOfTheTestsPasses(_ name: String) async throws {
        let file = Repository.vectors.appending(path: "scenarios/\(name).yaml").path
        let result = try await Program.run("waypost", ["scenario", "run", file, "--format", "story"])
        #expect(result.status == 0, "\(result.output)\(result.errors)")
    }

    private static let removalWhileOffline = """
        name: A removal that the gateway cannot notice
        devices:
          phone: { apps: [{ bundleIdentifier: com.example.tv, scenes: [], tokens: [app] }] }
        steps:
          - network: { device: phone, state: off }
          - uninstall: { device: phone, app: com.example.tv, after: 1h }
        """

    @Test func delayOfARemovalNeedsAConnectedDevice() async throws {
        try await Self.inACopy { folder in
            let file = folder.appending(path: "removal.yaml")
            try Self.removalWhileOffline.write(to: file, atomically: true, encoding: .utf8)
            let result = try await Program.run("waypost", ["scenario", "run", file.path, "--format", "story"])
            #expect(result.status == 1)
            #expect(result.output.contains("'after' needs a connected device"), "\(result.output)")
        }
    }

    /// The keys that the steps of all examples and of the scenarios of the tests have, at any depth.
    private static func usedKeys() throws -> Set<String> {
        let folders = [Scenario.folder, Repository.vectors.appending(path: "scenarios")]
        var keys: Set<String> = []
        for folder in folders {
            for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) where name.hasSuffix(".yaml") {
                let text = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
                keys.formUnion(try Yams.compose(yaml: text)?.keys ?? [])
            }
        }
        return keys
    }

    @Test func everyActionAndExpectationIsRun() async throws {
        let printed = try await Program.run("waypost", ["schema", "scenario"])
        let schema = try #require(try Yams.compose(yaml: printed.output)?["$defs"])
        let used = try Self.usedKeys()
        for definition in ["Step", "Expectation"] {
            let keys = schema[definition]?["properties"]?.mapping?.keys.compactMap(\.string) ?? []
            #expect(keys.count > 20)
            let unused = Set(keys).subtracting(used)
            #expect(unused.isSubset(of: ["name"]), "\(unused.sorted())")
        }
    }
}

extension Node {
    /// The keys of all objects in the node.
    fileprivate var keys: Set<String> {
        switch self {
        case .mapping(let members):
            members.reduce(into: []) { keys, member in
                if let key = member.key.string { keys.insert(key) }
                keys.formUnion(member.value.keys)
            }
        case .sequence(let elements): elements.reduce(into: []) { $0.formUnion($1.keys) }
        case .scalar, .alias: []
        }
    }
}
