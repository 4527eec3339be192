import Fleets
import Foundation
import LoadTesting
import Testing
import WaypostSchema
import WaypostTestSupport

/// `waypost load` over the provider API, with profiles, and what comes with them.
///
/// The time limit allows for the whole time of a drain, which a slow machine may need.
@Suite(.timeLimit(.minutes(5))) struct LoadProviderTests {
    /// Runs a load test, with time enough for any machine: it ends as soon as everything has arrived.
    private static func load(_ arguments: [String]) async throws -> LoadResult {
        let execution = try await Program.run("waypost", ["load", "--format", "json", "--drain", "60s"] + arguments)
        return try LoadResult(json: Array(execution.output.utf8))
    }

    @Test(arguments: [[], ["--tls"], ["--authentication", "token"], ["--authentication", "certificate"]])
    func providerAPITakesEveryNotification(_ arguments: [String]) async throws {
        let load = ["--api", "provider", "--devices", "20", "--rate", "200", "--duration", "1s", "--connections", "2"]
        let result = try await Self.load(load + arguments)
        #expect((result.offered, result.achieved, result.lost, result.errors) == (200, 200, 0, [:]))
        #expect((result.delivered.count, result.acknowledged.count, result.requests) == (200, 200, 200))
    }

    @Test func refusedRequestsHaveTheReasonOfAPNs() async throws {
        let load = ["--api", "provider", "--devices", "5", "--rate", "200", "--duration", "1s", "--bad-tokens", "20%"]
        let result = try await Self.load(load)
        #expect(Array(result.errors.keys) == ["BadDeviceToken"])
        #expect(result.achieved + (result.errors["BadDeviceToken"] ?? 0) == 200)
        #expect(result.lost == 0)
    }

    @Test func messageToTheChannelArrivesOnEveryDevice() async throws {
        let result = try await Self.load([
            "--api", "provider", "--devices", "10", "--rate", "20", "--duration", "2s", "--broadcast", "100%",
            "--streams", "1", "--connections", "1",
        ])
        #expect((result.offered, result.achieved, result.lost) == (40, 40, 0))
        // A message may be replaced by the next one before it is delivered.
        let replaced = result.undelivered.values.reduce(0, +)
        #expect(result.delivered.count + replaced == 400)
        #expect(result.delivered.count > 200)
    }

    @Test func replacedNotificationsAreNotLost() async throws {
        let result = try await Self.load([
            "--devices", "3", "--rate", "200", "--duration", "2s", "--collapse-ids", "2", "--offline",
        ])
        #expect((result.achieved, result.lost) == (400, 0))
        #expect(result.undelivered["collapsed"] == 400 - result.delivered.count)
        // At most one of each identifier waits for a device.
        #expect(result.delivered.count <= 6)
    }

    @Test func transientNotificationsOfOfflineDevicesAreDropped() async throws {
        let result = try await Self.load([
            "--devices", "3", "--rate", "50", "--duration", "1s", "--expiration", "now", "--offline",
        ])
        #expect((result.achieved, result.lost, result.undelivered) == (50, 0, ["dropped": 50]))
    }

    @Test func stormDisconnectsTheDevices() async throws {
        let result = try await Self.load([
            "--devices", "20", "--rate", "100", "--duration", "4s", "--storm", "1500ms:100%:2s",
        ])
        #expect((result.lost, result.acknowledged.count) == (0, 400))
        #expect(result.seconds.contains { $0.connected < 20 })
        #expect(result.seconds.first?.connected == 20)
    }

    @Test func profileIsLoadedAndItsSettingsCanBeReplaced() async throws {
        let profile = Repository.root.appending(path: "docs/examples/load/steady.yaml").path
        let arguments = ["--devices", "10", "--rate", "100", "--duration", "1s", "--warm-up", "1s", "--drain", "60s"]
        let execution = try await Program.run("waypost", ["load", profile, "--format", "json"] + arguments)
        let result = try LoadResult(json: Array(execution.output.utf8))
        #expect(result.run.name == "steady")
        #expect(result.objectives.map(\.objective) == ["lost=0", "delivered.p99<100ms"])
        #expect(result.lost == 0)
        #expect(Array(result.errors.keys).allSatisfy { $0 == "BadDeviceToken" })
        #expect((50...150).contains(result.offered))
    }

    @Test func searchFindsARateThatMeetsTheObjectives() async throws {
        let execution = try await Program.run(
            "waypost",
            [
                "load", "--find-max", "--devices", "5", "--rate", "40", "--duration", "2s", "--batch", "1", "--slo",
                "offeredRate<35", "--format", "json",
            ]
        )
        let result = try LoadResult(json: Array(execution.output.utf8))
        // How far the search goes depends on the machine; the first rate misses the objective on any.
        #expect((1..<35).contains(result.offeredRate))
        #expect(execution.errors.contains("40 per second: offeredRate<35 is 40"))
        #expect(execution.errors.contains("20 per second: "))
    }

    @Test func targetsAreInputForH2load() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "targets-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let ready = folder.appending(path: "gateway.json").path
        let gateway = [
            "--service", "127.0.0.1:0", "--courier", "127.0.0.1:0", "--provider-plaintext", "127.0.0.1:0", "--store",
            "memory", "--ready-file", ready,
        ]
        let sent = try await Program.whileRunning("waypost-gateway", gateway) { running in
            _ = try await running.value(after: "store")
            let targets = folder.appending(path: "targets").path
            let made = try await Program.run(
                "waypost",
                ["load", "targets", "--ready-file", ready, "--devices", "10", "--payload", "300", targets]
            )
            #expect(made.output == "\(targets)/h2load.sh\n", "\(made.errors)")
            let urls = try String(contentsOfFile: "\(targets)/urls.txt", encoding: .utf8).split(separator: "\n")
            #expect(urls.count == 10 && urls.allSatisfy { $0.contains("/3/device/") })
            let load = try await Program.run("sh", ["\(targets)/h2load.sh", "-n", "100", "-c", "1", "-m", "10"])
            #expect(load.output.contains("100 succeeded"), "\(load.output)\(load.errors)")
            let log = try await Program.run(
                "waypost",
                ["notifications", "list", "--ready-file", ready, "--format", "jsonl"]
            )
            return log.output.split(separator: "\n").count
        }.value
        #expect(sent == 100)
    }

    @Test func ownKeyTopicAndPayloadAreUsed() async throws {
        let scratch = try ScratchFolder()
        let key = scratch.path(of: "AuthKey_HONK123456.p8")
        _ = try await ExternalCommand.run([
            "openssl", "genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", key,
        ])
        let payload = try scratch.write("{\n  \"aps\": {\"alert\": \"Honk\"}\n}\n".utf8, to: "payload.json")
        let ready = scratch.path(of: "ready.json")
        let gateway = [
            "--service", "127.0.0.1:0", "--courier", "127.0.0.1:0", "--provider-plaintext", "127.0.0.1:0", "--provider",
            "127.0.0.1:0", "--authentication", "apns", "--data", scratch.path(of: "data"), "--ready-file", ready,
        ]
        _ = try await Program.whileRunning("waypost-gateway", gateway) { running in
            _ = try await running.value(after: "store")
            let own = ["--topic", "com.example.own", "--payload-file", payload]
            for api in [["--api", "provider", "--tls", "--key", key, "--team", "TEAM123456"], []] {
                let sizes = ["--devices", "3", "--rate", "20", "--duration", "1s", "--connections", "1"]
                let result = try await Self.load(["--ready-file", ready] + api + sizes + own)
                #expect((result.achieved, result.lost, result.errors) == (20, 0, [:]))
            }
            let list = ["notifications", "list", "--ready-file", ready, "--format", "jsonl"]
            let log = try await Program.run("waypost", list).output.split(separator: "\n")
            #expect(log.count == 40 && log.allSatisfy { $0.contains(#""topic":"com.example.own""#) })
            // The gateway had the key only during the tests.
            let keys = try await Program.run("waypost", ["keys", "list", "--ready-file", ready, "--format", "jsonl"])
            #expect(keys.output == "", "\(keys.output)")
        }
        withExtendedLifetime(scratch) {}
    }

    @Test(arguments: ["none", "token"]) func keyThatTheGatewayDoesNotTryIsAWarning(_ mode: String) async throws {
        let scratch = try ScratchFolder()
        let key = scratch.path(of: "AuthKey_HONK123456.p8")
        _ = try await ExternalCommand.run([
            "openssl", "genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", key,
        ])
        let ready = scratch.path(of: "ready.json")
        let gateway = [
            "--service", "127.0.0.1:0", "--courier", "127.0.0.1:0", "--provider-plaintext", "127.0.0.1:0",
            "--authentication", mode, "--data", scratch.path(of: "data"), "--ready-file", ready,
        ]
        _ = try await Program.whileRunning("waypost-gateway", gateway) { running in
            _ = try await running.value(after: "store")
            let sizes = ["--devices", "2", "--rate", "20", "--duration", "1s", "--connections", "1"]
            let options = ["--ready-file", ready, "--api", "provider", "--key", key, "--team", "TEAM123456"]
            let result = try await Self.load(options + sizes)
            #expect((result.achieved, result.lost) == (20, 0))
            let warnings = result.warnings.filter { $0.contains("does not check provider tokens") }
            #expect(warnings.count == (mode == "none" ? 1 : 0), "\(result.warnings)")
        }
        withExtendedLifetime(scratch) {}
    }

    @Test func everyKeyOfAProfileIsAnOption() async throws {
        let help = try await Program.run("waypost", ["load", "run", "--help"]).output
        for option in LoadOption.allCases { #expect(help.contains("--\(option.rawValue)"), "\(option)") }
    }

    @Test func checkNamesEveryProblemOfAProfile() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "load-\(UUID().uuidString).yaml").path
        defer { try? FileManager.default.removeItem(atPath: file) }
        try Data("rate: 5\ndevice: 7\nslo: [lost]\n".utf8).write(to: URL(filePath: file))
        let execution = try await Program.run("waypost", ["check", file, "--format", "table"])
        #expect(execution.status == 2)
        #expect(execution.output == "\(file):2:1: error: unknown key 'device'; did you mean 'devices'?\n")
        #expect(try await Program.run("waypost", ["schema", "load"]).output.contains("\"FleetBehavior\""))
    }

    @Test(arguments: [
        (["--api", "provider", "--batch", "5"], "--batch is a setting of '--api batches' only"),
        (["--tls"], "--tls is a setting of '--api provider' only"),
        (["--payload", "200:50%"], "--payload '200:50%': the shares are 50%, not 100%"),
        (["--find-max", "--closed"], "--rate a search needs a constant rate to begin with, such as 1000"),
        (["nowhere.yaml"], "nowhere.yaml:1:1: cannot be read"),
        (["--team", "TEAM123456", "--api", "provider"], "--team is a setting of '--key FILE' only"),
        (["--key", "k.p8"], "--key is a setting of '--api provider' only"),
        (["--api", "provider", "--key", "k.p8", "--team", "T"], "k.p8'; add its identifier with '--key-id ID'"),
        (["--api", "provider", "--key", "AuthKey_A.p8"], "AuthKey_A.p8'; add its team with '--team TEAM'"),
        (["--api", "provider", "--key", "nowhere.p8"], "--key 'nowhere.p8': it cannot be read: it does not exist"),
        (["--topic", "com \"example"], "--topic 'com \"example'; use a bundle identifier"),
        (["--payload-file", "p.json"], "--payload-file p.json: cannot be read"),
        (["--payload-file", Repository.root.appending(path: "README.md").path], "README.md:1:1: not JSON: found"),
        (
            ["--gateway", "http://127.0.0.1:9", "--api", "provider"],
            "cannot reach http://127.0.0.1:9"
        ),
    ])
    func unusableSettingSaysWhatIsAccepted(_ arguments: [String], _ message: String) async throws {
        let folder = try ScratchFolder()
        let files = try ["k.p8", "AuthKey_A.p8"].map { ($0, try folder.write("no key".utf8, to: $0)) }
        let paths = Dictionary(uniqueKeysWithValues: files)
        let words = ["load", "--duration", "1s"] + arguments.map { paths[$0] ?? $0 }
        let execution = try await Program.run("waypost", words)
        let isFile = message.contains("cannot be read") || message.contains("not JSON")
        #expect(execution.status == (message.hasPrefix("cannot reach") ? 69 : isFile ? 2 : 64))
        #expect(execution.errors.contains(message), "\(execution.errors)")
    }
}
