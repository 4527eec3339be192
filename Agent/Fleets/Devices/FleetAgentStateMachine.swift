internal import GatewayClient
internal import HeapModule
internal import WaypostSchema

/// The decisions of an agent of a fleet, which has one credential: when it connects and disconnects, and when its
/// devices acknowledge notifications, open them and crash.
///
/// All times are microseconds since the start of the fleet. After each call, `nextDeadline` is the time of the next
/// `advance`. The same seed and the same arrivals give the same decisions.
struct FleetAgentStateMachine {
    /// A notification that arrived.
    struct Arrival: Equatable {
        /// The index of the device in `devices`.
        var device: Int

        var id: NotificationID
        var sequence: Int

        /// The time of its arrival.
        var at: Int
    }

    /// An action for the caller to perform.
    enum Action: Equatable {
        /// Open a stream. The old stream is abandoned without notifying the gateway.
        case connect

        /// Close the stream.
        case disconnect

        /// Read nothing more from the stream, and leave it open.
        case stopReading

        case acknowledge([Arrival])
    }

    private enum Step {
        case connect
        case goOffline
        case goSilent
        case acknowledge(Arrival)
        case open(NotificationID, device: Int)
    }

    /// A step with its time; steps for the same time are in the order in which they were planned.
    private struct PlannedStep: Comparable {
        let time: Int
        let number: Int
        let step: Step

        static func == (first: Self, second: Self) -> Bool {
            first.number == second.number
        }

        static func < (first: Self, second: Self) -> Bool {
            (first.time, first.number) < (second.time, second.number)
        }
    }

    private enum State {
        case offline
        case connecting
        case connected

        /// The stream is open, but the device does not respond.
        case silent
    }

    private let group: FleetGroup
    private let maximumNotifications: Int
    private let startTime: Timestamp
    private var random: SeededRandom
    private var backoff = RetryBackoff()
    private var state = State.offline
    private var hasConnected = false
    private(set) var devices: [FleetDevice]
    private let deviceIndices: [DeviceToken: Int]

    /// The counts since the last call of `takeCounts`.
    private var counts = FleetCounts()

    private var plannedSteps = Heap<PlannedStep>()

    /// The number of steps that were ever planned.
    private var plannedStepCount = 0

    /// The time of the planned connection, if there is one.
    private var plannedConnectionTime: Int?

    init(
        _ devices: [FleetDevice],
        _ group: FleetGroup,
        maximumNotifications: Int,
        random: SeededRandom,
        startTime: Timestamp
    ) {
        self.devices = devices
        deviceIndices = Dictionary(devices.enumerated().map { ($1.token, $0) }) { first, _ in first }
        self.group = group
        self.maximumNotifications = maximumNotifications
        self.random = random
        self.startTime = startTime
    }

    /// The link of the stream.
    var link: FleetGroup.Link {
        group.link
    }

    /// The time of the next `advance`.
    var nextDeadline: Int? {
        plannedSteps.min?.time
    }

    /// Returns the counts since the last call.
    mutating func takeCounts() -> FleetCounts {
        defer { counts = FleetCounts() }
        return counts
    }

    /// Begins: the first connection is due, and the first period of each kind is planned.
    mutating func begin(at now: Int) {
        plan(.connect, at: now)
        if let offlinePeriods = group.offlinePeriods {
            plan(.goOffline, at: now + randomTime(before: offlinePeriods.interval))
        }
        if let silentPeriods = group.link.silentPeriods {
            plan(.goSilent, at: now + randomTime(before: silentPeriods.interval))
        }
    }

    /// Returns what is due.
    mutating func advance(to now: Int) -> [Action] {
        var actions: [Action] = []
        var arrivals: [Arrival] = []
        while let next = plannedSteps.min, next.time <= now {
            plannedSteps.removeMin()
            switch next.step {
            case .connect:
                plannedConnectionTime = nil
                guard state == .offline || state == .silent else { break }
                state = .connecting
                actions.append(.connect)
            case .goOffline:
                guard let offlinePeriods = group.offlinePeriods else { break }
                actions += disconnect(until: next.time + offlinePeriods.length)
                plan(.goOffline, at: next.time + max(offlinePeriods.interval, offlinePeriods.length))
            case .goSilent:
                guard let silentPeriods = group.link.silentPeriods else { break }
                plan(.goSilent, at: next.time + max(silentPeriods.interval, silentPeriods.length))
                guard state == .connected else { break }
                state = .silent
                removeAcknowledgements()
                actions.append(.stopReading)
                plan(.connect, at: next.time + silentPeriods.length)
            case .acknowledge(let arrival): arrivals.append(arrival)
            case .open(let id, let device):
                // An event that arrived after the planned time may be applied already.
                if devices[device].open(id, isAppRunning: group.isAppRunning, at: wallTime(now)) {
                    counts.opened += 1
                }
            }
        }
        if !arrivals.isEmpty { actions.append(.acknowledge(arrivals)) }
        return actions
    }

