import AsyncHTTPClient
import Foundation
import GatewayClient
import NIOCore
import NIOHTTP1
import ProcessTestSupport
import Testing
import WaypostSchema
import WaypostTestSupport

extension DurabilityTests {
    @Suite(.timeLimit(.minutes(5)), .enabled(if: SmallDisk.works, "no file system can be mounted here"))
    struct FullAgentDiskTests {
        private static let device =
            #"{"name":"iPad","apps":[{"bundleIdentifier":"com.example.clowntown","scenes":[]}]}"#

        private static func contact(_ number: Int) -> DeviceEvent {
            let name = String(repeating: "C", count: 500)
            let handle = Handle(rawValue: "+14085550101")
            return .sharing(
                .contactChanged(Contact(id: ContactID(rawValue: "c\(number)"), givenName: name, handles: [handle]))
            )
        }

        @Test func agentOnAFullDiskIsNotReadyUntilThereIsRoom() async throws {
            let scratch = try ScratchFolder()
            let file = try scratch.write(Self.device.utf8, to: "ipad.json")
            let disk = try await SmallDisk(kibibytes: 1_000, scratch)
            let gateway = try await GatewayProcess.start(data: scratch.path(of: "gateway"), scratch)
            try await GatewayCalls.withClient { http in
                let agent = try await AgentChild.start(
                    file,
                    data: disk.path + "/ipad",
                    gateway: gateway.ready,
                    scratch,
                    wrap: disk.inside
                )
                let client = AgentClient(http, control: agent.control)
                _ = try await client.apply(Self.contact(0), to: "iPad")
                try await disk.fill()
                // The last page of the journal may have room for a few events.
                var refusals: [APIError.Code] = []
                for number in 1...20 {
                    do throws(CallError) {
                        _ = try await client.apply(Self.contact(number), to: "iPad")
                    } catch {
                        if case .refused(507, let refusal) = error { refusals.append(refusal.code) }
                    }
                }
                #expect(refusals.count > 1 && refusals.allSatisfy { $0 == "storeFull" })
                let url = agent.control + "/health"
                #expect(try await http.get(url: url).get().status.code == 503)
                try await disk.removeOtherFile()
                #expect(try await http.get(url: url).get().status.code == 200)
                _ = try await client.apply(Self.contact(21), to: "iPad")
                agent.process.send(SIGTERM)
                let ended = await agent.process.ended()
                #expect(ended.status == 0)
                let lines = ended.errors.split(separator: "\n")
                #expect(lines.count(where: { $0.contains("events are refused") }) == 1, "\(ended.errors)")
                #expect(!ended.errors.contains("journalWriteFailed"), "\(ended.errors)")
            }
            #expect(await gateway.stop().status == 0)
            await disk.unmount()
        }
    }
}
