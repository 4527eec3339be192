import DeviceAgent
import Foundation
import Gateway
import GatewayClient
import GatewayTestSupport
import Testing
import WaypostSchema
import WaypostTestSupport

/// A device that is stored in a folder.
///
/// Some tests apply a thousand events, each in a request of its own.
@Suite(.timeLimit(.minutes(5))) struct LoadedDeviceTests {
    private static let name = clownTown.name
    private static let contact = Contact(id: "enrique", givenName: "Enrique", handles: ["+14085550101"])

    private static let url = "https://tv.example/shows/lasso"

    /// Events that install the TV app, deliver a link for it, and pin the link.
    private static var scenario: [DeviceEvent] {
        let tv = AppDescription(
            bundleIdentifier: "com.example.tv",
            applicationIdentifier: "ABCDE12345.com.example.tv",
            associatedDomains: ["applinks:tv.example"],
            sharedWithYou: true,
            scenes: []
        )
        let file = #"{"applinks":{"details":[{"appIDs":["ABCDE12345.com.example.tv"],"components":[{"/":"*"}]}]}}"#
        let message = Message(id: "m1", conversation: "c1", sender: "+14085550101", text: url)
        return [
            .system(.appInstalled(tv)),
            .system(.associationChecked(domain: "tv.example", source: "", .success(Array(file.utf8)))),
            .sharing(.contactChanged(contact)), .sharing(.messageReceived(message)),
            .sharing(.linkPinned("m1", url: nil)),
        ]
    }

    private static func configuration(
        _ gateway: RunningGateway,
        in folder: ScratchFolder,
        _ device: DeviceDescription = clownTown
    ) -> AgentConfiguration {
        var configuration = AgentConfiguration(
            devices: [ConfiguredDevice(device)],
            service: gateway.ready.service,
            courier: gateway.ready.courier
        )
        configuration.data = folder.path(of: "device")
        return configuration
    }

    /// Runs an agent on the folder.
    ///
    /// The agent has stopped when this returns.
    private static func run<Value: Sendable>(
        _ gateway: RunningGateway,
        in folder: ScratchFolder,
        _ device: DeviceDescription = clownTown,
        _ body: @escaping @Sendable (AgentClient) async throws -> Value
    ) async throws -> Value {
        try await withAgent(configuration(gateway, in: folder, device), sources: .waiting) { ready in
            try await body(AgentClient(gateway.http, control: ready.control))
        }
    }

    @Test func acknowledgedNotificationSurvivesARestart() async throws {
        let folder = try ScratchFolder()
        try await RunningGateway.run { gateway in
            let client = GatewayClient(gateway.http, service: gateway.ready.service, courier: gateway.ready.courier)
            let before = try await Self.run(gateway, in: folder) { agent in
                let token = try #require(try await agent.devices()[0].token)
                let receipt = try await client.send(AgentProcessTests.line(token, AgentProcessTests.id))
                #expect(try await client.settledStatus(of: receipt.id, within: 60).states == [.acknowledged: 1])
                _ = try await agent.open(NotificationID(rawValue: AgentProcessTests.id), on: Self.name)
                return (try await agent.devices(), try await agent.notifications(of: Self.name))
            }
            try await Self.run(gateway, in: folder) { agent in
                // The gateway sees the same device, too.
                let (devices, notifications) = (try await agent.devices(), try await agent.notifications(of: Self.name))
                #expect(devices == before.0)
                #expect(notifications == before.1)
                #expect(before.1.first?.openedAt != nil)
            }
        }
        withExtendedLifetime(folder) {}
    }

    @Test func actionsOfTheUserAreStored() async throws {
        let folder = try ScratchFolder()
        try await RunningGateway.run { gateway in
            try await Self.run(gateway, in: folder) { agent in
                for event in Self.scenario {
                    let effects = try await agent.apply(event, to: Self.name).effects
                    #expect(!effects.contains { if case .system(.eventIgnored) = $0 { true } else { false } })
                }
                #expect(try await agent.shelf(of: "com.example.tv", on: Self.name).items.count == 1)
            }
            try await Self.run(gateway, in: folder) { agent in
                let shelf = try await agent.shelf(of: "com.example.tv", on: Self.name)
                #expect(shelf.items.map(\.highlight.url) == [Self.url])
                let error = await #expect(throws: CallError.self) {
                    _ = try await agent.shelf(of: "com.example.other", on: Self.name)
                }
                guard case .refused(404, let refusal) = error else { return }
                #expect(refusal.code == "unknownApp")
            }
        }
        withExtendedLifetime(folder) {}
    }

    @Test func deadlineIsHandledWithoutARequest() async throws {
        let folder = try ScratchFolder()
        let clock = AgentClock()
        try await RunningGateway.run { gateway in
            try await withAgent(Self.configuration(gateway, in: folder), sources: clock.sources) { ready in
                let agent = AgentClient(gateway.http, control: ready.control)
                var next: Timestamp?
                for event in Self.scenario { next = try await agent.apply(event, to: Self.name).nextDeadline }
                let deadline = try #require(next)
                clock.move(to: Timestamp(milliseconds: deadline.rawValue - 1))
                _ = try await agent.devices()
                #expect(try !Self.journal(folder).contains("timePassed"))
                clock.move(to: deadline)
                // The time limit of the suite ends an endless wait.
                while try !Self.journal(folder).contains("timePassed") { _ = try await agent.devices() }
                #expect(try Self.journal(folder).contains("\"at\":\(deadline.rawValue),"))
            }
        }
        withExtendedLifetime(folder) {}
    }

    private static func journal(_ folder: ScratchFolder) throws -> String {
        try String(contentsOfFile: folder.path(of: "device/journal.jsonl"), encoding: .utf8)
    }

    @Test func batchOfMessagesIsStored() async throws {
        let folder = try ScratchFolder()
        try await RunningGateway.run { gateway in
            let client = GatewayClient(gateway.http, service: gateway.ready.service, courier: gateway.ready.courier)
            try await Self.run(gateway, in: folder) { agent in
                let token = try #require(try await agent.devices()[0].token)
                let events: [DeviceEvent] = [
                    .sharing(.contactChanged(Self.contact)),
                    .sharing(
                        .messageReceived(Message(id: "m1", conversation: "c1", sender: "+14085550101", text: "look"))
                    ),
                ]
                var lines = ""
                for event in events {
                    let payload = String(decoding: try JSONEncoder().encode(event), as: UTF8.self)
                    lines += #"{"token":"\#(token)","topic":"waypost.messages","payload":\#(payload)}"# + "\n"
                }
                let receipt = try await client.send(Array(lines.utf8))
                #expect(try await client.settledStatus(of: receipt.id, within: 60).states == [.acknowledged: 2])
                // The message is stored, so it cannot be received again.
                let reaction = try await agent.apply(events[1], to: Self.name)
                guard case .system(.eventIgnored(let ignored)) = reaction.effects.first else {
                    Issue.record("\(reaction)")
                    return
                }
                #expect(ignored.reason == .repeatedMessage)
            }
        }
        withExtendedLifetime(folder) {}
    }

    @Test func changedDeviceFileIsAppliedAtStartUp() async throws {
        let folder = try ScratchFolder()
        try await RunningGateway.run { gateway in
            let opened = try await Self.run(gateway, in: folder) { agent in
                _ = try await agent.apply(.sharing(.contactChanged(Self.contact)), to: Self.name)
                return try await agent.devices()[0]
            }
            var larger = clownTown
            larger.apps.append(AppDescription(bundleIdentifier: "com.example.notes", scenes: []))
            let device = try await Self.run(gateway, in: folder, larger) { try await $0.devices()[0] }
            #expect(device.token == opened.token)
            let registered: RegisteredDevice = try await JSONCalls(gateway.http, base: gateway.ready.service)
                .get("/v1/devices/\(try #require(device.token))")
            #expect(registered.topics == ["com.example.clowntown", "com.example.notes", .activities, .messages])
            let journal = try String(contentsOfFile: folder.path(of: "device/journal.jsonl"), encoding: .utf8)
            #expect(journal.components(separatedBy: #""type":"deviceDescribed""#).count == 3)
        }
        withExtendedLifetime(folder) {}
    }

    @Test func topicsFollowTheInstalledApps() async throws {
        let folder = try ScratchFolder()
        try await RunningGateway.run { gateway in
            let service = JSONCalls(gateway.http, base: gateway.ready.service)
            try await Self.run(gateway, in: folder) { agent in
                let token = try #require(try await agent.devices()[0].token)
                let notes = AppDescription(bundleIdentifier: "com.example.notes", scenes: [])
                for event in [.system(.appInstalled(notes)), .system(.appRemoved("com.example.clowntown"))]
                    as [DeviceEvent]
                {
                    _ = try await agent.apply(event, to: Self.name)
                }
                let registered: RegisteredDevice = try await service.get("/v1/devices/\(token)")
                #expect(registered.topics == ["com.example.notes", .activities, .messages])
            }
            // The file is unchanged, so it does not undo the events.
            let again = try await Self.run(gateway, in: folder) { try await $0.devices()[0].token }
            let registered: RegisteredDevice = try await service.get("/v1/devices/\(try #require(again))")
            #expect(registered.topics == ["com.example.notes", .activities, .messages])
        }
        withExtendedLifetime(folder) {}
    }

    @Test func folderBelongsToOneAgent() async throws {
        let folder = try ScratchFolder()
        try await RunningGateway.run { gateway in
            try await Self.run(gateway, in: folder) { _ in
                // Another agent is using it.
                _ = await #expect(throws: AgentStartError.self) { try await Self.run(gateway, in: folder) { _ in } }
            }
            var other = clownTown
            other.name = "Mac"
            let names = try await Self.run(gateway, in: folder, other) { try await $0.devices().map(\.name) }
            #expect(names == ["Mac", Self.name])
        }
        withExtendedLifetime(folder) {}
    }

    @Test func deviceIsRegisteredAgainIfTheGatewayForgotIt() async throws {
        let folder = try ScratchFolder()
        let first = try await RunningGateway.run { gateway in
            try await Self.run(gateway, in: folder) { try await $0.devices()[0].token }
        }
        // This gateway starts with an empty store and uses other random numbers.
        var sources = GatewaySources.forTests()
        sources.randomBytes = { count in (0..<count).map { _ in UInt8.random(in: 0...255) } }
        try await RunningGateway.run(sources: sources) { gateway in
            let second = try #require(try await Self.run(gateway, in: folder) { try await $0.devices()[0].token })
            #expect(second != first)
            let registered: RegisteredDevice = try await JSONCalls(gateway.http, base: gateway.ready.service)
                .get("/v1/devices/\(second)")
            #expect(registered.topics == ["com.example.clowntown", .activities, .messages])
        }
        withExtendedLifetime(folder) {}
    }

    @Test(arguments: [
        "{", #"{"type":"teleported"}"#, #"{"type":"messageDeleted"}"#,
        #"{"type":"deviceDescribed","device":{"name":"Mac","apps":[]}}"#,
    ])
    func invalidEventIsRefusedAndNotStored(_ body: String) async throws {
        let folder = try ScratchFolder()
        try await RunningGateway.run { gateway in
            try await withAgent(Self.configuration(gateway, in: folder), sources: .waiting) { ready in
                let control = JSONCalls(gateway.http, base: ready.control)
                let error = await #expect(throws: CallError.self) {
                    let path = "/v1/devices/Ava%27s%20iPad/events"
                    _ = try await control.post(path, bytes: Array(body.utf8), headers: [], as: DeviceReaction.self)
                }
                guard case .refused(400, let refusal) = error else {
                    Issue.record("\(String(describing: error))")
                    return
                }
                #expect(refusal.code == "malformedBody")
            }
            let journal = try String(contentsOfFile: folder.path(of: "device/journal.jsonl"), encoding: .utf8)
            #expect(journal.split(separator: "\n").count == 1)
        }
        withExtendedLifetime(folder) {}
    }

    @Test(arguments: ["", "broken", "{}\n00000000\n"])
    func longJournalIsReplayedFromItsLastSnapshot(_ damage: String) async throws {
        let folder = try ScratchFolder()
        let snapshot = folder.path(of: "device/snapshot.json")
        try await RunningGateway.run { gateway in
            try await Self.run(gateway, in: folder) { agent in
                for event in Self.scenario { _ = try await agent.apply(event, to: Self.name) }
                for number in 0..<1_000 {
                    let contact = Contact(id: ContactID(rawValue: "c\(number)"), handles: [])
                    _ = try await agent.apply(.sharing(.contactChanged(contact)), to: Self.name)
                }
            }
            #expect(FileManager.default.fileExists(atPath: snapshot))
            // If the snapshot cannot be read, the whole journal is replayed.
            if !damage.isEmpty { try Data(damage.utf8).write(to: URL(filePath: snapshot)) }
            try await Self.run(gateway, in: folder) { agent in
                let shelf = try await agent.shelf(of: "com.example.tv", on: Self.name)
                #expect(shelf.items.map(\.highlight.url) == [Self.url])
                let late = Contact(id: "late", handles: [])
                _ = try await agent.apply(.sharing(.contactChanged(late)), to: Self.name)
            }
            try await withAgent(Self.configuration(gateway, in: folder), sources: .waiting) { ready in
                let contacts: [Contact] = try await JSONCalls(gateway.http, base: ready.control)
                    .get("/v1/devices/Ava%27s%20iPad/contacts")
                #expect(contacts.count == 1_002)
            }
        }
        withExtendedLifetime(folder) {}
    }

    private static func delivery(_ number: Int) -> DeviceEvent {
        let notification = DeliveredNotification(
            sequence: number,
            id: NotificationID(rawValue: "n\(number)"),
            token: "token",
            topic: "com.example.clowntown",
            pushType: .alert,
            priority: 10,
            payload: .object(["aps": .object(["alert": .string("Honk")])])
        )
        return .notification(.notificationDelivered(notification))
    }

    /// The state on the disk has a line for each notification, so that a start needs memory for one at a time.
    @Test func manyNotificationsAreThereAfterARestart() async throws {
        let folder = try ScratchFolder()
        try await RunningGateway.run { gateway in
            let before = try await Self.run(gateway, in: folder) { agent in
                for number in 1...1_000 { _ = try await agent.apply(Self.delivery(number), to: Self.name) }
                return try await agent.notifications(of: Self.name)
            }
            #expect(before.count == 1_000)
            let state = try String(contentsOfFile: folder.path(of: "device/snapshot.json"), encoding: .utf8)
            // The device, its notifications, and the checksum.
            #expect(state.split(separator: "\n").count == 1_002)
            let after = try await Self.run(gateway, in: folder) { try await $0.notifications(of: Self.name) }
            #expect(after == before)
        }
        withExtendedLifetime(folder) {}
    }

    /// The state on the disk has no copy of the device for each of its snapshots.
    @Test func snapshotIsAPlaceInTheJournal() async throws {
        let folder = try ScratchFolder()
        try await RunningGateway.run { gateway in
            try await Self.run(gateway, in: folder) { agent in
                for number in 0..<1_000 {
                    let contact = Contact(id: ContactID(rawValue: "c\(number)"), handles: [])
                    _ = try await agent.apply(.sharing(.contactChanged(contact)), to: Self.name)
                    if number % 10 == 0 {
                        _ = try await agent.apply(.system(.snapshotTaken("s\(number)")), to: Self.name)
                    }
                }
                let error = await #expect(throws: CallError.self) {
                    _ = try await agent.apply(.system(.snapshotTaken("one too many")), to: Self.name)
                }
                guard case .refused(409, let refusal)? = error else {
                    Issue.record("\(String(describing: error))")
                    return
                }
                #expect(refusal.code == "tooManySnapshots")
            }
            let state = try Data(contentsOf: URL(filePath: folder.path(of: "device/snapshot.json")))
            let journal = try Data(contentsOf: URL(filePath: folder.path(of: "device/journal.jsonl")))
            #expect(state.count < 2 * journal.count, "\(state.count) bytes, and \(journal.count) in the journal")
            try await withAgent(Self.configuration(gateway, in: folder), sources: .waiting) { ready in
                let agent = AgentClient(gateway.http, control: ready.control)
                let calls = JSONCalls(gateway.http, base: ready.control)
                for (snapshot, count) in [("s990", 991), ("s0", 1), ("s500", 501)] {
                    _ = try await agent.apply(.system(.deviceRestored(snapshot: snapshot)), to: Self.name)
                    let contacts: [Contact] = try await calls.get("/v1/devices/Ava%27s%20iPad/contacts")
                    #expect(contacts.count == count)
                }
            }
        }
        withExtendedLifetime(folder) {}
    }

    // MARK: Lines that a start does not read

    /// Runs an agent until the device has a thousand contacts, the snapshot 'ten' with the first ten of them, and a
    /// saved state; then damages a line between the snapshot and the state.
    private static func prepareDamagedHistory(_ gateway: RunningGateway, in folder: ScratchFolder) async throws {
        try await run(gateway, in: folder) { agent in
            for number in 1...1_000 {
                let contact = Contact(id: ContactID(rawValue: "c\(number)"), handles: [])
                _ = try await agent.apply(.sharing(.contactChanged(contact)), to: Self.name)
                if number == 10 { _ = try await agent.apply(.system(.snapshotTaken("ten")), to: Self.name) }
            }
        }
        try damageLine(500, in: folder)
    }

    /// Changes a byte of a line of the device's journal but the first.
    private static func damageLine(_ number: Int, in folder: ScratchFolder) throws {
        let url = URL(filePath: folder.path(of: "device/journal.jsonl"))
        var bytes = Array(try Data(contentsOf: url))
        let ends = bytes.indices.filter { bytes[$0] == UInt8(ascii: "\n") }
        bytes[ends[number - 2] + 5] ^= 1
        try Data(bytes).write(to: url)
    }

    @Test func startReadsTheJournalUpToTheLastSnapshot() async throws {
        let folder = try ScratchFolder()
        try await RunningGateway.run { gateway in
            try await Self.prepareDamagedHistory(gateway, in: folder)
            try await Self.run(gateway, in: folder) { agent in
                _ = try await agent.apply(.system(.deviceRestored(snapshot: "ten")), to: Self.name)
                let contacts = try await agent.contacts(on: Self.name)
                #expect(contacts.count == 10)
            }
            try Self.damageLine(5, in: folder)
            let error = await #expect(throws: AgentStartError.self) { try await Self.run(gateway, in: folder) { _ in } }
            let text = error.map { "\($0)" } ?? ""
            #expect(text.contains("line 5 of the journal is damaged"), "\(text)")
        }
        withExtendedLifetime(folder) {}
    }

    @Test func copyStartsFromTheSavedStateOfItsOriginal() async throws {
        let folder = try ScratchFolder()
        try await RunningGateway.run { gateway in
            try await Self.prepareDamagedHistory(gateway, in: folder)
            try await Self.run(gateway, in: folder) { agent in
                _ = try await agent.fork(Self.name, as: DeviceFork(name: "copy"))
            }
            try await Self.run(gateway, in: folder) { agent in
                let before = try await agent.contacts(on: "copy")
                #expect(before.count == 1_000)
                _ = try await agent.apply(.system(.deviceRestored(snapshot: "ten")), to: "copy")
                let after = try await agent.contacts(on: "copy")
                #expect(after.count == 10)
            }
        }
        withExtendedLifetime(folder) {}
    }
}
