import Foundation
import ProcessTestSupport
import Testing
import WaypostSchema
import WaypostTestSupport

extension DurabilityTests {
    /// Data folders that a gateway cannot use, at least not now.
    @Suite(.timeLimit(.minutes(5))) struct OccupiedFolderTests {
        @Test func secondGatewayIsRefused() async throws {
            let scratch = try ScratchFolder()
            let data = scratch.path(of: "data")
            let gateway = try await GatewayProcess.start(data: data, scratch)
            let refusal = try await GatewayProcess.refusal(data: data, scratch)
            #expect(refusal.status == 2)
            #expect(refusal.errors.contains("another gateway") && refusal.errors.contains(data))
            #expect(await gateway.stop().status == 0)
        }

        @Test(.enabled(if: SmallDisk.works, "no file system can be mounted here"))
        func readOnlyFolderIsRefused() async throws {
            let scratch = try ScratchFolder()
            let disk = try await SmallDisk(kibibytes: 4_000, scratch)
            let data = disk.path + "/data"
            let gateway = try await GatewayProcess.start(data: data, scratch, wrap: disk.inside)
            #expect(await gateway.stop().status == 0)
            try await disk.remount("ro")
            for folder in [data, disk.path + "/new"] {
                let refusal = try await GatewayProcess.refusal(data: folder, scratch, wrap: disk.inside)
                #expect(refusal.status == 2)
                #expect(refusal.errors.contains(folder), "\(refusal.errors)")
            }
            try await disk.remount("rw")
            let next = try await GatewayProcess.start(data: data, scratch, wrap: disk.inside)
            #expect(await next.stop().status == 0)
            await disk.unmount()
        }

        @Test func lockedDatabaseIsReportedAndTheGatewayContinuesAfterwards() async throws {
            try await GatewayCalls.withClient { http in
                let scratch = try ScratchFolder()
                let gateway = try await GatewayProcess.start(data: scratch.path(of: "data"), scratch)
                let calls = GatewayCalls(ready: gateway.ready, http: http)
                var scenario = try await DeviceScenario(calls)
                #expect(try await scenario.send(5, calls).status == 200)

                let holder = try await Self.lock(scratch.path(of: "data/waypost.sqlite"))
                let answer = try await scenario.send(5, calls)
                #expect(answer.status == 503 && answer.errorCode == "storeBusy")
                #expect(answer.retryAfter ?? 0 > 0)
                holder.send(SIGKILL)
                _ = await holder.ended()

                #expect(try await scenario.send(5, calls).status == 200)
                #expect(try await scenario.read(calls) == scenario.answered)
                #expect(await gateway.stop().status == 0)
            }
        }

        /// Starts a process that locks the database.
        private static func lock(_ database: String) async throws -> ChildProcess {
            let script = """
                import signal, sqlite3, sys
                database = sqlite3.connect(sys.argv[1], isolation_level=None)
                database.execute("BEGIN EXCLUSIVE")
                print("held", flush=True)
                signal.pause()
                """
            let holder = try ChildProcess(["python3", "-c", script, database])
            for await line in holder.lines where line == "held" { return holder }
            throw GatewayProcess.NeverReady(ended: await holder.ended())
        }

        /// Other contents of a file with the database's name.
        enum Stranger: CaseIterable {
            case text
            case otherDatabase
            case newerVersion
        }

        @Test(arguments: Stranger.allCases) func foreignFileIsLeftUnchanged(_ stranger: Stranger) async throws {
            let scratch = try ScratchFolder()
            let data = scratch.path(of: "data")
            let file = URL(filePath: data + "/waypost.sqlite")
            let gateway = try await GatewayProcess.start(data: data, scratch)
            #expect(await gateway.stop().status == 0)
            var bytes = try [UInt8](Data(contentsOf: file))
            switch stranger {
            case .text: bytes = Array(repeating: UInt8(ascii: "x"), count: 9_000)
            // The application identifier and the version in a database's header (SQLite, file format, 1.3).
            case .otherDatabase: bytes.replaceSubrange(68..<72, with: [1, 2, 3, 4])
            case .newerVersion: bytes[63] += 1
            }
            try Data(bytes).write(to: file)

            let refusal = try await GatewayProcess.refusal(data: data, scratch)
            #expect(refusal.status == 2)
            #expect(refusal.errors.contains(file.path), "\(refusal.errors)")
            #expect(refusal.errors.contains("left unchanged"), "\(refusal.errors)")
            #expect(try [UInt8](Data(contentsOf: file)) == bytes)
        }
    }
}
