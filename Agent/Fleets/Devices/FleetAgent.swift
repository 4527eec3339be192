internal import GatewayClient
internal import HeapModule
internal import WaypostSchema

/// A credential of a fleet with its devices: decides when it connects, acknowledges, opens and crashes.
///
/// All times are microseconds since the start of the fleet. After each call, `nextDeadline` is the time of the next
/// `advance`. The same seed and the same arrivals give the same decisions.
struct FleetAgent {
    /// A notification that arrived.
    struct Arrival: Equatable {
        /// The number of the device.
        var device: Int

        var id: NotificationID
        var sequence: Int

        /// The time of its arrival.
        var at: Int
    }

    /// Something to do.
    enum Action: Equatable {
        /// Open a stream. The old stream is abandoned without notifying the gateway.
        case connect

        /// Close the stream.
        case disconnect

        /// Read nothing more from the stream, and leave it open.
        case stopReading

        case acknowledge([Arrival])
    }

    private enum Plan {
        case connect
        case goOffline
        case goSilent
        case acknowledge(Arrival)
        case open(NotificationID, device: Int)
    }

    /// A plan with its time; plans for the same time are in the order in which they were made.
    private struct Planned: Comparable {
        let at: Int
        let number: Int
        let plan: Plan

        static func == (first: Self, second: Self) -> Bool {
            first.number == second.number
        }

        static func < (first: Self, second: Self) -> Bool {
            (first.at, first.number) < (second.at, second.number)
        }
    }

    private enum State {
        case offline
        case connecting
        case connected

        /// The stream is open, but the device is gone.
        case silent
    }

    private let group: FleetGroup
    private let keep: Int
    private let wallStart: Timestamp
    private var random: SeededRandom
    private var backoff = ReconnectBackoff()
    private var state = State.offline
    private var hasConnected = false
    private(set) var devices: [FleetDevice]
    private let numbers: [DeviceToken: Int]

    /// The counts since the last call of `takeCounts`.
    private var counts = FleetCounts()

    private var plans = Heap<Planned>()

    /// The number of plans that were made.
    private var planned = 0

    /// The time of the planned connection, if there is one.
    private var connection: Int?

    init(_ devices: [FleetDevice], _ group: FleetGroup, keep: Int, random: SeededRandom, wallStart: Timestamp) {
        self.devices = devices
        numbers = Dictionary(devices.enumerated().map { ($1.token, $0) }) { first, _ in first }
        self.group = group
        self.keep = keep
        self.random = random
        self.wallStart = wallStart
    }

    /// The link of the stream.
    var link: FleetGroup.Link {
        group.link
    }

    /// The time of the next `advance`.
    var nextDeadline: Int? {
        plans.min?.at
    }

    /// Returns the counts since the last call.
    mutating func takeCounts() -> FleetCounts {
        defer { counts = FleetCounts() }
        return counts
    }

    /// Begins: the first connection is due, and the first period of each kind is planned.
    mutating func begin(at now: Int) {
        plan(.connect, at: now)
        if let offline = group.offline { plan(.goOffline, at: now + someTime(before: offline.every)) }
        if let halfOpen = group.link.halfOpen { plan(.goSilent, at: now + someTime(before: halfOpen.every)) }
    }

    /// Returns what is due.
    mutating func advance(to now: Int) -> [Action] {
        var actions: [Action] = []
        var acknowledged: [Arrival] = []
        while let next = plans.min, next.at <= now {
            plans.removeMin()
            switch next.plan {
            case .connect:
                connection = nil
                guard state == .offline || state == .silent else { break }
                state = .connecting
                actions.append(.connect)
            case .goOffline:
                guard let offline = group.offline else { break }
                actions += leave(until: next.at + offline.length)
                plan(.goOffline, at: next.at + max(offline.every, offline.length))
            case .goSilent:
                guard let halfOpen = group.link.halfOpen else { break }
                plan(.goSilent, at: next.at + max(halfOpen.every, halfOpen.length))
                guard state == .connected else { break }
                state = .silent
                removeAcknowledgements()
                actions.append(.stopReading)
                plan(.connect, at: next.at + halfOpen.length)
            case .acknowledge(let arrival): acknowledged.append(arrival)
            case .open(let id, let device):
                // An event that arrived after the planned time may be applied already.
                if devices[device].open(id, isAppRunning: group.isAppRunning, at: wallTime(now)) {
                    counts.opened += 1
                }
            }
        }
        if !acknowledged.isEmpty { actions.append(.acknowledge(acknowledged)) }
        return actions
    }

