import AsyncHTTPClient
import DeviceAgent
import Foundation
import Gateway
import GatewayClient
import GatewayTestSupport
import NIOCore
import NIOHTTP1
import Testing
import WaypostSchema
import WaypostTestSupport

/// The data folder of an agent that others damage, remove or add to.
@Suite(.timeLimit(.minutes(5))) struct DataFolderDamageTests {
    private static let name = clownTown.name

    private static func run(
        _ gateway: RunningGateway,
        _ folder: ScratchFolder,
        _ body: @escaping @Sendable (AgentClient, JSONCalls) async throws -> Void
    ) async throws {
        var configuration = AgentConfiguration(
            devices: [ConfiguredDevice(clownTown)],
            service: gateway.ready.service,
            courier: gateway.ready.courier
        )
        configuration.data = folder.path(of: "device")
        try await withAgent(configuration, sources: .waiting) { ready in
            try await body(
                AgentClient(gateway.http, control: ready.control),
                JSONCalls(gateway.http, base: ready.control)
            )
        }
    }

    private static func contact(_ number: Int) -> DeviceEvent {
        let handle = Handle(rawValue: "+1408555010\(number)")
        return .sharing(
            .contactChanged(Contact(id: ContactID(rawValue: "c\(number)"), givenName: "C", handles: [handle]))
        )
    }

    @Test func lostEventsAreReportedByTheHealth() async throws {
        let folder = try ScratchFolder()
        try await RunningGateway.run { gateway in
            try await Self.run(gateway, folder) { agent, _ in
                for number in 0..<5 { _ = try await agent.apply(Self.contact(number), to: Self.name) }
            }
            let path = folder.path(of: "device/journal.jsonl")
            let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
            let kept = lines.dropLast(3).map { $0 + "\n" }.joined()
            try kept.write(toFile: path, atomically: false, encoding: .utf8)
            try await Self.run(gateway, folder) { _, calls in
                let text = try await Self.answer(calls, gateway)
                #expect(text.contains("its last 3 events are missing"), "\(text)")
            }
            try await Self.run(gateway, folder) { _, calls in
                let text = try await Self.answer(calls, gateway)
                #expect(!text.contains("missing"))
            }
        }
        withExtendedLifetime(folder) {}
    }

    /// Returns the body of `/health`, whatever its status.
    private static func answer(_ calls: JSONCalls, _ gateway: RunningGateway) async throws -> String {
        let response = try await gateway.http.get(url: calls.base + "/health").get()
        let text = response.body.map { String(buffer: $0) } ?? ""
        #expect(response.status.code == (text.contains("notReady") ? 503 : 200))
        return text
    }

    @Test func folderThatWasRemovedTakesNoEvents() async throws {
        let folder = try ScratchFolder()
        try await RunningGateway.run { gateway in
            try await Self.run(gateway, folder) { agent, calls in
                _ = try await agent.apply(Self.contact(1), to: Self.name)
                try FileManager.default.removeItem(atPath: folder.path(of: "device"))
                let error = await #expect(throws: CallError.self) {
                    _ = try await agent.apply(Self.contact(2), to: Self.name)
                }
                guard case .refused(503, let refusal)? = error else {
                    Issue.record("\(String(describing: error))")
                    return
                }
                #expect(refusal.code == "storeMoved")
                let text = try await Self.answer(calls, gateway)
                #expect(text.contains("was removed or replaced"))
            }
        }
        withExtendedLifetime(folder) {}
    }

    @Test func strayFilesDoNotStopTheStart() async throws {
        let folder = try ScratchFolder()
        try await RunningGateway.run { gateway in
            try await Self.run(gateway, folder) { _, _ in }
            for name in ["copies", "devices"] {
                try FileManager.default.createDirectory(
                    atPath: folder.path(of: "device/\(name)/empty"),
                    withIntermediateDirectories: true
                )
                _ = try folder.write("stray".utf8, to: "device/\(name)/stray")
            }
            try await Self.run(gateway, folder) { agent, _ in
                let names = try await agent.devices().map(\.name)
                #expect(names == [Self.name])
            }
        }
        withExtendedLifetime(folder) {}
    }

    @Test func lostJournalIsReported() async throws {
        let folder = try ScratchFolder()
        try await RunningGateway.run { gateway in
            try await Self.run(gateway, folder) { agent, _ in
                for number in 0..<4 { _ = try await agent.apply(Self.contact(number), to: Self.name) }
            }
            try FileManager.default.removeItem(atPath: folder.path(of: "device/journal.jsonl"))
            try await Self.run(gateway, folder) { _, calls in
                let text = try await Self.answer(calls, gateway)
                #expect(text.contains("its last 5 events are missing"), "\(text)")
            }
        }
        withExtendedLifetime(folder) {}
    }
}
