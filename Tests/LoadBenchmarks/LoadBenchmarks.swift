import Deflate
import Foundation
import LoadTesting
import NIOCore
import NIOPosix

/// Measures the load generator itself: whether it is the bottleneck, and whether its latencies are right.
///
///     load-benchmarks                     compares with h2load, and with a server whose delays are known
///     load-benchmarks serve               only runs the server that inflates and counts, for other clients
@main
struct LoadBenchmarks {
    private static let rounds = 3

    static func main() async throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        if CommandLine.arguments.dropFirst().first == "serve" {
            say(try await NullGateway.start(StallSchedule(), on: group))
            while true { try await Task.sleep(for: .seconds(3_600)) }
        }
        try await compareBatches(on: group)
        try await compareRequests(on: group)
        try await checkLatencies(on: group)
        try await group.shutdownGracefully()
    }

    /// Batches of 500 unique items, compressed while the test runs, beside a client in C that sends one prepared body.
    private static func compareBatches(on group: any EventLoopGroup) async throws {
        let url = try await NullGateway.start(StallSchedule(), on: group)
        let body = FileManager.default.temporaryDirectory.appending(path: "load-benchmark-\(UUID().uuidString).gz")
        defer { try? FileManager.default.removeItem(at: body) }
        let line = #"{"token":"\#(String(repeating: "c0ffee00", count: 8))","topic":"com.example.clowntown","#
        let text = (0..<500).map { "\(line)\"payload\":{\"aps\":{\"alert\":\"Honk \($0)\"},\"text\":\"\(filler($0))\"}}\n" }
        try Data(Deflater.deflate(Array(text.joined().utf8), as: .gzip, level: Deflater.Level(1))).write(to: body)
        try compare(
            "batches of 500, gzip",
            {
                try load(["--gateway", url, "--closed", "--batch", "500", "--zipf", "1", "--devices", "10000"])
            },
            {
                500
                    * (try h2load([
                        "--h1", "-D", "5", "-c", "4", "-t", "1", "-d", body.path, "-H", "content-encoding: gzip",
                        "\(url)/v1/batches",
                    ]))
            }
        )
    }

    /// Requests of the provider API, beside h2load, both to nghttpd.
    private static func compareRequests(on group: any EventLoopGroup) async throws {
        guard Tool(name: "nghttpd").path != nil else { return say("nghttpd (package nghttp2-server) is not installed") }
        let url = try await NullGateway.start(StallSchedule(), on: group)
        let port = 20_000 + Int.random(in: 0..<20_000)
        let server = try Tool(name: "nghttpd").start(["--no-tls", "--echo-upload", "-a", "127.0.0.1", "\(port)"])
        defer { server.terminate() }
        try await Task.sleep(for: .milliseconds(500))
        let target = "http://127.0.0.1:\(port)"
        let body = FileManager.default.temporaryDirectory.appending(path: "load-benchmark-\(UUID().uuidString).json")
        defer { try? FileManager.default.removeItem(at: body) }
        try Data(#"{"aps":{"alert":"Honk"},"text":"\#(filler(1).prefix(150))"}"#.utf8).write(to: body)
        try compare(
            "requests, 4 x 100 streams",
            { try load(["--gateway", url, "--provider", target, "--api", "provider", "--closed", "--devices", "1000"]) },
            {
                try h2load([
                    "-D", "5", "-c", "4", "-m", "100", "-t", "1", "-d", body.path, "-H", "apns-push-type: alert", "-H",
                    "apns-topic: com.example.clowntown",
                    "\(target)/3/device/\(String(repeating: "c0ffee00", count: 8))",
                ])
            }
        )
    }

    private static func compare(_ name: String, _ own: () throws -> Double, _ reference: () throws -> Double) throws {
        var ratios: [Double] = []
        for _ in 0..<rounds {
            let (first, second) = (try own(), try reference())
            ratios.append(first / second)
            say("\(name): waypost load \(Int(first))/s, h2load \(Int(second))/s, ratio \(text(first / second))")
        }
        say("\(name): median ratio \(text(ratios.sorted()[rounds / 2]))")
    }

    /// Compares percentiles with those that the schedule of a server and of the load say.
    private static func checkLatencies(on group: any EventLoopGroup) async throws {
        let (delay, stall, interval) = (Int64(50), Int64(500), Int64(10))
        let stalls = StallSchedule(delay: .milliseconds(delay), stall: .milliseconds(stall), interval: .seconds(interval))
        let url = try await NullGateway.start(stalls, on: group)
        let result = try run([
            "--gateway", url, "--rate", "2000", "--batch", "20", "--connections", "128", "--duration", "30s", "--devices",
            "10",
        ])
        // A request that is due evenly within an interval waits for the rest of a stall.
        let requests = 100_000
        let expected = (0..<requests).map { number -> Double in
            let place = Double(number) / Double(requests) * Double(interval) * 1_000
            return Double(delay) + max(0, place - Double(interval * 1_000 - stall) > 0 ? Double(interval) * 1_000 - place : 0)
        }.sorted()
        let measured = result.accepted
        let pairs = [(50.0, measured.p50), (90, measured.p90), (99, measured.p99), (99.9, measured.p999), (100, measured.max)]
        for (percentile, value) in pairs {
            let right = expected[min(requests - 1, Int(percentile / 100 * Double(requests)))]
            say("latency p\(percentile): \(text(value)) ms, by the schedule \(text(right)) ms, ratio \(text(value / right))")
        }
    }

    /// Returns the items per second that a load test without receiving devices offers.
    private static func load(_ arguments: [String]) throws -> Double {
        try run(arguments + ["--duration", "5s", "--offline"]).offeredRate
    }

    private static func run(_ arguments: [String]) throws -> LoadResult {
        let output = try Tool(name: "waypost").run(["load", "--format", "json", "--drain", "1s"] + arguments)
        return try LoadResult(json: Array(output))
    }

    /// Returns the requests per second that h2load had answered.
    private static func h2load(_ arguments: [String]) throws -> Double {
        let output = String(decoding: try Tool(name: "h2load").run(arguments), as: UTF8.self)
        guard let match = output.firstMatch(of: #/([0-9.]+) req\/s/#), let rate = Double(match.1) else { return .nan }
        return rate
    }

    private static func filler(_ number: Int) -> String {
        String((0..<160).map { Character(UnicodeScalar(UInt8(97 + ($0 * 7 + number) % 26))) })
    }

    private static func text(_ value: Double) -> String {
        String(format: "%.3f", value)
    }

    private static func say(_ line: String) {
        print(line)
        fflush(stdout)
    }
}
