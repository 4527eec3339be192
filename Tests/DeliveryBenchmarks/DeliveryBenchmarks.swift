import AsyncHTTPClient
import Foundation
import GatewayClient
import NIOPosix
import WaypostSchema

/// Measures many devices on one gateway: the memory of an idle stream and the delivery rate of all streams.
///
///     delivery-benchmarks [<devices> [<items> [gzip]]] [-- <arguments of the gateway>]
///
/// The gateway is the program in the same folder, reached over loopback. To measure without a log, for example, use
/// `-- --log-retention 0`.
@main
struct DeliveryBenchmarks {
    static func main() async throws {
        let parts = CommandLine.arguments.dropFirst().split(
            separator: "--",
            maxSplits: 1,
            omittingEmptySubsequences: false
        )
        let arguments = parts[0]
        let numbers = arguments.compactMap(Int.init)
        let devices = numbers.first ?? 10_000
        let items = numbers.dropFirst().first ?? 100_000
        let gateway = try GatewayProgram(arguments: parts.count > 1 ? Array(parts[1]) : [])
        defer { gateway.stop() }
        let ready = try await gateway.ready()
        var configuration = HTTPClient.Configuration.waypost
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 64
        let http = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        let result = await Result {
            try await run(devices, items, isCompressed: arguments.contains("gzip"), gateway, ready, http)
        }
        try await http.shutdown()
        try result.get()
    }

    private static func run(
        _ count: Int,
        _ items: Int,
        isCompressed: Bool,
        _ gateway: GatewayProgram,
        _ ready: GatewayReadyFile,
        _ http: HTTPClient
    ) async throws {
        let client = GatewayClient(http, service: ready.service, courier: ready.courier)
        let clock = ContinuousClock()

        let begin = clock.now
        let credentials = try await concurrently(0..<count) { number in
            try await client.register(DeviceRegistration(name: "\(number)", topics: [topic]))
        }
        say("registered   \(count) devices in \(clock.now - begin)")

        let before = try gateway.residentBytes()
        let beforeConnecting = clock.now
        let streams = try DeviceStreams(credentials, courier: ready.courier, isCompressed: isCompressed)
        try await streams.connect()
        let idle = try gateway.residentBytes()
        say("connected    \(count) streams in \(clock.now - beforeConnecting)\(isCompressed ? ", gzip" : "")")
        say(
            "idle         \((idle - before) / count) resident bytes per session (\(before >> 20) MiB before, \(idle >> 20) after)"
        )

        let beforeSending = clock.now
        async let delivery: Void = streams.receive(items) { try await client.acknowledge(.sequences($1), with: $0) }
        let batches = try await send(items, to: credentials, client)
        let sent = clock.now - beforeSending
        try await delivery
        let acknowledged = clock.now - beforeSending
        say("sent         \(items) items in \(batches.count) batches in \(sent): \(rate(items, sent)) per second")
        say(
            "acknowledged all of them after \(acknowledged): \(rate(items, acknowledged)) per second; \(streams.repetitions) repeated"
        )
        say("busy         \(try gateway.residentBytes() >> 20) MiB resident afterwards")

        let statuses = try await concurrently(batches) { try await client.settledStatus(of: $0, within: 30) }
        let total = statuses.reduce(0) { $0 + ($1.states[.acknowledged] ?? 0) }
        guard total == items, streams.received == items else {
            throw Failure(description: "\(total) of \(items) acknowledged, \(streams.received) received")
        }
        await streams.disconnect()
    }

    private static let topic: Topic = "com.example.clowntown"

    /// Sends the items to the devices in turn, in batches of 1,000, four batches at a time.
    private static func send(
        _ items: Int,
        to credentials: [DeviceCredential],
        _ client: GatewayClient
    ) async throws -> [BatchID] {
        let starts = Array(stride(from: 0, to: items, by: 1_000))
        return try await concurrently(starts, width: 4) { start in
            let lines = (start..<min(start + 1_000, items)).map { number in
                let token = credentials[number % credentials.count].token
                return #"{"token":"\#(token)","topic":"\#(topic)","payload":{"aps":{"alert":"Honk \#(number)"}}}"#
            }
            let receipt = try await client.send(Array(lines.joined(separator: "\n").utf8))
            guard receipt.rejected == 0 else { throw Failure(description: "\(receipt.rejected) items were rejected") }
            return receipt.id
        }
    }

    private static func rate(_ count: Int, _ duration: Duration) -> Int {
        Int(Double(count) / (Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18))
    }
}

/// Prints a line immediately, even if the output is not a terminal.
private func say(_ line: String) {
    try? FileHandle.standardOutput.write(contentsOf: Data((line + "\n").utf8))
}

/// The description of a failure.
struct Failure: Error, CustomStringConvertible {
    let description: String
}

/// Returns the results of `work` for the elements, up to `width` of which it processes concurrently.
func concurrently<Element: Sendable, Value: Sendable>(
    _ elements: some Collection<Element>,
    width: Int = 64,
    _ work: @escaping @Sendable (Element) async throws -> Value
) async throws -> [Value] {
    try await withThrowingTaskGroup(of: (Int, Value).self) { group in
        var values = [Value?](repeating: nil, count: elements.count)
        for (index, element) in elements.enumerated() {
            if index >= width, let (done, value) = try await group.next() { values[done] = value }
            group.addTask { (index, try await work(element)) }
        }
        for try await (done, value) in group { values[done] = value }
        return values.compactMap { $0 }
    }
}

extension Result where Failure == any Error {
    init(_ work: () async throws -> Success) async {
        do { self = .success(try await work()) } catch { self = .failure(error) }
    }
}
