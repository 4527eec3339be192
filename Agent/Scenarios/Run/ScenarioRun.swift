internal import AsyncHTTPClient
internal import Foundation
internal import GatewayClient
internal import LocalProcesses
internal import PushRules
internal import TextReports
internal import WaypostSchema

/// One run of a scenario: it performs the steps in order, and checks what they expect.
final class ScenarioRun {
    /// A notification that the scenario sent.
    struct SentNotification: Sendable {
        var id: NotificationID
        var device: String
        var title: String
    }

    let http: HTTPClient
    let supervisor: ProcessSupervisor
    let groups: ProcessGroups
    var environment: ScenarioEnvironment
    var now: Timestamp

    private var identifiers: SeededIdentifiers
    private var isGatewayRunning = true
    private var deviceStates: [String: DeviceState] = [:]

    /// The number of commands that were run.
    var commandCount = 0

    /// All notifications that the scenario sent.
    var sentNotifications: [SentNotification] = []

    /// The notifications that the latest step sent.
    var latestNotifications: [SentNotification] = []
    private(set) var channels: [String: ChannelID] = [:]

    /// The devices that the scenario subscribed to each channel.
    var subscribers: [String: [String]] = [:]

    private var forbiddenEvents: [ForbiddenEvent] = []

    /// The maximum time between two acknowledgements of a connected device that has not acknowledged everything.
    private static let acknowledgementTimeout = Duration.seconds(10)

    /// The scenario, with its devices.
    var scenario: Scenario {
        environment.scenario
    }

    /// The names of the devices, their scenes, and the apps that they have or that the run removed.
    var names: ScenarioNames {
        var names = ScenarioNames(scenario.devices)
        let removedApps = deviceStates.values.flatMap { $0.removedApps.keys.map(\.rawValue) }
        names.apps = Set(names.apps + removedApps).sorted()
        return names
    }

    /// Begins a run with processes that are ready.
    init(
        _ environment: ScenarioEnvironment,
        _ supervisor: ProcessSupervisor,
        groups: ProcessGroups,
        http: HTTPClient
    ) {
        self.groups = groups
        self.environment = environment
        self.supervisor = supervisor
        self.http = http
        now = environment.startTime
        identifiers = SeededIdentifiers(seed: environment.scenario.seed)
        for device in environment.scenario.devices {
            for name in device.names {
                self[name].isLowPowerModeEnabled = device.description.lowPowerMode
                self[name].recordTokens(in: device.description)
                for contact in device.description.contacts ?? [] { self[name].add(contact) }
            }
        }
    }

    /// Turns Airplane Mode on for the devices whose descriptions say so.
    func applyInitialAirplaneMode() async throws {
        for device in scenario.devices where device.description.airplaneMode {
            for name in device.names { _ = try await setNetwork(of: name, isOn: false) }
        }
    }

    /// The state of a device.
    subscript(device: String) -> DeviceState {
        get { deviceStates[device] ?? DeviceState() }
        set { deviceStates[device] = newValue }
    }

    private var offlineDevices: Set<String> {
        Set(deviceStates.filter(\.value.isOffline).keys)
    }

    /// Updates the contacts, Airplane Mode and Low Power Mode of a device after changes that no step made.
    func updateState(of device: String, from description: DeviceDescription) {
        for contact in description.contacts ?? [] { self[device].add(contact) }
        self[device].isOffline = description.airplaneMode
        self[device].isLowPowerModeEnabled = description.lowPowerMode
        self[device].recordTokens(in: description)
    }

    /// Resets a device to a snapshot, or to its description.
    func reset(_ device: String, to snapshot: String?) async throws {
        let agent = try environment.agent(of: device)
        try await agent.reset(device, to: snapshot)
        if snapshot == nil { try await environment.completeAfterReset(device) }
        try await readState(of: device)
    }

