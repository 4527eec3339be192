import DeviceAgent
import Foundation
import Gateway
import GatewayClient
import GatewayTestSupport
import Testing
import WaypostSchema
import WaypostTestSupport

/// The journal of a device on the control API, of an agent with and without a data folder.
///
/// Some tests apply a thousand events, each in a request of its own.
@Suite(.timeLimit(.minutes(5))) struct JournalTests {
    private static let name = clownTown.name
    private static let device = "/v1/devices/Ava%27s%20iPad"

    /// Runs an agent that stores its devices in `folder`, if given.
    private static func run(
        _ gateway: RunningGateway,
        in folder: ScratchFolder?,
        _ body: @escaping @Sendable (AgentClient, JSONCalls) async throws -> Void
    ) async throws {
        var configuration = AgentConfiguration(
            devices: [ConfiguredDevice(clownTown)],
            service: gateway.ready.service,
            courier: gateway.ready.courier
        )
        configuration.data = folder?.path(of: "device")
        try await withAgent(configuration, sources: .waiting) { ready in
            try await body(
                AgentClient(gateway.http, control: ready.control),
                JSONCalls(gateway.http, base: ready.control)
            )
        }
    }

    /// Runs an agent with or without a data folder.
    private static func run(
        isStored: Bool,
        _ body: @escaping @Sendable (AgentClient, JSONCalls) async throws -> Void
    ) async throws {
        let folder = try ScratchFolder()
        try await RunningGateway.run { gateway in try await run(gateway, in: isStored ? folder : nil, body) }
        withExtendedLifetime(folder) {}
    }

    private static func contact(_ number: Int) -> DeviceEvent {
        .sharing(.contactChanged(Contact(id: ContactID(rawValue: "c\(number)"), handles: [])))
    }

    private static func refusal(_ work: () async throws -> Void) async -> (status: Int, error: APIError)? {
        let error = await #expect(throws: CallError.self) { try await work() }
        guard case .refused(let status, let refusal) = error else { return nil }
        return (status, refusal)
    }

    @Test(arguments: [false, true]) func journalHasEveryEvent(_ isStored: Bool) async throws {
        try await Self.run(isStored: isStored) { agent, _ in
            // The second event changes nothing, and is in the journal too.
            let events: [DeviceEvent] = [
                Self.contact(1), .sharing(.contactRemoved("nobody")), .system(.snapshotTaken("s")),
                .system(.deviceRestored(snapshot: "s")),
            ]
            for event in events { _ = try await agent.apply(event, to: Self.name) }
            let page = try await agent.journal(of: Self.name, after: 0)
            #expect(page.entries.map(\.event) == [.system(.deviceDescribed(clownTown))] + events)
            #expect(page.entries.allSatisfy { $0.at == AgentSources.forTests.now() })
            #expect(page.next == 5)
        }
    }

    @Test(arguments: [false, true]) func pagesFollowEachOther(_ isStored: Bool) async throws {
        try await Self.run(isStored: isStored) { agent, calls in
            for number in 1...4 { _ = try await agent.apply(Self.contact(number), to: Self.name) }
            func page(_ query: String) async throws -> JournalPage {
                try await calls.get("\(Self.device)/journal?\(query)")
            }
            let first = try await page("limit=2")
            #expect(first.entries.map(\.event) == [.system(.deviceDescribed(clownTown)), Self.contact(1)])
            #expect(first.next == 2)
            let second = try await page("after=2&limit=2")
            #expect(second.entries.map(\.event) == [Self.contact(2), Self.contact(3)])
            #expect(second.next == 4)
            let last = try await page("after=4&limit=2")
            #expect(last.entries.map(\.event) == [Self.contact(4)])
            #expect(last.next == 5)
            // An earlier page is there again.
            let again = try await page("after=2&limit=2")
            #expect(again == second)
            // A place beyond the end is the end.
            for after in [5, 6, Int.max] {
                let end = try await page("after=\(after)")
                #expect(end == JournalPage(entries: [], next: 5))
            }
        }
    }

    @Test(arguments: [false, true]) func pageHasAtMostAThousandEntries(_ isStored: Bool) async throws {
        try await Self.run(isStored: isStored) { agent, _ in
            for number in 1...1_004 { _ = try await agent.apply(Self.contact(number), to: Self.name) }
            var (counts, events): ([Int], [DeviceEvent]) = ([], [])
            var page = try await agent.journal(of: Self.name, after: 0)
            while !page.entries.isEmpty {
                counts.append(page.entries.count)
                events += page.entries.map(\.event)
                page = try await agent.journal(of: Self.name, after: page.next)
            }
            #expect(counts == [1_000, 5])
            #expect(events == [.system(.deviceDescribed(clownTown))] + (1...1_004).map(Self.contact))
        }
    }

    /// The agent starts from a snapshot, and still returns the events before it.
    @Test func storedJournalSurvivesARestart() async throws {
        let folder = try ScratchFolder()
        try await RunningGateway.run { gateway in
            try await Self.run(gateway, in: folder) { agent, _ in
                for number in 1...1_004 { _ = try await agent.apply(Self.contact(number), to: Self.name) }
            }
            #expect(FileManager.default.fileExists(atPath: folder.path(of: "device/snapshot.json")))
            try await Self.run(gateway, in: folder) { agent, _ in
                _ = try await agent.apply(Self.contact(0), to: Self.name)
                let first = try await agent.journal(of: Self.name, after: 0)
                #expect(first.entries.first?.event == .system(.deviceDescribed(clownTown)))
                let last = try await agent.journal(of: Self.name, after: 1_003)
                #expect(last.entries.map(\.event) == [Self.contact(1_003), Self.contact(1_004), Self.contact(0)])
                #expect(last.next == 1_006)
            }
        }
        withExtendedLifetime(folder) {}
    }

    @Test(arguments: [false, true]) func readerWaitsForFurtherEntries(_ isStored: Bool) async throws {
        try await Self.run(isStored: isStored) { agent, calls in
            async let waited: JournalPage = calls.get("\(Self.device)/journal?after=1&wait=2&timeout=60s")
            for number in 1...2 { _ = try await agent.apply(Self.contact(number), to: Self.name) }
            let page = try await waited
            #expect(page.entries.map(\.event) == [Self.contact(1), Self.contact(2)])
            // Nothing to wait for.
            let again: JournalPage = try await calls.get("\(Self.device)/journal?after=1&wait=2&timeout=60s")
            #expect(again == page)
        }
    }

    @Test(arguments: [false, true]) func copyBeginsWithTheJournalOfItsOriginal(_ isStored: Bool) async throws {
        try await Self.run(isStored: isStored) { agent, calls in
            _ = try await agent.apply(Self.contact(1), to: Self.name)
            let original = try await agent.journal(of: Self.name, after: 0)
            let copy: DeviceStatus = try await calls.post("\(Self.device)/fork", DeviceFork(name: "copy"))
            _ = try await agent.apply(Self.contact(2), to: copy.name)
            let entries = try await agent.journal(of: copy.name, after: 0).entries
            #expect(Array(entries.prefix(2)) == original.entries)
            #expect(entries.dropFirst(2).map(\.event) == [.system(.deviceRenamed("copy")), Self.contact(2)])
            let after = try await agent.journal(of: Self.name, after: 0)
            #expect(after == original)
        }
    }

    @Test(arguments: [false, true]) func unknownOrRemovedDeviceHasNoJournal(_ isStored: Bool) async throws {
        try await Self.run(isStored: isStored) { agent, _ in
            let unknown = await Self.refusal { _ = try await agent.journal(of: "Mac", after: 0) }
            #expect(unknown?.status == 404)
            #expect(unknown?.error.code == "unknownDevice")
            try await agent.remove(Self.name)
            let removed = await Self.refusal { _ = try await agent.journal(of: Self.name, after: 0) }
            #expect(removed?.status == 404)
            #expect(removed?.error.code == "unknownDevice")
        }
    }

    @Test func journalThatWasRemovedCannotBeRead() async throws {
        let folder = try ScratchFolder()
        try await RunningGateway.run { gateway in
            try await Self.run(gateway, in: folder) { agent, _ in
                try FileManager.default.removeItem(atPath: folder.path(of: "device"))
                for after in [0, 1] {
                    let refusal = await Self.refusal { _ = try await agent.journal(of: Self.name, after: after) }
                    #expect(refusal?.status == 503)
                    #expect(refusal?.error.code == "storeMoved")
                }
            }
        }
        withExtendedLifetime(folder) {}
    }

    @Test(
        arguments: [
            ("after=-1", "after: '-1' is not a number from 0 to 9223372036854775807"),
            ("after=end", "after: 'end' is not a number from 0 to 9223372036854775807"),
            ("after=", "after: '' is not a number from 0 to 9223372036854775807"),
            (
                "after=9223372036854775808",
                "after: '9223372036854775808' is not a number from 0 to 9223372036854775807"
            ),
            ("limit=0", "limit: '0' is not a number from 1 to 1000"),
            ("limit=1001", "limit: '1001' is not a number from 1 to 1000"),
            ("limit=all", "limit: 'all' is not a number from 1 to 1000"),
            ("wait=many", "wait: 'many' is not a number from 0 to 1000000"),
            ("wait=1&timeout=61s", "timeout: '61s' is not valid; use a time such as 500ms or 2s, at most 60s"),
        ]
    ) func refusedParameterIsNamedWithTheAcceptedValues(_ query: String, _ message: String) async throws {
        try await Self.run(isStored: false) { _, calls in
            let refusal = await Self.refusal {
                _ = try await calls.get("\(Self.device)/journal?\(query)", as: JournalPage.self)
            }
            #expect(refusal?.status == 400)
            #expect(refusal?.error.code == "badParameter")
            #expect(refusal?.error.message == message)
        }
    }

    /// The journal has personal data, which no app may read.
    @Test func appAPIHasNoJournal() async throws {
        try await AppAgent.run { agent in
            let calls = try await agent.calls(of: AppAgent.tv)
            for path in [agent.path + "/journal", "/v1/app/journal"] {
                let refusal = await Self.refusal { _ = try await calls.get(path, as: JournalPage.self) }
                #expect(refusal?.status == 404)
                #expect(refusal?.error.code == "notFound")
            }
        }
    }
}
