import AsyncHTTPClient
import DeviceModel
import Fleets
import Foundation
import GatewayClient
import Testing
import WaypostSchema
import WaypostTestSupport

/// The devices of a fleet against devices of a real agent that received the same.
///
/// The test sends notifications to a fleet. Then it sends the same notifications to the devices of an agent, through
/// the gateway and in the order in which they arrived on the devices of the fleet, with the repetitions. Between them,
/// the users of the agent's devices do what the users of the fleet's devices did. The agent has a manual clock, which
/// shows the time of each event of the fleet, so even the times must be equal in the end.
///
/// The time limit allows for some hundred moves of that clock, each of which waits for acknowledgements.
@Suite(.timeLimit(.minutes(5))) struct FleetEqualityTests {
    private static let devices = Trials.factor == 1 ? 60 : 120
    private static let sampleSize = Trials.factor == 1 ? 30 : 100

    /// The number of notifications that the user does not dismiss.
    private static let retainedCount = 4

    private static let behavior = """
        device: device.json
        keep: \(retainedCount)
        groups:
          - { name: prompt, share: 20%, opens: { share: 50% } }
          - { name: late, share: 20%, acknowledge: { after: 20ms, up-to: 150ms }, opens: { share: 50%, after: 40ms } }
          - { name: forgetful, share: 20%, acknowledge: { lose: 15% }, opens: { share: 50%, after: 10ms } }
          - { name: crashing, share: 20%, crash: { share: 20%, for: 100ms }, opens: { share: 50% }, app: not-running }
          - name: traveling
            offline: { every: 700ms, for: 200ms }
            link: { delay: 5ms, half-open: { every: 900ms, for: 150ms } }
            opens: { share: 50%, after: 30ms }
        storms: [{ at: 6s, share: 50%, spread: 100ms }, { at: 7s, spread: 100ms }, { at: 8s }]
        """

    @Test func sampledDevicesEqualAgentsThatGotTheSame() async throws {
        let sent = try SentNotifications(devices: Self.devices)
        let options = PipelineTests.freePorts + ["--store", "memory"]
        _ = try await Program.whileRunning("waypost-gateway", options) { gateway in
            let service = try await gateway.value(after: "service")
            // The manual clock begins with the time of the agent's start, which must be before that of the fleet.
            let options = ["--gateway", service, "--clock", "manual"]
            _ = try await Program.whileRunning("waypost-agent", options) { agent in
                let control = try await agent.value(after: "control")
                try await HTTPClient.withHTTPClient { http in
                    let fleet = try FleetWithJournals(http: http, sent: sent)
                    let journals = try await fleet.journals(Self.behavior, sampleSize: Self.sampleSize)
                    #expect(journals.count == Self.sampleSize)
                    let kinds = journals.joined().map(\.event.kind)
                    #expect(
                        Set(kinds) == [
                            .system(.deviceDescribed), .notification(.notificationDelivered),
                            .notification(.notificationOpened), .notification(.notificationDismissed),
                            .scene(.activationTaken),
                        ]
                    )
                    // Without a running app, the activation of a scene waits.
                    #expect(
                        kinds.count { $0 == .scene(.activationTaken) }
                            < kinds.count { $0 == .notification(.notificationOpened) }
                    )
                    let follower = FollowingAgent(
                        http: http,
                        sent: sent,
                        gateway: GatewayClient(http, service: service, courier: nil),
                        agent: AgentClient(http, control: control)
                    )
                    try await follower.repeatAll(of: journals)
                    for (device, journal) in journals.enumerated() {
                        try await follower.expectEqual(device, journal, retaining: Self.retainedCount)
                    }
                }
            }
        }
    }
}

/// A fleet that runs as a program with a gateway of its own, gets all notifications, and leaves journals.
private struct FleetWithJournals {
    private let http: HTTPClient
    private let sent: SentNotifications
    private let folder: ScratchFolder

    init(http: HTTPClient, sent: SentNotifications) throws {
        (self.http, self.sent, folder) = (http, sent, try ScratchFolder())
    }

