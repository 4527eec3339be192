import Foundation
import GatewayClient
import ProcessTestSupport
import Testing
import WaypostSchema
import WaypostTestSupport

extension DurabilityTests {
    @Suite(.timeLimit(.minutes(5))) struct SyncTraceTests {
        @Test(.enabled(if: Strace.works, "strace is not installed or cannot trace"))
        func everyAnswerFollowsTheSyncOfItsCommit() async throws {
            let lines = try await GatewayCalls.withClient { http in
                let scratch = try ScratchFolder()
                let (trace, number) = (scratch.path(of: "trace"), scratch.path(of: "number"))
                let gateway = try await GatewayProcess.start(data: scratch.path(of: "data"), scratch) { command in
                    Strace.command(writing: trace)
                        + GatewayProcess.shell("echo $$ >\(number) && exec \"$@\"", command)
                }
                try await Self.sendAndAcknowledge(GatewayCalls(ready: gateway.ready, http: http))
                // The tracer ends when the traced process has ended.
                let text = try String(contentsOfFile: number, encoding: .utf8)
                kill(try #require(Int32(text.trimmingCharacters(in: .whitespacesAndNewlines))), SIGTERM)
                #expect(await gateway.process.ended().status == 0)
                let data = try Data(contentsOf: URL(filePath: trace))
                return data.split(separator: UInt8(ascii: "\n")).map(Array.init)
            }
            let calls = SystemCallReader.calls(in: lines)
            let trace = SyncTrace(calls)
            #expect(trace.findings.isEmpty, "\(trace.findings.prefix(5))")
            #expect(trace.batches == 60 && trace.acknowledgements == 24)

            let unsynced = calls.filter { !["fdatasync", "fsync"].contains($0.name) }
            #expect(SyncTrace(unsynced).findings.count == 84)
        }

        /// Sends and acknowledges with several agents, first one after another and then concurrently.
        private static func sendAndAcknowledge(_ calls: GatewayCalls) async throws {
            for number in 0..<4 { try await Self.oneAgent(number, calls, batches: 3) }
            try await withThrowingTaskGroup { group in
                for number in 0..<4 {
                    group.addTask { try await Self.oneAgent(number, calls, batches: 12) }
                }
                try await group.waitForAll()
            }
        }

        /// Registers a device, sends it batches, and acknowledges three notifications one by one.
        private static func oneAgent(_ number: Int, _ calls: GatewayCalls, batches: Int) async throws {
            let registration = DeviceRegistration(name: "iPad", topics: ["com.example.clowntown"])
            let device = try await calls.client.register(registration)
            let line =
                #"{"token":"\#(device.token)","topic":"com.example.clowntown","payload":{"n":\#(number)}}"# + "\n"
            for size in 1...batches {
                let query = size.isMultiple(of: 2) ? "?atomic=true" : ""
                let key = size.isMultiple(of: 3) ? UUID().uuidString : nil
                let answer = try await calls.send(String(repeating: line, count: size), query: query, key: key)
                #expect(answer.status == 200)
            }
            try await Self.acknowledge(3, device, calls)
        }

        /// Acknowledges the first notifications of an inbox, one after another.
        private static func acknowledge(_ count: Int, _ device: DeviceCredential, _ calls: GatewayCalls) async throws {
            var left = count
            do {
                try await calls.follow(with: device.secret) { events in
                    for sequence in events.compactMap({ Int($0.id) }) {
                        let receipt = try await calls.client.acknowledge(.sequences([sequence]), with: device.secret)
                        #expect(receipt.acknowledged == 1)
                        left -= 1
                        if left == 0 { throw Done() }
                    }
                }
            } catch is Done {}
        }

        private struct Done: Error {}
    }
}