    /// Reads the state of a device that was restored, and waits until it has everything.
    func readState(of device: String) async throws {
        let agent = try environment.agent(of: device)
        updateState(of: device, from: try await agent.description(of: device))
        self[device].messages = try await agent.messages(on: device, atLeast: 0)
        self[device].presentedConversation = nil
        self[device].menu = nil
        markAsUnsettled([device])
        try await settle()
    }

    /// Performs a step, and checks what it expects.
    ///
    /// - Returns: the answer of its action.
    /// - Throws: `StepFailure`, or the error of a process.
    func perform(_ step: Step) async throws -> StepAnswer {
        do {
            let actionAnswer = try await step.action.mapAsync { try await perform($0, expecting: step.expectation) }
            var answer = actionAnswer ?? StepAnswer()
            if let expectation = step.expectation {
                if expectation.isAboutCallbacks { answer.callbacks = try await callbacks(of: answer) }
                try await check(expectation, of: step, answer)
            }
            return answer
        } catch let error as StepFailure {
            throw error
        } catch {
            // Calls throw other errors when the run is canceled.
            try Task.checkCancellation()
            throw StepFailure(DecodingError.sentence(of: error))
        }
    }

    /// Waits until everything has arrived, and checks what must never have happened.
    ///
    /// - Returns: the failure and the step that forbids the event; `nil` if nothing forbidden happened.
    func finish() async throws -> (Step, StepFailure)? {
        markAllAsUnsettled()
        try await settle()
        for event in forbiddenEvents {
            if let failure = try await violation(of: event) { return (event.step, failure) }
        }
        return nil
    }

    /// Records something that must not happen after a step.
    func forbid(_ criteria: EventCriteria, after step: Step, device: String, app: BundleIdentifier?) async throws {
        let length = try await environment.agent(of: device).journalLength(of: device)
        forbiddenEvents.append(
            ForbiddenEvent(step: step, device: device, app: app, criteria: criteria, journalLengthAtStep: length)
        )
    }

    /// The virtual time since the start, in milliseconds.
    var elapsedMilliseconds: Int {
        now.rawValue - environment.startTime.rawValue
    }
}

extension Optional {
    /// Returns the result of `transform`, or `nil` if there is no value.
    fileprivate func mapAsync<Result>(_ transform: (Wrapped) async throws -> Result) async rethrows -> Result? {
        guard let value = self else { return nil }
        return try await transform(value)
    }
}

// MARK: - Delivery

extension ScenarioRun {
    /// Records that something was sent to devices.
    func markAsUnsettled(_ devices: some Sequence<String>) {
        for device in devices { self[device].isUnsettled = true }
    }

    /// Records that something may have been sent to all devices.
    func markAllAsUnsettled() {
        markAsUnsettled(scenario.deviceNames)
    }

    /// Returns the next generated identifier.
    func nextIdentifier() -> NotificationID {
        identifiers.next()
    }

    /// Waits until every connected device has acknowledged what was sent to it.
    ///
    /// - Throws: `StepFailure` that names the notification, with its log.
    func settle() async throws {
        guard isGatewayRunning else { return }
        for device in scenario.deviceNames where self[device].isUnsettled && isReachable(device) {
            for token in try await currentTokens(of: device) { try await settle(device, token) }
            self[device].isUnsettled = self[device].isLowPowerModeEnabled
        }
    }

    /// Returns whether a device is connected to the gateway.
    func isReachable(_ device: String) -> Bool {
        isGatewayRunning && !self[device].isOffline && environment.isRunning(device)
    }

