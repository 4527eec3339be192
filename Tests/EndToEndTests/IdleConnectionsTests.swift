import Foundation
import Testing
import WaypostTestSupport

/// A gateway as a process of its own, so that both ends of ten thousand connections are not in one process.
///
/// Ten thousand connections are 20 seconds of processor time, of which a busy machine has little.
@Suite(.timeLimit(.minutes(5)), .serialized) struct IdleConnectionsTests {
    private static let connectionCount = 10_000
    private static let remainingCount = 1_000

    private static func curl(_ arguments: [String]) async throws -> String {
        try await Program.run("curl", ["--silent", "--show-error", "--max-time", "60"] + arguments).output
    }

    @Test(.enabled("the limit of open files is high enough") { IdleConnections.canOpen(connectionCount) })
    func tenThousandIdleConnectionsAreNoProblem() async throws {
        let ports = ["--service", "127.0.0.1:0", "--courier", "127.0.0.1:0", "--provider-plaintext", "127.0.0.1:0"]
        let gateway = try await Program.whileRunning("waypost-gateway", ports + ["--store", "memory"]) { gateway in
            let service = try await gateway.value(after: "service")
            let provider = try await gateway.value(after: "provider")
            let port = try #require(provider.split(separator: ":").last.flatMap { UInt16($0) })
            let registration = try await Self.curl([
                "\(service)/v1/devices", "--data", #"{"name":"iPad","topics":["com.example.clowntown"]}"#,
            ])
            let token = try #require(registration.firstMatch(of: /"token":"([0-9a-f]+)"/)?.output.1)
            let idle = try await IdleConnections(Self.connectionCount, port: port)
            #expect(try await Self.openConnections(service) == Self.connectionCount)
            let answer = try await Self.curl([
                "--http2-prior-knowledge", "--write-out", "%{http_code}", "--header",
                "apns-topic: com.example.clowntown",
                "--data", #"{"aps":{"alert":"Honk"}}"#, "\(provider)/3/device/\(token)",
            ])
            #expect(answer == "200")
            #expect(idle.openCount == Self.connectionCount)
            // A shutdown has a time limit, in which a busy machine may not close all of them.
            try await idle.closeFirst(Self.connectionCount - Self.remainingCount)
            #expect(idle.openCount == Self.remainingCount)
            return idle
        }
        // The gateway shuts down although the remaining connections are still open.
        #expect(gateway.status == 0)
    }

    /// Returns the number of open HTTP/2 connections according to a gateway's metrics.
    private static func openConnections(_ service: String) async throws -> Int {
        let metrics = try await curl(["\(service)/metrics"])
        let count = metrics.firstMatch(of: /waypost_provider_connections_open\{protocol="h2"\} (\d+)/)?.output.1
        return count.flatMap { Int($0) } ?? 0
    }
}
