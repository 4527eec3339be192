import DeviceModel
import GatewayClient
import Testing
import WaypostSchema

@testable import Fleets

@Suite struct FleetAgentTests {
    private static let second = 1_000_000

    private static func agent(
        _ change: (inout FleetGroup) -> Void = { _ in },
        maximumNotifications: Int = 20,
        seed: Int = 1
    ) -> FleetAgentStateMachine {
        var group = FleetGroup()
        change(&group)
        let device = FleetDevice(.example, token: "a1", isRecorded: true, at: start)
        return FleetAgentStateMachine(
            [device],
            group,
            maximumNotifications: maximumNotifications,
            random: SeededRandom(seed: seed),
            startTime: start
        )
    }

    /// Returns an agent whose stream is open.
    private static func connected(
        maximumNotifications: Int = 20,
        seed: Int = 1,
        _ change: (inout FleetGroup) -> Void
    ) -> FleetAgentStateMachine {
        var agent = agent(change, maximumNotifications: maximumNotifications, seed: seed)
        agent.begin(at: 0)
        _ = agent.advance(to: 0)
        agent.recordConnection(at: 0)
        return agent
    }

    private static let start = Timestamp(milliseconds: 2_000_000_000_000)

    private static func notification(_ number: Int) -> DeliveredNotification {
        DeliveredNotification(
            sequence: number,
            id: NotificationID(rawValue: "n\(number)"),
            token: "a1",
            topic: "com.example.clowntown",
            pushType: .alert,
            priority: 10,
            payload: .object([
                "aps": .object([
                    "alert": .string("Honk \(number)"),
                    "target-content-id": .string("https://clowntown.example/crusty"),
                ])
            ])
        )
    }

    /// Lets a notification arrive.
    private static func take(
        _ number: Int,
        at now: Int,
        _ agent: inout FleetAgentStateMachine
    ) throws -> (arrival: FleetAgentStateMachine.Arrival, isFirst: Bool, actions: [FleetAgentStateMachine.Action]) {
        let taken = agent.receive(notification(number), at: now)
        return try #require(taken)
    }

    /// The sequences that actions acknowledge.
    private static func acknowledged(_ actions: [FleetAgentStateMachine.Action]) -> [Int] {
        actions.flatMap { action -> [Int] in
            guard case .acknowledge(let arrivals) = action else { return [] }
            return arrivals.map(\.sequence)
        }
    }

    @Test func connectsAtTheBeginning() {
        var agent = Self.agent()
        agent.begin(at: 5)
        #expect(agent.nextDeadline == 5)
        #expect(agent.advance(to: 5) == [.connect])
        #expect(agent.nextDeadline == nil)
    }

    @Test func acknowledgesAtOnceUnlessTheGroupWaits() throws {
        var prompt = Self.connected { _ in }
        #expect(
            Self.acknowledged(try Self.take(1, at: 7, &prompt).actions) == [1]
        )