    private func settle(_ device: String, _ token: DeviceToken) async throws {
        var filter = NotificationFilter()
        filter.token = token
        filter.states = [.accepted, .stored, .sent]
        let isLowPowerModeEnabled = self[device].isLowPowerModeEnabled
        var unacknowledged: [NotificationRecord] = []
        var previous: [NotificationRecord]
        repeat {
            previous = unacknowledged
            // Each change restarts the time-out, so a slow device does not fail the step.
            _ = try await ProcessWait.forValue(within: Self.acknowledgementTimeout) {
                unacknowledged = try await loggedNotifications(filter, maximumPageCount: 1).filter {
                    !isLowPowerModeEnabled || ($0.priority ?? 10) == 10
                }
                return unacknowledged.map(\.sequence) != previous.map(\.sequence) || unacknowledged.isEmpty ? () : nil
            }
        } while !unacknowledged.isEmpty && unacknowledged.map(\.sequence) != previous.map(\.sequence)
        guard let first = unacknowledged.min(by: { $0.sequence < $1.sequence }) else { return }
        let title = title(of: first.id)
        throw StepFailure(
            "\(device) is connected, but did not acknowledge '\(title)'"
                + (unacknowledged.count == 1 ? "" : " and \(unacknowledged.count - 1) other notifications"),
            explanation: "The gateway's log of '\(title)':\n" + Self.log(of: first)
        )
    }

    /// Returns the title of a notification that the scenario sent, or else its identifier.
    func title(of id: NotificationID?) -> String {
        sentNotifications.first { $0.id == id }?.title ?? id?.rawValue ?? "a notification"
    }
}

// MARK: - Processes and the clock

extension ScenarioRun {
    /// Kills the gateway or the agent of a device.
    func kill(_ process: String) async throws {
        if process == "gateway" {
            try await environment.endGateway(.kill)
            isGatewayRunning = false
            return
        }
        let names = environment.names(inAgentOf: process)
        for name in names { try await appTokens(of: name) }
        try await endApps(on: names)
        let sessionCount = try await openSessionCount()
        let closedSessionCount = environment.isRunning(process) ? names.count { !self[$0].isOffline } : 0
        try await environment.endAgent(of: process, .kill)
        try await waitForSessions(atMost: sessionCount - closedSessionCount)
    }

    /// Starts the gateway or the agent of a device again.
    ///
    /// - Returns: an answer that says if APNs would have delivered less to the devices of an agent.
    func restart(_ process: String) async throws -> StepAnswer {
        var answer = StepAnswer()
        if process == "gateway" {
            try await environment.endGateway(.terminate)
            try await environment.startGateway()
            isGatewayRunning = true
            for device in scenario.devices where environment.isRunning(device.key) {
                try await environment.waitUntilConnected(device.key, except: offlineDevices)
            }
            markAllAsUnsettled()
        } else {
            try await endApps(on: environment.names(inAgentOf: process))
            try await environment.endAgent(of: process, .terminate)
            let devices = environment.names(inAgentOf: process).filter { !offlineDevices.contains($0) }
            answer.warning = try await noticeOfWaiting(devices)
            try await environment.startAgent(of: process)
            try await environment.waitUntilConnected(process, except: offlineDevices)
            markAsUnsettled(environment.names(inAgentOf: process))
        }
        try await settle()
        return answer
    }

    /// Ends the processes of apps on devices, before the agent that they use ends.
    private func endApps(on devices: [String]) async throws {
        for device in devices {
            for process in self[device].appProcesses.values { try await process.end(.kill) }
            self[device].appProcesses = [:]
        }
    }

    /// Turns Airplane Mode on or off, and waits until the gateway has noticed it.
    ///
    /// - Returns: an answer that says if APNs would have delivered less to a device that is online again.
    func setNetwork(of device: String, isOn: Bool) async throws -> StepAnswer {
        var answer = StepAnswer()
        if isOn { answer.warning = try await noticeOfWaiting([device]) }
        let sessionCount = try await openSessionCount()
        let wasOffline = self[device].isOffline
        try await apply(.setting(.airplaneModeSet(isOn: !isOn)), to: device)
        if isOn {
            try await environment.waitUntilConnected(device, except: offlineDevices)
            markAsUnsettled([device])
            try await settle()
        } else if !wasOffline {
            try await waitForSessions(atMost: sessionCount - 1)
        }
        return answer
    }

