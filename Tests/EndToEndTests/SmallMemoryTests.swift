import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import Testing
import WaypostTestSupport

/// A gateway in little memory, to which large batches come at once.
@Suite(.timeLimit(.minutes(5))) struct SmallMemoryTests {
    /// The memory of a gateway, and batches that are as large as it accepts.
    struct Memory: CustomTestStringConvertible, Sendable {
        var testDescription: String

        /// A command of the shell before the gateway starts.
        var setUp: String
        var options: [String]

        /// The number of items of a batch, of 3.6 KB each.
        var itemCount: Int

        /// The maximum of the memory that the gateway has used, in KiB.
        var maximumUse: Int
    }

    private static let batchCount = 16

    /// Returns a batch for a device, compressed to some hundred KiB at most.
    private static func batch(to token: String, itemCount: Int) async throws -> Data {
        let alert = String(repeating: "x", count: 3_500)
        let line = #"{"token":"\#(token)","topic":"com.x","payload":{"aps":{"alert":"\#(alert)"}}}"# + "\n"
        return try await ExternalCommand.run(
            ["gzip", "--fast", "--stdout"],
            input: Data(String(repeating: line, count: itemCount).utf8)
        )
    }

    private static func send(_ batch: Data, to service: String, _ http: HTTPClient) async throws -> HTTPResponseStatus {
        var request = HTTPClientRequest(url: service + "/v1/batches")
        request.method = .POST
        request.headers.add(name: "content-encoding", value: "gzip")
        request.body = .bytes(ByteBuffer(bytes: batch))
        let response = try await http.execute(request, timeout: .minutes(4))
        if response.status == .serviceUnavailable { #expect(response.headers.first(name: "retry-after") != nil) }
        _ = try await response.body.collect(upTo: 1 << 20)
        return response.status
    }

    /// Returns the maximum of the memory that a process has used, in KiB.
    private static func memoryUse(of process: String) throws -> Int {
        let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
        return try #require(status.firstMatch(of: /VmHWM:\s+(\d+) kB/).flatMap { Int($0.output.1) })
    }

    @Test(arguments: [
        Memory(
            testDescription: "1 GB of address space",
            setUp: "ulimit -v 1000000;",
            options: [],
            itemCount: 15_000,
            maximumUse: 1_000_000
        ),
        Memory(
            testDescription: "the documented minimum",
            setUp: "",
            options: ["--memory", "256MiB"],
            itemCount: 3_300,
            maximumUse: 256 << 10
        ),
    ])
    func largeBatchesNeedNoMoreThanTheGatewayHas(_ memory: Memory) async throws {
        let script = #"echo "  process   $$"; \#(memory.setUp) exec "$@""#
        let ports = ["--service", "127.0.0.1:0", "--courier", "127.0.0.1:0", "--provider-plaintext", "127.0.0.1:0"]
        let folder = try ScratchFolder()
        let command =
            [BuiltPrograms.path(of: "waypost-gateway"), "--data", folder.path(of: "data")] + ports + memory.options
        let result = try await Program.whileRunning("sh", ["-c", script, "sh"] + command) { gateway in
            let process = try await gateway.value(after: "process")
            let service = try await gateway.value(after: "service")
            return try await HTTPClient.withHTTPClient { http in
                var registration = HTTPClientRequest(url: service + "/v1/devices")
                registration.method = .POST
                registration.body = .bytes(ByteBuffer(string: #"{"name":"iPad","topics":["com.x"]}"#))
                let answer = try await http.execute(registration, timeout: .minutes(1))
                let credential = String(buffer: try await answer.body.collect(upTo: 1 << 20))
                let token = try #require(credential.firstMatch(of: /"token":"([0-9a-f]+)"/)?.output.1)
                let batch = try await Self.batch(to: String(token), itemCount: memory.itemCount)
                let statuses = try await withThrowingTaskGroup(of: HTTPResponseStatus.self) { group in
                    for _ in 0..<Self.batchCount { group.addTask { try await Self.send(batch, to: service, http) } }
                    return try await group.reduce(into: []) { $0.append($1) }
                }
                // The gateway is still there, and has room again.
                let last = try await Self.send(batch, to: service, http)
                return (statuses: statuses + [last], memoryUse: try Self.memoryUse(of: process))
            }
        }
        let statuses = result.value.statuses
        #expect(statuses.count == Self.batchCount + 1)
        #expect(statuses.allSatisfy { $0 == .ok || $0 == .serviceUnavailable })
        #expect(statuses.last == .ok)
        #expect(result.value.memoryUse <= memory.maximumUse)
        #expect(result.status == 0)
        withExtendedLifetime(folder) {}
    }
}
