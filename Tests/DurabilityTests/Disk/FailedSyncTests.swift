import AsyncHTTPClient
import Foundation
import ProcessTestSupport
import Testing
import WaypostTestSupport

extension DurabilityTests {
    /// A sync fails, so the disk lacks a part of the write-ahead log that the next gateway still reads from memory.
    @Suite(.timeLimit(.minutes(5))) struct FailedSyncTests {
        /// A data folder in which a gateway has ended after a failed sync.
        private struct Store {
            let scratch: ScratchFolder
            let disk: UnsyncedDisk
            var scenario: DeviceScenario
        }

        private static func start(
            _ disk: UnsyncedDisk,
            _ scratch: ScratchFolder,
            error: UnsyncedDisk.InjectedError? = nil
        ) async throws -> GatewayProcess {
            var settings = UnsyncedDisk.Settings(seed: 1)
            settings.error = error
            return try await GatewayProcess.start(data: disk.folder, scratch) { disk.wrap($0, settings) }
        }

        private static func makeStore(_ http: HTTPClient) async throws -> Store {
            let scratch = try ScratchFolder()
            let disk = try await UnsyncedDisk("data", in: scratch.path)
            let first = try await GatewayProcess.start(data: disk.folder, scratch)
            var scenario = try await DeviceScenario(GatewayCalls(ready: first.ready, http: http))
            #expect(await first.stop().status == 0)

            // The start has fewer syncs, and each answer has one.
            let error = UnsyncedDisk.InjectedError(.sync, first: 40, count: 1, code: EIO)
            let failing = try await start(disk, scratch, error: error)
            let calls = GatewayCalls(ready: failing.ready, http: http)
            var status: UInt = 200
            for _ in 0..<100 where status == 200 { status = try await scenario.send(1, calls).status }
            #expect(status == 500)
            #expect(!scenario.answered.isEmpty)
            _ = await failing.stop()
            return Store(scratch: scratch, disk: disk, scenario: scenario)
        }

        @Test func laterAnswersSurviveAPowerFailure() async throws {
            try await GatewayCalls.withClient { http in
                var store = try await Self.makeStore(http)
                let next = try await Self.start(store.disk, store.scratch)
                let calls = GatewayCalls(ready: next.ready, http: http)
                for _ in 0..<5 {
                    let answer = try await store.scenario.send(3, calls)
                    #expect(answer.status == 200)
                }
                next.process.send(SIGUSR2)
                _ = await next.process.ended()
                let hasFailed = try store.disk.restore()
                #expect(hasFailed)

                let last = try await GatewayProcess.start(data: store.disk.folder, store.scratch)
                let after = GatewayCalls(ready: last.ready, http: http)
                let answer = try await store.scenario.send(1, after)
                #expect(answer.status == 200)
                let names = try await store.scenario.read(after)
                #expect(names.isSuperset(of: store.scenario.answered) && names.isDisjoint(with: store.scenario.refused))
                let ended = await last.stop()
                #expect(ended.status == 0 && !ended.errors.contains("confirmed commit"), "\(ended.errors)")
            }
        }

        @Test(.enabled(if: Strace.works, "strace is not installed or cannot trace"))
        func logIsOnTheDiskBeforeAnIndexIsMadeOfIt() async throws {
            try await GatewayCalls.withClient { http in
                let store = try await Self.makeStore(http)
                let log = store.disk.folder + "/waypost.sqlite-wal"
                let size = try Data(contentsOf: URL(filePath: log)).count
                let (trace, number) = (store.scratch.path(of: "trace"), store.scratch.path(of: "number"))
                let options = ["-f", "-y", "-s", "0", "-e", "trace=openat,write,fsync", "-e", "signal=none"]
                let gateway = try await GatewayProcess.start(data: store.disk.folder, store.scratch) { command in
                    ["strace", "-o", trace] + options
                        + GatewayProcess.shell("echo $$ >\(number) && exec \"$@\"", command)
                }
                // The tracer ends when the traced process has ended.
                let text = try String(contentsOfFile: number, encoding: .utf8)
                kill(try #require(Int32(text.trimmingCharacters(in: .whitespacesAndNewlines))), SIGTERM)
                #expect(await gateway.process.ended().status == 0)

                let calls = try String(contentsOfFile: trace, encoding: .utf8).split(separator: "\n")
                let beforeIndex = calls.prefix { !$0.contains("/waypost.sqlite-shm") }
                #expect(beforeIndex.count < calls.count)
                let logCalls = beforeIndex.filter { $0.contains("/waypost.sqlite-wal>") }
                let sync = try #require(logCalls.firstIndex { $0.contains(" fsync(") })
                #expect(logCalls[..<sync].reduce(0) { $0 + Self.writtenByteCount(of: $1) } == size)
            }
        }

        /// Returns the number of bytes in a call such as `12 write(8</data/waypost.sqlite-wal>, ""..., 4096) = 4096`.
        ///
        /// For another call, this is 0.
        private static func writtenByteCount(of call: Substring) -> Int {
            guard call.contains(" write("), let start = call.range(of: "..., ")?.upperBound else { return 0 }
            return Int(call[start...].prefix { $0.isNumber }) ?? 0
        }
    }
}