    /// Runs the fleet, and returns the journals of its first devices.
    ///
    /// A journal determines the state of its device: only one function changes a device of a fleet, it adds each event
    /// to the journal, and `FleetAgentTests` compares devices with their journals.
    func journals(_ behavior: String, sampleSize: Int) async throws -> [[JournalEntry]] {
        let options = PipelineTests.freePorts + ["--store", "memory", "--redelivery", "1s"]
        return try await Program.whileRunning("waypost-gateway", options) { gateway in
            let service = try await gateway.value(after: "service")
            let client = GatewayClient(http, service: service, courier: nil)
            let report = try await run(behavior, sampleSize: sampleSize, service, client)
            #expect((report.lost, report.unreadable, report.discarded) == (0, 0, 0))
            #expect(report.crashes > 0 && report.lostAcknowledgements > 0 && report.duplicated > 0)
            let log = try await log(of: client)
            #expect(report.received >= log.count { $0.state == .acknowledged })
            #expect(log.contains { $0.state == .acknowledged && $0.expiration == 0 })
            let journals = try tokens().prefix(sampleSize).enumerated().map { device, token in
                let (journal, records) = (try journal(of: token), log.filter { $0.token == token })
                sent.expect(journal, of: device, matches: records)
                return (journal, attempts: records.reduce(0) { $0 + $1.attempts })
            }
            // The gateway sent each repetition; what a crashed device did not read makes up for the attempts that were
            // made while an acknowledgement was stored, which the log does not count.
            let arrivals = journals.reduce(0) { $0 + $1.0.count(where: \.event.isArrival) }
            #expect(arrivals <= journals.reduce(0) { $0 + $1.attempts })
            return journals.map(\.0)
        }.value
    }

    private func run(
        _ behavior: String,
        sampleSize: Int,
        _ service: String,
        _ client: GatewayClient
    ) async throws -> FleetReport {
        _ = try folder.write(try JSONEncoder().encode(SentNotifications.device), to: "device.json")
        let options = [
            "--gateway", service, "--behavior", try folder.write(Data(behavior.utf8), to: "behavior.yaml"),
            "--devices", "\(sent.items.count)", "--tokens", folder.path(of: "tokens.txt"),
            "--journals", folder.path(of: "journals"), "--sample", "\(sampleSize)", "--keep-registered",
            "--format", "json",
        ]
        // The report goes to a file, so that no line of progress or message stands in it.
        let file = folder.path(of: "report.json")
        let shell = ["-c", #"exec "$0" "$@" >\#(file)"#, BuiltPrograms.path(of: "waypost"), "fleet", "run"]
        let result = try await Program.whileRunning("sh", shell + options) { fleet in
            // The third round meets the storms, which drop every transient notification. The fourth comes after them: the
            // fleet writes the tokens before its first line of progress, and a line each second or later.
            var second = 0
            for (round, earliest) in [1, 2, 6, 9].enumerated() {
                var connected = 0
                while second < earliest || connected < sent.items.count / 2 {
                    let line = try #require(try await fleet.nextLine(), "\(fleet.printedLines.suffix(5))")
                    // Other lines are messages for people.
                    guard line.hasPrefix("{") else { continue }
                    connected = try progress(line).connected
                    second += 1
                }
                let receipt = try await client.send(try sent.lines(of: round, to: try tokens()))
                #expect(receipt.rejected == 0, "\(receipt.results)")
            }
            for _ in 0..<3 { _ = try await fleet.nextLine() }
        }
        let text = try Data(contentsOf: URL(filePath: file))
        try #require(!text.isEmpty, "status \(result.status): \(result.lines.suffix(5))")
        let report = try JSONDecoder().decode(FleetReport.self, from: text)
        #expect((result.status, report.unreached) == (0, 0), "\(result.lines.suffix(2))")
        return report
    }

    private func progress(_ line: String) throws -> Progress {
        try JSONDecoder().decode(Progress.self, from: Data(line.utf8))
    }

    private struct Progress: Decodable {
        let connected: Int
    }

    private func journal(of token: DeviceToken) throws -> [JournalEntry] {
        let text = try String(contentsOfFile: folder.path(of: "journals/\(token).jsonl"), encoding: .utf8)
        return try text.split(separator: "\n").map {
            try JSONDecoder().decode(JournalEntry.self, from: Data($0.utf8))
        }
    }

    private func tokens() throws -> [DeviceToken] {
        let text = try String(contentsOfFile: folder.path(of: "tokens.txt"), encoding: .utf8)
        return text.split(separator: "\n").map { DeviceToken(rawValue: String($0)) }
    }

    /// Returns the gateway's log.
    private func log(of client: GatewayClient) async throws -> [NotificationRecord] {
        var (filter, log) = (NotificationFilter(), [NotificationRecord]())
        (filter.afterSequence, filter.limit) = (0, 1_000)
        while true {
            let page = try await client.notifications(filter)
            log += page.notifications
            guard let next = page.next else { return log }
            filter.afterSequence = next
        }
    }
}

/// An agent whose devices receive what the devices of a fleet received.
private struct FollowingAgent: Sendable {
    let http: HTTPClient
    let sent: SentNotifications
    let gateway: GatewayClient
    let agent: AgentClient

    private var control: JSONCalls {
        JSONCalls(http, base: agent.url)
    }