        var late = Self.connected { $0.minimumAcknowledgementDelay = 50 }
        #expect(try Self.take(1, at: 7, &late).actions == [])
        #expect(try Self.take(2, at: 7, &late).actions == [])
        #expect(late.nextDeadline == 57)
        #expect(late.advance(to: 56) == [])
        #expect(Self.acknowledged(late.advance(to: 57)) == [1, 2])
    }

    @Test func acknowledgementThatVariesIsWithinItsLimits() throws {
        for seed in 1...200 {
            var agent = Self.connected(seed: seed) {
                ($0.minimumAcknowledgementDelay, $0.maximumAcknowledgementDelay) = (100, 200)
            }
            _ = agent.receive(Self.notification(1), at: 0)
            #expect((100..<200).contains(try #require(agent.nextDeadline)))
        }
    }

    @Test func lostAcknowledgementIsCountedAndNeverSent() throws {
        var agent = Self.connected { $0.acknowledgementLoss = 1 }
        #expect(try Self.take(1, at: 0, &agent).actions == [])
        #expect(agent.nextDeadline == nil)
        #expect(agent.takeCounts().lostAcknowledgements == 1)
    }

    @Test func notificationThatIsNotStoredIsAcknowledgedToo() throws {
        var agent = Self.connected { _ in }
        var transient = Self.notification(1)
        transient.expiration = 0
        let taken = agent.receive(transient, at: 0)
        #expect(Self.acknowledged(try #require(taken).actions) == [1])
    }

    @Test func crashLosesWhatWasNotAcknowledgedAndRestarts() throws {
        var agent = Self.connected {
            $0.minimumAcknowledgementDelay = 10 * Self.second
            ($0.crashProbability, $0.restartDelay) = (1, 300)
        }
        #expect(try Self.take(1, at: 0, &agent).actions == [.disconnect])
        #expect(agent.nextDeadline == 300)
        #expect(agent.advance(to: 300) == [.connect])
        #expect(agent.nextDeadline == nil)
        #expect(agent.takeCounts().crashes == 1)
    }

    @Test func repetitionIsCountedAndAcknowledgedAgain() throws {
        var agent = Self.connected { _ in }
        _ = agent.receive(Self.notification(1), at: 0)
        let again = try Self.take(1, at: 1, &agent)
        #expect(!again.isFirst)
        #expect(Self.acknowledged(again.actions) == [1])
        let counts = agent.takeCounts()
        #expect((counts.received, counts.duplicated) == (1, 1))
        #expect(agent.takeCounts() == FleetCounts())
    }

    @Test func notificationForAnotherTokenIsTakenByNobody() {
        var agent = Self.connected { _ in }
        var notification = Self.notification(1)
        notification.token = "b2"
        #expect(agent.receive(notification, at: 0) == nil)
    }

    @Test func periodsWithoutANetworkComeAgainAndAgain() throws {
        var agent = Self.connected { $0.offlinePeriods = FleetGroup.Period(interval: 100, length: 20) }
        let first = try #require(agent.nextDeadline)
        #expect((0..<100).contains(first))
        for round in 0..<3 {
            let begin = first + 100 * round
            #expect(agent.advance(to: begin) == [.disconnect])
            #expect(agent.advance(to: begin + 20) == [.connect])
            agent.recordConnection(at: begin + 20)
        }
    }

    @Test func silentDeviceLeavesItsStreamOpenAndOpensAnother() throws {
        var agent = Self.connected { $0.link.silentPeriods = FleetGroup.Period(interval: 100, length: 20) }
        let begin = try #require(agent.nextDeadline)
        #expect(agent.advance(to: begin) == [.stopReading])
        // Whatever happens to the old stream, the device does not notice.
        agent.recordInterruption(isReplaced: true, at: begin + 1)
        #expect(agent.advance(to: begin + 20) == [.connect])
    }

    @Test func interruptedStreamIsOpenedAgainAfterAWaitThatGrows() throws {
        var agent = Self.agent()
        agent.begin(at: 0)
        var waits: [Int] = []
        for _ in 0..<6 {
            let now = try #require(agent.nextDeadline)
            #expect(agent.advance(to: now) == [.connect])
            agent.recordInterruption(isReplaced: false, at: now)
            waits.append(try #require(agent.nextDeadline) - now)
        }
        #expect((50_000...100_000).contains(waits[0]))
        #expect((1_600_000...3_200_000).contains(waits[5]))
        #expect(agent.takeCounts().interruptions == 6)
    }

    @Test func credentialIsReachedOnce() {
        var agent = Self.connected { _ in }
        agent.recordInterruption(isReplaced: false, at: 1)
        _ = agent.advance(to: Self.second)
        agent.recordConnection(at: Self.second)
        let counts = agent.takeCounts()
        #expect((counts.connections, counts.everConnected, counts.interruptions) == (2, 1, 1))
    }

    @Test func replacedStreamWaitsLongest() throws {
        var agent = Self.connected { _ in }
        agent.recordInterruption(isReplaced: true, at: 0)
        #expect(agent.nextDeadline == 10 * Self.second)
    }

    @Test func stormDisconnectsAndSpreadsTheNewConnections() throws {
        var agent = Self.connected { _ in }
        #expect(agent.joinStorm(spread: 500, at: 1_000) == [.disconnect])
        #expect((1_000..<1_500).contains(try #require(agent.nextDeadline)))
    }

    @Test func stormDoesNotConnectADeviceWithoutANetwork() throws {
        var agent = Self.connected { $0.offlinePeriods = FleetGroup.Period(interval: 100, length: 50) }
        let begin = try #require(agent.nextDeadline)
        #expect(agent.advance(to: begin) == [.disconnect])
        #expect(agent.joinStorm(spread: 1, at: begin + 10) == [])
        #expect(agent.advance(to: begin + 49) == [])
        #expect(agent.advance(to: begin + 50) == [.connect])
    }

    @Test func crashedDeviceStaysSoIfItsNetworkEndsMeanwhile() throws {
        var agent = Self.connected {
            ($0.crashProbability, $0.restartDelay) = (1, 1_000)
            $0.offlinePeriods = FleetGroup.Period(interval: 100, length: 5)
        }
        #expect(try Self.take(1, at: 0, &agent).actions == [.disconnect])
        #expect(agent.advance(to: 999) == [])
        #expect(agent.advance(to: 1_000) == [.connect])
    }

    @Test func openedNotificationActivatesTheSceneOfItsContent() throws {
        var agent = Self.connected { ($0.openProbability, $0.openDelay) = (1, 100) }
        _ = agent.receive(Self.notification(1), at: 0)
        _ = agent.advance(to: 100)
        #expect(agent.takeCounts().opened == 1)
        let device = try #require(agent.devices.first)
        #expect(device.model.notifications.first?.openedAt != nil)
        #expect(device.model.activations(of: "com.example.clowntown").isEmpty)
    }

    @Test func activationsWaitIfNoProcessOfTheAppRuns() throws {
        var agent = Self.connected { ($0.openProbability, $0.isAppRunning) = (1, false) }
        _ = agent.receive(Self.notification(1), at: 0)
        _ = agent.advance(to: 0)
        #expect(agent.devices.first?.model.activations(of: "com.example.clowntown").count == 1)
    }

    @Test func journalDoesNotGoBackInTimeIfAnOpeningIsLate() throws {
        var agent = Self.connected { ($0.openProbability, $0.openDelay) = (1, Self.second) }
        _ = agent.receive(Self.notification(1), at: 0)
        _ = agent.receive(Self.notification(2), at: 2 * Self.second)
        _ = agent.advance(to: 4 * Self.second)
        let times = try #require(agent.devices.first?.journal).map(\.at)
        #expect(times.count > 3 && times == times.sorted())
    }

    @Test func onlyTheNewestNotificationsStayOnTheDevice() {
        var agent = Self.connected(maximumNotifications: 3) { _ in }
        for number in 1...10 { _ = agent.receive(Self.notification(number), at: number) }
        #expect(agent.devices.first?.model.notifications.map(\.id) == ["n8", "n9", "n10"])
        #expect(agent.devices.first?.model.hasReceived("n1") == true)
    }

    /// Lets an agent of a wild group take 200 notifications, and returns what it did and the agent.
    private static func story(seed: Int) -> (actions: [FleetAgentStateMachine.Action], agent: FleetAgentStateMachine) {
        var agent = connected(seed: seed) { group in
            (group.minimumAcknowledgementDelay, group.maximumAcknowledgementDelay) = (10, 5_000)
            group.acknowledgementLoss = 0.1
            (group.crashProbability, group.restartDelay) = (0.05, 700)
            (group.openProbability, group.openDelay) = (0.3, 900)
            group.offlinePeriods = FleetGroup.Period(interval: 20_000, length: 3_000)
        }
        var actions: [FleetAgentStateMachine.Action] = []
        for number in 1...200 {
            let now = number * 1_000
            let due = agent.advance(to: now)
            if due.contains(.connect) { agent.recordConnection(at: now) }
            actions += due
            actions += agent.receive(notification(number % 150), at: now)?.actions ?? []
        }
        return (actions, agent)
    }

    @Test(arguments: 1...50) func sameSeedDecidesTheSame(_ seed: Int) {
        let (first, second) = (Self.story(seed: seed), Self.story(seed: seed))
        #expect(first.actions == second.actions)
        #expect(first.actions != Self.story(seed: seed + 1_000).actions)
    }

    @Test(arguments: 1...50) func deviceIsWhatItsJournalSays(_ seed: Int) throws {
        let device = try #require(Self.story(seed: seed).agent.devices.first)
        var replayed = DeviceModel()
        for entry in try #require(device.journal) { _ = replayed.apply(entry.event, at: entry.at) }
        #expect(replayed.notifications == device.model.notifications)
        #expect(replayed.description == device.model.description)
        #expect(device.model.notifications.count == 20)
    }
}

extension DeviceDescription {
    /// A device with the app of the notifications.
    static let example = DeviceDescription(
        name: "device 1",
        apps: [
            AppDescription(
                bundleIdentifier: "com.example.clowntown",
                scenes: [SceneSession(persistentIdentifier: "overview", state: .foregroundActive)]
            )
        ]
    )
}