    /// Returns a sentence about the notifications that wait for devices and that APNs would not keep; `nil` for none.
    private func noticeOfWaiting(_ devices: some Sequence<String>) async throws -> String? {
        guard isGatewayRunning else { return nil }
        var replaced: [NotificationRecord] = []
        for device in devices {
            for token in try await currentTokens(of: device) {
                var filter = NotificationFilter()
                filter.token = token
                filter.states = [.stored]
                replaced += NewestNotification.replaced(
                    amongWaiting: try await loggedNotifications(filter, maximumPageCount: .max)
                )
            }
        }
        return replaced.first?.topic.map { NewestNotification.notice(count: replaced.count, topic: $0) }
    }

    /// Turns Low Power Mode on or off, and waits until the gateway has noticed it.
    func setLowPowerMode(of device: String, isOn: Bool) async throws {
        try await apply(.setting(.lowPowerModeSet(isOn: isOn)), to: device)
        guard isReachable(device) else { return }
        for token in try await currentTokens(of: device) {
            try await ProcessWait.untilTrue(orFailWith: "the gateway did not receive the power mode of \(device)") {
                try await environment.gateway.device(token).powerConstrained == isOn
            }
        }
        markAsUnsettled([device])
        try await settle()
    }

    /// Returns the number of open event streams of the gateway.
    private func openSessionCount() async throws -> Int {
        guard isGatewayRunning else { return 0 }
        let metrics = MetricsDigest(try await environment.service.getString("/metrics"))
        return metrics.series.first { $0.name == "waypost_sessions_open" }.map { Int($0.value) } ?? 0
    }

    /// Waits until the gateway has closed streams; other clients may open some meanwhile.
    private func waitForSessions(atMost maximumCount: Int) async throws {
        guard isGatewayRunning, maximumCount >= 0 else { return }
        _ = try await ProcessWait.forValue(within: .seconds(2)) {
            try await openSessionCount() <= maximumCount ? () : nil
        }
    }

    /// Moves the clock of the gateway and of all devices.
    func advance(by milliseconds: Int) async throws {
        try await settle()
        guard environment.hasManualClock else {
            throw StepFailure(
                "the clock of the gateway is the machine's; start the gateway with '--clock manual', or use "
                    + "'scenario run --own-gateway'"
            )
        }
        now = try await environment.gateway.advanceClock(ClockAdvance(by: milliseconds)).now
    }

    /// Applies an event to a device.
    ///
    /// - Throws: `StepFailure` if it changes nothing.
    @discardableResult
    func apply(_ event: DeviceEvent, to device: String) async throws -> DeviceReaction {
        let reaction = try await environment.agent(of: device).apply(event, to: device)
        self[device].record(event)
        for effect in reaction.effects {
            if let refusal = effect.refusal {
                throw StepFailure("nothing happened: \(refusal.explanation)", ignoredReason: refusal.reason)
            }
            self[device].record(effect)
        }
        return reaction
    }

    /// Returns the identifier of a channel, which its first use creates.
    func findOrCreateChannel(for subscription: Subscription) async throws -> ChannelID {
        if let id = channels[subscription.channel] { return id }
        let client = try providerClient(http, environment.urls.providerPlaintext)
        let answer = try await client.createChannel(of: subscription.topic, storesMessages: subscription.stored ?? true)
        guard let id = answer.channel else {
            throw StepFailure(
                "the gateway did not create the channel: \(answer.reason?.rawValue ?? "\(answer.status)")"
            )
        }
        channels[subscription.channel] = id
        return id
    }

    /// Returns the identifier of a channel that exists.
    func channel(named name: String) throws(StepFailure) -> ChannelID {
        guard let id = channels[name] else {
            throw StepFailure("there is no channel '\(name)' yet; a step 'subscribe' creates it")
        }
        return id
    }

    /// Returns a client of the provider API.
    func providerClient(_ http: HTTPClient, _ url: String?) throws(StepFailure) -> ProviderClient {
        guard let url else {
            throw StepFailure("the gateway has no provider listener, or none with TLS")
        }
        return ProviderClient(http, url: url, namespace: environment.namespace)
    }
}