    /// Notes that the stream is open.
    mutating func recordConnected(at now: Int) {
        guard state == .connecting else { return }
        state = .connected
        counts.connections += 1
        if !hasConnected { counts.reached += 1 }
        hasConnected = true
    }

    /// Notes that the stream ended, or could not be opened; the next attempt is planned.
    ///
    /// - Parameters:
    ///   - isReplaced: whether another stream with the same credential is the reason.
    ///   - now: the time.
    mutating func recordInterrupted(isReplaced: Bool, at now: Int) {
        guard state == .connecting || state == .connected else { return }
        if state == .connected { backoff.recordSuccess() }
        state = .offline
        counts.interruptions += 1
        let wait = isReplaced ? ReconnectBackoff.maximum : backoff.recordFailure(random: random.nextShare())
        plan(.connect, at: now + wait.microseconds)
    }

    /// Disconnects at once, and connects again within `spread`; a device without a connection has none to lose.
    mutating func joinStorm(spread: Int, at now: Int) -> [Action] {
        guard state == .connecting || state == .connected else { return [] }
        return leave(until: now + someTime(before: spread))
    }

    /// Applies a notification to its device, and plans what follows.
    ///
    /// A notification that the gateway does not store is acknowledged too: the gateway limits what is unacknowledged.
    ///
    /// - Parameters:
    ///   - notification: the notification.
    ///   - now: the time.
    /// - Returns: whether it arrived for the first time, or `nil` if no device takes it; and what to do at once.
    mutating func take(
        _ notification: DeliveredNotification,
        at now: Int
    ) -> (arrival: Arrival, isFirst: Bool, actions: [Action])? {
        guard let device = numbers[notification.token] else { return nil }
        let arrival = Arrival(device: device, id: notification.id, sequence: notification.sequence, at: now)
        let result = devices[device].take(notification, keeping: keep, at: wallTime(now))
        switch result {
        case .first: counts.received += 1
        case .repeated: counts.duplicated += 1
        case .discarded: counts.discarded += 1
        }
        if result == .first, random.happens(group.opens) {
            plan(.open(notification.id, device: device), at: now + group.opensAfter)
        }
        if random.happens(group.crashes) {
            counts.crashes += 1
            return (arrival, result == .first, leave(until: now + group.restartsAfter))
        }
        return (arrival, result == .first, acknowledge(arrival, at: now))
    }

    /// Records that acknowledged notifications left the inbox.
    mutating func recordAcknowledged(_ count: Int) {
        counts.acknowledged += count
    }

    /// Records an event of the stream that cannot be read.
    mutating func recordUnreadable() {
        counts.unreadable += 1
    }
}

extension FleetAgent {
    private mutating func acknowledge(_ arrival: Arrival, at now: Int) -> [Action] {
        if random.happens(group.losesAcknowledgements) {
            counts.lostAcknowledgements += 1
            return []
        }
        let varying = group.acknowledgesUpTo - group.acknowledgesAfter
        let wait = group.acknowledgesAfter + (varying > 0 ? someTime(before: varying) : 0) + group.link.delay
        guard wait > 0 else { return [.acknowledge([arrival])] }
        plan(.acknowledge(arrival), at: now + wait)
        return []
    }

    /// Closes the stream until a time; acknowledgements that were not sent are never sent.
    ///
    /// A device that is already without a network for a longer time stays so.
    private mutating func leave(until end: Int) -> [Action] {
        let wasOpen = state != .offline
        let end = wasOpen ? end : max(end, connection ?? end)
        state = .offline
        removePlans { plan in
            switch plan {
            case .acknowledge, .connect: true
            case .goOffline, .goSilent, .open: false
            }
        }
        plan(.connect, at: end)
        return wasOpen ? [.disconnect] : []
    }

    private mutating func removeAcknowledgements() {
        removePlans { if case .acknowledge = $0 { true } else { false } }
    }

    private mutating func removePlans(_ isRemoved: (Plan) -> Bool) {
        plans = Heap(plans.unordered.filter { !isRemoved($0.plan) })
    }

    private mutating func plan(_ plan: Plan, at time: Int) {
        if case .connect = plan { connection = time }
        plans.insert(Planned(at: time, number: planned, plan: plan))
        planned += 1
    }

    private mutating func someTime(before limit: Int) -> Int {
        limit > 0 ? Int(random.nextShare() * Double(limit)) : 0
    }

    private func wallTime(_ now: Int) -> Timestamp {
        Timestamp(milliseconds: wallStart.rawValue + now / 1_000)
    }
}

extension Duration {
    /// The duration in whole microseconds.
    var microseconds: Int {
        Int(components.seconds) * 1_000_000 + Int(components.attoseconds / 1_000_000_000_000)
    }
}