    /// Records that the stream is open.
    mutating func recordConnection(at now: Int) {
        guard state == .connecting else { return }
        state = .connected
        counts.connections += 1
        if !hasConnected { counts.everConnected += 1 }
        hasConnected = true
    }

    /// Records that the stream ended, or could not be opened; the next attempt is planned.
    ///
    /// - Parameters:
    ///   - isReplaced: whether another stream with the same credential is the reason.
    ///   - now: the time.
    mutating func recordInterruption(isReplaced: Bool, at now: Int) {
        guard state == .connecting || state == .connected else { return }
        if state == .connected { backoff.recordSuccess() }
        state = .offline
        counts.interruptions += 1
        let wait = isReplaced ? RetryBackoff.maximum : backoff.recordFailure(random: random.nextShare())
        plan(.connect, at: now + wait.microseconds)
    }

    /// Disconnects at once, and connects again within `spread`; a device without a connection has none to lose.
    mutating func joinStorm(spread: Int, at now: Int) -> [Action] {
        guard state == .connecting || state == .connected else { return [] }
        return disconnect(until: now + randomTime(before: spread))
    }

    /// Applies a notification to its device, and plans what follows.
    ///
    /// A notification that the gateway does not store is acknowledged too: the gateway limits what is unacknowledged.
    ///
    /// - Parameters:
    ///   - notification: the notification.
    ///   - now: the time.
    /// - Returns: whether it arrived for the first time, or `nil` if no device takes it; and what to do at once.
    mutating func receive(
        _ notification: DeliveredNotification,
        at now: Int
    ) -> (arrival: Arrival, isFirst: Bool, actions: [Action])? {
        guard let device = deviceIndices[notification.token] else { return nil }
        let arrival = Arrival(device: device, id: notification.id, sequence: notification.sequence, at: now)
        let result = devices[device].receive(notification, keeping: maximumNotifications, at: wallTime(now))
        switch result {
        case .first: counts.received += 1
        case .repeated: counts.duplicated += 1
        case .discarded: counts.discarded += 1
        }
        if result == .first, random.nextBool(probability: group.openProbability) {
            plan(.open(notification.id, device: device), at: now + group.openDelay)
        }
        if random.nextBool(probability: group.crashProbability) {
            counts.crashes += 1
            return (arrival, result == .first, disconnect(until: now + group.restartDelay))
        }
        return (arrival, result == .first, acknowledge(arrival, at: now))
    }

    /// Records that acknowledged notifications left the inbox.
    mutating func recordAcknowledgements(_ count: Int) {
        counts.acknowledged += count
    }

    /// Records an event of the stream that cannot be read.
    mutating func recordUnreadableEvent() {
        counts.unreadable += 1
    }
}

extension FleetAgentStateMachine {
    private mutating func acknowledge(_ arrival: Arrival, at now: Int) -> [Action] {
        if random.nextBool(probability: group.acknowledgementLoss) {
            counts.lostAcknowledgements += 1
            return []
        }
        let range = group.maximumAcknowledgementDelay - group.minimumAcknowledgementDelay
        let delay = group.minimumAcknowledgementDelay + (range > 0 ? randomTime(before: range) : 0) + group.link.delay
        guard delay > 0 else { return [.acknowledge([arrival])] }
        plan(.acknowledge(arrival), at: now + delay)
        return []
    }

    /// Closes the stream until a time; acknowledgements that were not sent are never sent.
    ///
    /// A device that is already without a network for a longer time stays so.
    private mutating func disconnect(until end: Int) -> [Action] {
        let wasOpen = state != .offline
        let end = wasOpen ? end : max(end, plannedConnectionTime ?? end)
        state = .offline
        removePlannedSteps { step in
            switch step {
            case .acknowledge, .connect: true
            case .goOffline, .goSilent, .open: false
            }
        }
        plan(.connect, at: end)
        return wasOpen ? [.disconnect] : []
    }

    private mutating func removeAcknowledgements() {
        removePlannedSteps { if case .acknowledge = $0 { true } else { false } }
    }

    private mutating func removePlannedSteps(where isRemoved: (Step) -> Bool) {
        plannedSteps = Heap(plannedSteps.unordered.filter { !isRemoved($0.step) })
    }

    private mutating func plan(_ step: Step, at time: Int) {
        if case .connect = step { plannedConnectionTime = time }
        plannedSteps.insert(PlannedStep(time: time, number: plannedStepCount, step: step))
        plannedStepCount += 1
    }

    private mutating func randomTime(before limit: Int) -> Int {
        limit > 0 ? Int(random.nextShare() * Double(limit)) : 0
    }

    private func wallTime(_ now: Int) -> Timestamp {
        Timestamp(milliseconds: startTime.rawValue + now / 1_000)
    }
}

extension Duration {
    /// The duration in whole microseconds.
    var microseconds: Int {
        Int(components.seconds) * 1_000_000 + Int(components.attoseconds / 1_000_000_000_000)
    }
}
