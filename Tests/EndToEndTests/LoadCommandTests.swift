import Fleets
import Foundation
import LoadTesting
import Testing
import WaypostSchema

/// `waypost load`, with a gateway of its own or a proxy before one.
///
/// The time limit allows for the whole time of a drain, which a slow machine may need.
@Suite(.timeLimit(.minutes(5))) struct LoadCommandTests {
    private static func file(_ name: String) -> String {
        FileManager.default.temporaryDirectory.appending(path: "load-\(UUID().uuidString)-\(name)").path
    }

    /// Time enough for any machine; a load test ends as soon as everything has arrived.
    private static let drainOptions = ["--drain", "60s"]

    /// Runs a load test through a proxy that makes a mistake.
    private static func load(_ arguments: [String], making mistake: DeliveryProxy.Mistake) async throws -> LoadResult {
        let execution = try await Program.whileRunning(
            "waypost-gateway",
            [
                "--service", "127.0.0.1:0", "--courier", "127.0.0.1:0", "--provider-plaintext", "127.0.0.1:0",
                "--store", "memory", "--redelivery", "10m",
            ]
        ) { gateway in
            let service = try await gateway.value(after: "service")
            let courier = try await gateway.value(after: "courier")
            return try await DeliveryProxy.whileRunning(before: service, courier: courier, making: mistake) { proxy in
                try await Program.run(
                    "waypost",
                    ["load", "--gateway", proxy, "--format", "json"] + drainOptions + arguments
                )
            }
        }.value
        return try LoadResult(json: Array(execution.output.utf8))
    }

    @Test func loadWithItsOwnGatewayHasTheFigures() async throws {
        let report = Self.file("report.html")
        defer { try? FileManager.default.removeItem(atPath: report) }
        let execution = try await Program.run(
            "waypost",
            [
                "load", "--devices", "50", "--rate", "200", "--duration", "2s", "--warm-up", "1s", "--slo", "lost=0",
                "--zipf", "1", "--format", "json", "--report", report,
            ] + Self.drainOptions
        )
        #expect(execution.status == 0, "\(execution.errors)")
        let result = try LoadResult(json: Array(execution.output.utf8))
        #expect(
            (result.offered, result.achieved, result.lost, result.duplicated, result.reordered) == (400, 400, 0, 0, 0)
        )
        for latency in [result.accepted, result.delivered, result.acknowledged] {
            #expect(latency.count == 400)
            #expect(0 < latency.p50 && latency.p50 <= latency.p90 && latency.p90 <= latency.p99)
            #expect(latency.p99 <= latency.p999 && latency.p999 <= latency.max)
        }
        #expect(result.seconds.first?.second == -1)
        #expect(result.seconds.reduce(0) { $0 + $1.offered } == 600)
        #expect(result.seconds.contains { ($0.gateway?.memory ?? 0) > 1_000_000 })
        #expect(result.objectives.map(\.isMet) == [true])
        let members = try #require(JSONSerialization.jsonObject(with: Data(execution.output.utf8)) as? [String: Any])
        for name in ["accepted", "delivered", "acknowledged"] {
            let latency = try #require(members[name] as? [String: Any])
            #expect(Set(latency.keys).isSuperset(of: ["count", "p50", "p90", "p99", "p999", "max"]))
        }
        #expect(
            Set(members.keys).isSuperset(of: ["lost", "duplicated", "reordered", "offered", "achieved", "lostIDs"])
        )
        // A line of progress for each second.
        let lines = execution.errors.split(separator: "\n").filter { $0.hasPrefix("{") }
        #expect(lines.count == result.seconds.count)
        #expect(try String(contentsOfFile: report, encoding: .utf8).contains("data-figure=\"delivered.p99\""))
    }

    @Test func oneDroppedItemInAThousandIsReportedByItsIdentifier() async throws {
        // The test waits until the end of the drain, because the item never arrives. All others pass the proxy, which
        // shares its threads with the tests beside it, so the drain is much longer than they need.
        let arguments = [
            "--devices", "1", "--rate", "1000", "--batch", "100", "--connections", "1", "--duration", "1s", "--drain",
            "20s",
        ]
        let result = try await Self.load(arguments, making: .drop(370))
        #expect(result.lost == 1)
        // The only device gets the items in their order, and an identifier ends with the number of its item, from 0.
        #expect(result.lostIDs.map { Int($0.rawValue.suffix(12), radix: 16) } == [369])
        #expect((result.offered, result.delivered.count, result.duplicated) == (1_000, 999, 0))
        let warning = "still has to deliver: 1 of 1. Not sent yet: 0. Sent, and not acknowledged: 1."
        #expect(result.warnings.contains { $0.contains(warning) }, "\(result.warnings)")
    }

    @Test func repeatedItemIsADuplicate() async throws {
        let arguments = ["--devices", "5", "--rate", "200", "--duration", "1s", "--slo", "duplicated=0"]
        let result = try await Self.load(arguments, making: .repeatUnchanged(50))
        #expect((result.duplicated, result.lost, result.reordered) == (1, 0, 0))
        #expect(result.objectives.map(\.isMet) == [false])
    }

    @Test(arguments: ["table", "json", "jsonl"])
    func missedObjectivesAreNamedOnStandardError(_ format: String) async throws {
        let arguments = [
            "load", "--devices", "2", "--rate", "20", "--duration", "1s", "--slo", "lost=0", "--slo", "offered=1",
            "--slo", "duplicated=7", "--format", format,
        ]
        let execution = try await Program.run("waypost", arguments)
        #expect(execution.status == 1)
        let missed = execution.errors.split(separator: "\n").filter { $0.contains("missed") }
        #expect(missed == ["waypost: missed objective offered=1: 20", "waypost: missed objective duplicated=7: 0"])
    }

    @Test func swappedItemsAreReordered() async throws {
        let arguments = ["--devices", "1", "--rate", "20", "--batch", "1", "--connections", "1", "--duration", "2s"]
        let result = try await Self.load(arguments, making: .swapWithTheNext(11))
        #expect((result.reordered, result.lost, result.duplicated) == (1, 0, 0))
    }

    @Test func refusedItemsAreErrorsByReason() async throws {
        let execution = try await Program.run(
            "waypost",
            ["load", "--devices", "5", "--rate", "400", "--duration", "1s", "--bad-tokens", "25%", "--format", "json"]
                + Self.drainOptions
        )
        let result = try LoadResult(json: Array(execution.output.utf8))
        let refused = result.errors.values.reduce(0, +)
        #expect((60...140).contains(refused))
        #expect(result.errors.count == 1)
        #expect(result.achieved == 400 - refused)
        #expect(result.lost == 0)
    }

    @Test func offlineBacklogDrains() async throws {
        let execution = try await Program.run(
            "waypost",
            ["load", "--devices", "20", "--rate", "200", "--duration", "3s", "--offline", "--format", "json"]
                + Self.drainOptions
        )
        let result = try LoadResult(json: Array(execution.output.utf8))
        #expect((result.achieved, result.acknowledged.count, result.lost) == (600, 600, 0))
        #expect(result.seconds.contains { $0.backlog > 300 && $0.connected == 0 })
    }

    @Test func closedLoopSendsAsFastAsAnswersCome() async throws {
        let execution = try await Program.run(
            "waypost",
            [
                "load", "--devices", "5", "--closed", "--batch", "20", "--connections", "2", "--duration", "1s",
                "--format", "json",
            ] + Self.drainOptions
        )
        let result = try LoadResult(json: Array(execution.output.utf8))
        #expect(result.achieved > 40)
        #expect(result.offered == result.achieved)
        #expect(result.lost == 0)
    }

    @Test func interruptedLoadHasACompleteReport() async throws {
        let execution = try await Program.whileRunning(
            "waypost",
            ["load", "--devices", "5", "--rate", "50", "--duration", "10m", "--format", "json"] + Self.drainOptions
        ) { load in
            for _ in 0..<2 { _ = try await load.nextLine() }
        }
        #expect(execution.status == 0)
        let output = execution.lines.filter { !$0.hasPrefix("{\"") }.joined(separator: "\n")
        let result = try LoadResult(json: Array(output.utf8))
        #expect(result.offered >= 50)
        // On a slow machine, some of what was due is not sent any more.
        #expect(result.achieved + result.errors.values.reduce(0, +) == result.offered)
        #expect(result.lost == 0)
        #expect(result.run.duration < 60)
    }

    @Test func resultsAreMergedComparedAndReported() async throws {
        let (first, second) = (Self.file("first.json"), Self.file("second.json"))
        defer { for file in [first, second] { try? FileManager.default.removeItem(atPath: file) } }
        let load = try await Program.run(
            "waypost",
            ["load", "--devices", "5", "--rate", "200", "--duration", "1s", "--format", "json"]
        )
        try Data(load.output.utf8).write(to: URL(filePath: first))
        var slower = try LoadResult(json: Array(load.output.utf8))
        slower.delivered.p99 *= 3
        slower.lost = 2
        try JSONEncoder().encode(slower).write(to: URL(filePath: second))

        #expect(try await Program.run("waypost", ["load", "compare", first, first]).status == 0)
        let worse = try await Program.run("waypost", ["load", "compare", first, second])
        #expect(worse.status == 1)
        #expect(worse.output.contains("+200.0%"), "\(worse.output)")
        let merged = try await Program.run("waypost", ["load", "merge", first, second])
        #expect(try LoadResult(json: Array(merged.output.utf8)).offered == 400)
        let percentiles = try await Program.run("waypost", ["load", "report", "--format", "percentiles", first])
        #expect(percentiles.output.contains("1/(1-Percentile)"))
        #expect(try await Program.run("waypost", ["load", "report", first]).output.hasPrefix("<!DOCTYPE html>"))
        let unusable = try await Program.run("waypost", ["load", "report", "-"], input: "{}")
        #expect(unusable.status == 2)
        #expect(unusable.errors.contains("standard input: is no result of a load test: 'version' is required"))
        let broken = try await Program.run("waypost", ["load", "compare", "-", first], input: "{\n\"version\": 1,}")
        #expect(broken.errors.contains("standard input:2:13: not JSON: no comma may stand before '}'"))
    }

    @Test(arguments: [
        (["--rate", "fast"], 64, "--rate 'fast' is no rate; use 2000, 100..2000, or 500:10s,1000:20s"),
        (["--slo", "loss=0"], 64, "--slo 'loss' is no figure of a result"),
        (["--coding", "br"], 64, "--coding 'br'; use gzip, deflate or none"),
        (["--bad-tokens", "5"], 64, "--bad-tokens '5'; use a share from 0% to 100%"),
        (["--devices", "0"], 64, "--devices '0'; use a whole number from 1 to 100000"),
        (["--duration", "soon"], 64, "--duration 'soon'; use a number and a unit"),
        (["--key", "/nowhere.p8"], 64, "--key is a setting of '--api provider' only"),
        (["--payload-file", "/nowhere.json"], 2, "/nowhere.json: cannot be read: it does not exist"),
        (["--rates", "/nowhere.txt"], 2, "/nowhere.txt: cannot be read: it does not exist"),
        (["--gateway", "http://192.0.2.1:7330"], 2, "http://192.0.2.1:7330 is not on this machine; --allow-remote"),
        (["--behavior", "/nowhere.yaml"], 2, "/nowhere.yaml:1:1: cannot be read"),
    ])
    func unusableOptionSaysWhatIsAccepted(_ arguments: [String], _ status: Int, _ message: String) async throws {
        let execution = try await Program.run("waypost", ["load", "--duration", "1s"] + arguments)
        #expect(Int(execution.status) == status)
        #expect(execution.errors.contains(message), "\(execution.errors)")
    }
}