    /// Repeats the journals of devices, each on a device of the agent, in the order of their times.
    func repeatAll(of journals: [[JournalEntry]]) async throws {
        var clock = try #require(journals.first?.first?.at)
        try await moveClock(to: clock)
        var description = SentNotifications.device
        description.name += " {n}"
        _ = try await agent.create(DeviceCreation(device: description, count: journals.count))
        let connected = try await agent.connectedDevices(atLeast: journals.count)
        let tokens = Dictionary(uniqueKeysWithValues: try connected.map { ($0.name, try #require($0.token)) })
        // The first entry describes the device.
        var remaining = journals.map { $0.dropFirst() }
        while let now = remaining.compactMap({ $0.first?.at }).min() {
            if now > clock { try await moveClock(to: now) }
            clock = now
            var arriving: [BatchItem] = []
            var actions: [Int: [DeviceEvent]] = [:]
            for device in remaining.indices {
                let events = remaining[device].prefix { $0.at == now }.map(\.event)
                let items = try sent.arrivals(events)
                let token = try #require(tokens[SentNotifications.name(of: device)])
                arriving += items.map { $0.addressed(to: token) }
                if items.isEmpty { actions[device] = Array(events.prefix { !$0.isArrival }) }
                remaining[device] = remaining[device].dropFirst(items.count + (actions[device]?.count ?? 0))
            }
            try await withThrowingDiscardingTaskGroup { [arriving] group in
                group.addTask { try await send(arriving) }
                for (device, events) in actions {
                    group.addTask { for event in events { try await perform(event, on: device) } }
                }
            }
        }
    }

    private func moveClock(to time: Timestamp) async throws {
        let _: ClockReading = try await control.post("/v1/clock/advance", ClockAdvance(to: time))
    }

    /// Sends notifications through the gateway, and waits until the agent has acknowledged them.
    private func send(_ items: [BatchItem]) async throws {
        guard !items.isEmpty else { return }
        let receipt = try await gateway.send(try SentNotifications.lines(items))
        let status = try await gateway.settledStatus(of: receipt.id, within: 40)
        try #require(status.states == [.acknowledged: items.count])
    }

    /// Does what a user of a device or a process of an app does.
    private func perform(_ event: DeviceEvent, on device: Int) async throws {
        let name = SentNotifications.name(of: device)
        switch event {
        case .notification(.notificationOpened(let id)): _ = try await agent.open(id, on: name)
        case .notification(.notificationDismissed(let id)):
            try await control.delete("/v1/devices/\(PercentEncoding.escaped(name))/notifications/\(id)")
        case .scene(.activationTaken(let app, let number)):
            let process = AppClient(http, try await agent.credential(of: app, on: name))
            let activation = try await activations(of: app, on: name).first { $0.number == number }
            try await process.take(try #require(activation))
        default: Issue.record("neither a user nor an app of a fleet does this: \(event)")
        }
    }

    private func activations(of app: BundleIdentifier, on name: String) async throws -> [SceneActivation] {
        try await control.get("/v1/devices/\(PercentEncoding.escaped(name))/apps/\(app)/activations")
    }

    /// Expects that a device equals the device of a fleet with a journal, and has the newest of its notifications.
    func expectEqual(_ device: Int, _ journal: [JournalEntry], retaining retainedCount: Int) async throws {
        let name = SentNotifications.name(of: device)
        var model = DeviceModel()
        for entry in journal { _ = model.apply(entry.event, at: entry.at) }
        let notifications = try await agent.notifications(of: name)
        #expect(notifications == model.notifications, "\(name)")
        #expect(try await agent.description(of: name) == model.description, "\(name)")
        #expect(try await agent.activities(on: name, atLeast: 0) == model.offeredActivities, "\(name)")
        for app in model.appIdentifiers {
            #expect(try await activations(of: app, on: name) == model.activations(of: app), "\(name)")
        }
        // With the payloads of all notifications, even of those that are not on the device any more.
        let entries = try await agent.wholeJournal(of: name).map(\.withoutTokenAndSequence)
        #expect(entries == journal.map(\.withoutTokenAndSequence), "\(name)")
        // The users dismiss the older ones.
        #expect(notifications.map(\.id) == sent.visibleNotifications(in: journal).suffix(retainedCount), "\(name)")
    }
}

extension JournalEntry {
    /// The entry without the token and the sequence of a notification, which differ for each device.
    fileprivate var withoutTokenAndSequence: Self {
        guard case .notification(.notificationDelivered(var notification)) = event else { return self }
        (notification.token, notification.sequence) = ("", 0)
        return JournalEntry(at: at, event: .notification(.notificationDelivered(notification)))
    }
}
