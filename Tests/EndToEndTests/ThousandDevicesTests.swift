import Foundation
import Testing

/// A thousand devices in one agent, with a gateway and an agent as processes of their own.
///
/// A thousand connections need minutes on a slow machine that does other work, too.
@Suite(.timeLimit(.minutes(5)), .serialized) struct ThousandDevicesTests {
    private static let count = 1_000

    private static func curl(_ arguments: [String], input: String = "") async throws -> String {
        let arguments = ["--silent", "--show-error", "--fail-with-body", "--max-time", "120"] + arguments
        return try await Program.run("curl", arguments, input: input).output
    }

    /// Asks again after each time-out, because slow machines need more than one.
    private static func curl(_ url: String, until isDone: (String) -> Bool) async throws -> String {
        while true {
            let answer = try await curl([url])
            if isDone(answer) { return answer }
        }
    }

    /// Each device has a connection of its own, and so has the gateway for it.
    @Test(.enabled("the limit of open files is high enough") { IdleConnections.canOpen(2 * count) })
    func oneAgentHoldsAThousandDevicesWithAFixedNumberOfThreads() async throws {
        let ports = ["--service", "127.0.0.1:0", "--courier", "127.0.0.1:0", "--provider-plaintext", "127.0.0.1:0"]
        _ = try await Program.whileRunning("waypost-gateway", ports + ["--store", "memory"]) { gateway in
            let service = try await gateway.value(after: "service")
            _ = try await Program.whileRunning("waypost-agent", ["--gateway", service]) { agent in
                let control = try await agent.value(after: "control")
                _ = try await Self.connected(1, with: "first", control)
                let threads = try Self.threads(of: agent.identifier)
                let tokens = try await Self.connected(Self.count, with: "iPad {n}", control)
                #expect(Set(tokens).count == Self.count)
                #expect(try Self.threads(of: agent.identifier) <= threads + Self.moreThreads)
                let items = tokens.map { #"{"token":"\#($0)","topic":"com.example.clowntown","payload":{"aps":{}}}"# }
                let receipt = try await Self.curl(
                    ["\(service)/v1/batches", "--data-binary", "@-", "--header", "content-type: application/x-ndjson"],
                    input: items.joined(separator: "\n")
                )
                let batch = try #require(receipt.firstMatch(of: /"id":"([^"]+)"/)?.output.1)
                let status = try await Self.curl(
                    "\(service)/v1/batches/\(batch)?wait=settled&timeout=60s",
                    until: { status in !["stored", "sent"].contains { status.contains("\"\($0)\":") } }
                )
                #expect(status.contains(#""states":{"acknowledged":\#(Self.count)}"#))
            }
        }
    }

    /// The threads of the pools that start with their first work.
    private static let moreThreads = 4

    /// Adds devices, waits until they are connected, and returns their tokens.
    private static func connected(_ count: Int, with name: String, _ control: String) async throws -> [Substring] {
        let app = #"{"bundleIdentifier":"com.example.clowntown","scenes":[]}"#
        let creation = #"{"device":{"name":"\#(name)","apps":[\#(app)]},"count":\#(count)}"#
        let before = try await tokens(curl(["\(control)/v1/devices?connected=true"]))
        _ = try await curl(["\(control)/v1/devices", "--data", creation])
        let all = try await curl(
            "\(control)/v1/devices?connected=true&wait=\(before.count + count)&timeout=60s",
            until: { tokens($0).count >= before.count + count }
        )
        return Set(tokens(all)).subtracting(before).map(\.self)
    }

    private static func tokens(_ devices: String) -> [Substring] {
        devices.matches(of: /"token":"([0-9a-f]+)"/).map(\.output.1)
    }

    private static func threads(of process: Int32) throws -> Int {
        let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
        return try #require(status.firstMatch(of: /Threads:\s+(\d+)/).flatMap { Int($0.output.1) })
    }
}
