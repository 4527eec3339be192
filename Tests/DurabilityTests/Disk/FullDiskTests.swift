import Foundation
import ProcessTestSupport
import Testing
import WaypostSchema
import WaypostTestSupport

extension DurabilityTests {
    @Suite(.timeLimit(.minutes(5)), .enabled(if: SmallDisk.works, "no file system can be mounted here"))
    struct FullDiskTests {
        @Test func fullDiskIsReportedUntilThereIsSpaceAgain() async throws {
            try await Self.onFullDisk { gateway, scenario, calls, disk, _ in
                // Reading needs no disk space.
                #expect(try await scenario.read(calls) == scenario.answered)
                try await disk.remount("size=40m")
                #expect(try await scenario.send(1, calls).status == 200)
                #expect(try await scenario.read(calls) == scenario.answered)
                #expect(await gateway.stop().status == 0)
            }
        }

        @Test func gatewayKilledOnAFullDiskKeepsEverything() async throws {
            try await Self.onFullDisk { gateway, scenario, calls, disk, scratch in
                gateway.process.send(SIGKILL)
                _ = await gateway.process.ended()
                try await disk.remount("size=40m")
                let next = try await GatewayProcess.start(data: disk.path + "/data", scratch, wrap: disk.inside)
                let calls = GatewayCalls(ready: next.ready, http: calls.http)
                #expect(try await scenario.send(1, calls).status == 200)
                #expect(try await scenario.read(calls) == scenario.answered)
                #expect(await next.stop().status == 0)
            }
        }

        @Test func gatewayStartsOnAFullDiskOrReportsIt() async throws {
            try await Self.onFullDisk { gateway, scenario, calls, disk, scratch in
                #expect(await gateway.stop().status == 0)
                do {
                    let next = try await GatewayProcess.start(data: disk.path + "/data", scratch, wrap: disk.inside)
                    let calls = GatewayCalls(ready: next.ready, http: calls.http)
                    #expect(try await scenario.read(calls) == scenario.answered)
                    let reset = try await calls.reset()
                    #expect([204, 507].contains(reset.status))
                    _ = await next.stop()
                } catch let refusal as GatewayProcess.NeverReady {
                    #expect(refusal.ended.status == 2)
                    #expect(refusal.ended.errors.contains("no room left on the disk"), "\(refusal.ended.errors)")
                }
            }
        }

        @Test func acknowledgementsOnAFullDiskMakeRoomForNotifications() async throws {
            try await Self.onFullDisk { gateway, scenario, calls, disk, _ in
                try await disk.fill()
                #expect(try await Self.storeCheck(calls) == "full")
                for _ in 0..<3 {
                    let refusal = try await scenario.send(20, size: 3_500, calls)
                    #expect(refusal.status == 507)
                }
                #expect(try await scenario.acknowledge(calls) == scenario.answered.count)
                #expect(try await Self.storeCheck(calls) == "ok")
                let answer = try await scenario.send(1, calls)
                #expect(answer.status == 200)
                let ended = await gateway.stop()
                #expect(ended.status == 0)
                let lines = ended.errors.split(separator: "\n")
                let isNoticeOfFullDisk = { (line: Substring) in
                    line.contains("disk is full") && line.contains(disk.path)
                }
                #expect(lines.count(where: isNoticeOfFullDisk) == 1, "\(ended.errors)")
                #expect(lines.count(where: { $0.contains("has room again") }) == 1, "\(ended.errors)")
            }
        }

        @Test func deletionOnAFullDiskMakesRoomForNotifications() async throws {
            try await Self.onFullDisk { gateway, scenario, calls, disk, _ in
                try await disk.fill()
                #expect(try await calls.reset().status == 204)
                #expect(try await Self.storeCheck(calls) == "ok")
                _ = try await DeviceScenario(calls)
                #expect(await gateway.stop().status == 0)
            }
        }

        @Test func gatewayThatStartsOnAFullDiskIsNotReadyUntilThereIsRoom() async throws {
            try await Self.onFullDisk { gateway, scenario, calls, disk, scratch in
                gateway.process.send(SIGKILL)
                _ = await gateway.process.ended()
                try await disk.fill()
                let next = try await GatewayProcess.start(data: disk.path + "/data", scratch, wrap: disk.inside)
                let calls = GatewayCalls(ready: next.ready, http: calls.http)
                #expect(try await Self.storeCheck(calls) == "full")
                let refusal = try await scenario.send(20, size: 3_500, calls)
                #expect(refusal.status == 507)
                #expect(try await scenario.acknowledge(calls) == scenario.answered.count)
                #expect(try await Self.storeCheck(calls) == "ok")
                #expect(await next.stop().status == 0)
            }
        }

        /// Returns the check of the store in `/health/ready`, whose status it determines.
        private static func storeCheck(_ calls: GatewayCalls) async throws -> String? {
            let answer = try await calls.readiness()
            let check = try answer.decoded(as: Health.self).checks?["store"]
            #expect(answer.status == (check == "ok" ? 200 : 503))
            return check
        }

        /// Sends to a gateway until its disk is full, and then runs `body`.
        ///
        /// The disk has room for the reserves of a gateway and for fewer notifications than one stream sends at once.
        private static func onFullDisk(
            _ body: (GatewayProcess, inout DeviceScenario, GatewayCalls, SmallDisk, ScratchFolder) async throws -> Void
        ) async throws {
            try await GatewayCalls.withClient { http in
                let scratch = try ScratchFolder()
                let disk = try await SmallDisk(kibibytes: 13_000, scratch)
                let gateway = try await GatewayProcess.start(data: disk.path + "/data", scratch, wrap: disk.inside)
                let calls = GatewayCalls(ready: gateway.ready, http: http)
                var scenario = try await DeviceScenario(calls)
                var answer = try await scenario.send(20, size: 3_500, calls)
                #expect(answer.status == 200)
                while answer.status == 200 { answer = try await scenario.send(20, size: 3_500, calls) }
                #expect(answer.status == 507 && answer.errorCode == "storeFull")
                #expect(answer.retryAfter ?? 0 > 0)
                try await body(gateway, &scenario, calls, disk, scratch)
                await disk.unmount()
            }
        }
    }
}
