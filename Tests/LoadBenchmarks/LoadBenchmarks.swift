import Deflate
import Dispatch
import Fleets
import Foundation
import GatewayClient
import LoadTesting
import NIOCore
import NIOPosix
import Synchronization

/// Measures the load generator itself: whether it is the bottleneck, and whether its latencies are right.
///
///     load-benchmarks                     compares with h2load, and with a server with a fixed schedule
///     load-benchmarks serve               only runs the server that inflates and counts, for other clients
@main
struct LoadBenchmarks {
    private static let rounds = 3

    static func main() async throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        if CommandLine.arguments.dropFirst().first == "serve" {
            printLine(try await NullGateway.start(StallSchedule(), on: group))
            while true { try await Task.sleep(for: .seconds(3_600)) }
        }
        try await compareBatches(on: group)
        try await compareRequests(on: group)
        try await checkLatencies(on: group)
        try await group.shutdownGracefully()
    }

    /// Batches of 500 unique items, beside as many threads that do nothing but compress such batches.
    private static func compareBatches(on group: any EventLoopGroup) async throws {
        let url = try await NullGateway.start(StallSchedule(), on: group)
        try compare(
            "batches of 500, gzip",
            { try load(["--gateway", url, "--closed", "--batch", "500", "--zipf", "1", "--devices", "10000"]) },
            "two threads that only compress",
            { compressionRate(threads: 2, seconds: 5) }
        )
    }

    /// Returns the items per second that threads compress.
    private static func compressionRate(threads: Int, seconds: Int) -> Double {
        let counts = Mutex(0)
        let end = NIODeadline.now() + .seconds(Int64(seconds))
        DispatchQueue.concurrentPerform(iterations: threads) { thread in
            var random = SeededRandom(seed: thread)
            let words = (0..<400).map { _ in
                String(
                    (0..<Int.random(in: 2...9, using: &random)).map { _ in
                        "abcdefghijklmnopqrstuvwxyz".randomElement(using: &random) ?? "a"
                    }
                )
            }
            let text = (0..<9_000).map { _ in words[Int(random.nextShare() * random.nextShare() * 400)] }
                .joined(separator: " ")
            let bytes = Array(text.utf8)
            var items = 0
            while NIODeadline.now() < end {
                var body: [UInt8] = []
                for _ in 0..<500 {
                    items += 1
                    let token = String(format: "%064x", Int.random(in: 0..<10_000, using: &random))
                    body += Array(
                        #"{"token":"\#(token)","topic":"com.example.clowntown","id":"0-\#(items)","payload":{"aps":{},"text":""#
                            .utf8
                    )
                    let offset = items &* 7_919 % (bytes.count - 200)
                    body += bytes[offset..<offset + 150]
                    body += Array("\"}}\n".utf8)
                }
                _ = Deflater.deflate(body, as: .gzip, level: Deflater.Level(1))
            }
            counts.withLock { $0 += items }
        }
        return Double(counts.withLock { $0 }) / Double(seconds)
    }

    /// Requests of the provider API, beside h2load, both to nghttpd.
    private static func compareRequests(on group: any EventLoopGroup) async throws {
        guard Tool(name: "nghttpd").path != nil else {
            return printLine("nghttpd (package nghttp2-server) is not installed")
        }
        let url = try await NullGateway.start(StallSchedule(), on: group)
        // nghttpd answers 200 with an empty file at the path of each token. Every round registers one device more.
        let folder = FileManager.default.temporaryDirectory.appending(path: "load-benchmark-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let files = folder.appending(path: "3/device")
        try FileManager.default.createDirectory(at: files, withIntermediateDirectories: true)
        for round in 0..<rounds { try Data().write(to: files.appending(path: NullGateway.token(round))) }
        let body = folder.appending(path: "payload.json")
        try Data(#"{"aps":{"alert":"Honk"},"text":"\#(String(repeating: "honk ", count: 30))"}"#.utf8).write(to: body)
        let port = 20_000 + Int.random(in: 0..<12_000)
        let server = try Tool(name: "nghttpd").start(["--no-tls", "-d", folder.path, "-a", "127.0.0.1", "\(port)"])
        // nghttpd goes on after SIGTERM.
        defer { kill(server.processIdentifier, SIGKILL) }
        try await Task.sleep(for: .milliseconds(500))
        let target = "http://127.0.0.1:\(port)"
        try compare(
            "requests, 4 x 100 streams",
            { try load(["--gateway", url, "--provider", target, "--api", "provider", "--closed", "--devices", "1"]) },
            "h2load",
            {
                try h2load([
                    "-D", "5", "-c", "4", "-m", "100", "-t", "1", "-d", body.path, "-H", "apns-push-type: alert", "-H",
                    "apns-topic: com.example.clowntown", "\(target)/3/device/\(NullGateway.token(0))",
                ])
            }
        )
    }

    private static func compare(
        _ name: String,
        _ own: () throws -> Double,
        _ other: String,
        _ reference: () throws -> Double
    ) throws {
        var ratios: [Double] = []
        for _ in 0..<rounds {
            let (first, second) = (try own(), try reference())
            ratios.append(first / second)
            printLine("\(name): waypost load \(Int(first))/s, \(other) \(Int(second))/s, ratio \(text(first / second))")
        }
        printLine("\(name): median ratio \(text(ratios.sorted()[rounds / 2]))")
    }

    /// Compares percentiles with those that the schedule of a server and of the load say.
    private static func checkLatencies(on group: any EventLoopGroup) async throws {
        let (delay, stall, interval) = (Int64(50), Int64(500), Int64(10))
        let stalls = StallSchedule(
            delay: .milliseconds(delay),
            stall: .milliseconds(stall),
            interval: .seconds(interval)
        )
        let url = try await NullGateway.start(stalls, on: group)
        let result = try run([
            "--gateway", url, "--rate", "2000", "--batch", "5", "--connections", "256", "--duration", "30s",
            "--devices",
            "10",
        ])
        // A request that is due evenly within an interval waits for the rest of a stall.
        let requests = 100_000
        let expected = (0..<requests).map { number -> Double in
            let time = Double(number) / Double(requests) * Double(interval) * 1_000
            return Double(delay)
                + max(0, time - Double(interval * 1_000 - stall) > 0 ? Double(interval) * 1_000 - time : 0)
        }.sorted()
        let measured = result.accepted
        let pairs = [
            (50.0, measured.p50), (90, measured.p90), (99, measured.p99), (99.9, measured.p999), (100, measured.max),
        ]
        for (percentile, value) in pairs {
            let expectedValue = expected[min(requests - 1, Int(percentile / 100 * Double(requests)))]
            let ratio = text(value / expectedValue)
            printLine(
                "latency p\(percentile): \(text(value)) ms, by the schedule \(text(expectedValue)) ms, ratio \(ratio)"
            )
        }
    }

    /// Returns the items per second that the server accepts from a load test without receiving devices.
    private static func load(_ arguments: [String]) throws -> Double {
        try run(arguments + ["--duration", "5s", "--offline"]).achievedRate
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

    private static func text(_ value: Double) -> String {
        String(format: "%.3f", value)
    }

    private static func printLine(_ line: String) {
        FileHandle.standardOutput.write(Data("\(line)\n".utf8))
    }
}
