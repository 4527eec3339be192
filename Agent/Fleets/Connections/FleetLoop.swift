internal import DequeModule
internal import GatewayClient
internal import HeapModule
package import Histogram
internal import LocalService
internal import NIOCore
internal import WaypostSchema

/// The agents of a fleet whose connections share an event loop.
///
/// It performs the actions of `FleetAgentStateMachine`, and calls it when something arrives or is due. Everything
/// happens on the event loop.
final class FleetLoop {
    /// A planned call of an agent; obsolete ones are ignored.
    private struct Wakeup: Comparable {
        let time: Int
        let agent: Int

        static func < (first: Self, second: Self) -> Bool {
            first.time < second.time
        }
    }

    /// The maximum number of attempts to connect at a time.
    ///
    /// More would overflow the queue of the listening socket.
    private static let maximumConnectionAttempts = 128

    private let loop: any EventLoop
    private let couriers: [ListenAddress]
    private let start: NIODeadline
    private let seed: Int

    /// The index of each agent in the whole fleet, from which everything that varies follows.
    private let fleetIndices: [Int]

    private let observer: (any FleetObserver)?
    private(set) var agents: [FleetAgentStateMachine]
    private let secrets: [BearerSecret]
    private var streams: [CourierStream?]
    private var acknowledgements: AcknowledgementQueue
    private var wakeups = Heap<Wakeup>()

    /// The times of each agent's wakeups, the next one last.
    private var wakeupTimes: [[Int]]
    private var timer: (time: Int, task: Scheduled<Void>)?

    /// The agents that wait to connect; those that no longer do are skipped.
    private var connectionQueue: Deque<Int> = []
    private var isWaitingToConnect: [Bool]

    /// The number of attempts to connect of each agent.
    private var attemptCounts: [Int]
    private var openAttemptCount = 0
    private var isStopped = false

    private(set) var counts = FleetCounts()
    private(set) var connectionTimes = Histogram<UInt64>.microseconds
    private(set) var acknowledgementTimes = Histogram<UInt64>.microseconds

    init(
        _ agents: [(fleetIndex: Int, agent: FleetAgentStateMachine, secret: BearerSecret)],
        on loop: any EventLoop,
        couriers: [ListenAddress],
        start: NIODeadline,
        seed: Int,
        observer: (any FleetObserver)?
    ) {
        self.agents = agents.map(\.agent)
        secrets = agents.map(\.secret)
        fleetIndices = agents.map(\.fleetIndex)
        wakeupTimes = Array(repeating: [], count: agents.count)
        isWaitingToConnect = Array(repeating: false, count: agents.count)
        attemptCounts = Array(repeating: 0, count: agents.count)
        streams = Array(repeating: nil, count: agents.count)
        self.loop = loop
        self.couriers = couriers
        self.start = start
        self.seed = seed
        self.observer = observer
        acknowledgements = AcknowledgementQueue(on: loop, couriers: couriers)
    }

    /// The microseconds since the start of the fleet.
    var now: Int {
        Int((NIODeadline.now() - start).nanoseconds / 1_000)
    }

    /// Connects all agents.
    func begin() {
        acknowledgements.onResponse = { self.recordResponse($0) }
        for agent in agents.indices {
            agents[agent].begin(at: now)
            scheduleWakeup(of: agent)
        }
    }

    /// Disconnects the agents of a storm, which connect again within its spread.
    func begin(_ storm: ReconnectStorm) {
        for agent in agents.indices {
            var random = SeededRandom(seed: seed &+ storm.at, part: fleetIndices[agent])
            guard random.nextShare() < storm.share else { continue }
            perform(agents[agent].joinStorm(spread: storm.spread, at: now), of: agent)
        }
    }

    /// Closes everything.
    func stop() {
        isStopped = true
        timer?.task.cancel()
        for stream in streams { stream?.close() }
        acknowledgements.close()
    }
}

extension FleetLoop {
    /// Performs the actions of an agent, and plans its next call.
    private func perform(_ actions: [FleetAgentStateMachine.Action], of agent: Int) {
        for action in actions {
            switch action {
            case .connect:
                let previous = streams[agent]
                setStream(nil, of: agent)
                previous?.abandon()
                if !isWaitingToConnect[agent] { connectionQueue.append(agent) }
                isWaitingToConnect[agent] = true
                connectNext()
            case .disconnect:
                isWaitingToConnect[agent] = false
                let stream = streams[agent]
                setStream(nil, of: agent)
                stream?.close()
            case .stopReading: streams[agent]?.stopReading()
            case .acknowledge(let arrivals): acknowledgements.add(arrivals, of: agent, with: secrets[agent])
            }
        }
        counts.add(agents[agent].takeCounts())
        scheduleWakeup(of: agent)
    }

    private func setStream(_ stream: CourierStream?, of agent: Int) {
        if streams[agent]?.isOpen == true { counts.connected -= 1 }
        streams[agent] = stream
    }

    private func connectNext() {
        while openAttemptCount < Self.maximumConnectionAttempts, !isStopped, let agent = connectionQueue.popFirst() {
            guard isWaitingToConnect[agent] else { continue }
            isWaitingToConnect[agent] = false
            openAttemptCount += 1
            attemptCounts[agent] += 1
            let stream = CourierStream(
                secrets[agent],
                link: agents[agent].link,
                random: random(of: agent),
                start: start
            )
            setStream(stream, of: agent)
            let attemptStart = now
            stream.onOpen = { [unowned stream] in
                self.recordAttempt(of: stream)
                guard self.streams[agent] === stream else { return }
                self.connectionTimes.record(UInt64(self.now - attemptStart))
                self.counts.connected += 1
                self.agents[agent].recordConnection(at: self.now)
                self.perform([], of: agent)
            }
            stream.onEvents = { [unowned stream] events in
                for event in events where self.streams[agent] === stream { self.receive(event, for: agent) }
            }
            stream.onEnd = { [unowned stream] isReplaced in
                self.recordAttempt(of: stream)
                guard self.streams[agent] === stream, !self.isStopped else { return }
                self.setStream(nil, of: agent)
                self.agents[agent].recordInterruption(isReplaced: isReplaced, at: self.now)
                self.perform([], of: agent)
            }
            stream.connect(to: couriers[(fleetIndices[agent] + attemptCounts[agent]) % couriers.count], on: loop)
        }
    }

    /// Records that an attempt to connect has succeeded or failed.
    private func recordAttempt(of stream: CourierStream) {
        guard stream.isConnecting else { return }
        stream.isConnecting = false
        openAttemptCount -= 1
        connectNext()
    }

    /// Returns random numbers for a connection, which differ from those of the agent's other connections.
    private func random(of agent: Int) -> SeededRandom {
        SeededRandom(seed: seed &+ attemptCounts[agent], part: fleetIndices[agent])
    }

    private func receive(_ event: CourierStream.Event, for agent: Int) {
        switch event {
        case .notification(let notification):
            let arrivalTime = NIODeadline.now()
            guard let arrival = agents[agent].receive(notification, at: now) else {
                return recordUnreadableEvent(of: agent)
            }
            observer?.notificationArrived(
                notification.id,
                on: notification.token,
                isFirst: arrival.isFirst,
                at: arrivalTime
            )
            perform(arrival.actions, of: agent)
        case .unreadable: recordUnreadableEvent(of: agent)
        }
    }

    private func recordUnreadableEvent(of agent: Int) {
        agents[agent].recordUnreadableEvent()
        counts.add(agents[agent].takeCounts())
    }

    private func recordResponse(_ response: AcknowledgementQueue.Response) {
        let (now, agent, arrivals) = (now, response.agent, response.arrivals)
        for arrival in arrivals { acknowledgementTimes.record(UInt64(now - arrival.at)) }
        agents[agent].recordAcknowledgements(response.removedCount)
        counts.add(agents[agent].takeCounts())
        let devices = agents[agent].devices
        observer?.notificationsAcknowledged(arrivals.map { ($0.id, devices[$0.device].token) }, at: .now())
    }
}

extension FleetLoop {
    /// Plans the next call of an agent.
    private func scheduleWakeup(of agent: Int) {
        // If the deadline is now later, the wakeup that is already planned plans the next one.
        guard let deadline = agents[agent].nextDeadline, deadline < wakeupTimes[agent].last ?? .max else { return }
        wakeups.insert(Wakeup(time: deadline, agent: agent))
        wakeupTimes[agent].append(deadline)
        setTimer()
    }

    /// Sets the timer for the next wakeup, if it is not set for that or an earlier time.
    private func setTimer() {
        guard !isStopped, let next = wakeups.min, next.time < timer?.time ?? .max else { return }
        timer?.task.cancel()
        let time = start + .microseconds(Int64(next.time))
        timer = (next.time, loop.assumeIsolated().scheduleTask(deadline: time) { self.callAgents() })
    }

    /// Calls the agents whose time has come.
    private func callAgents() {
        let now = now
        // The timer stays until all are called, so that none of them sets it.
        while let next = wakeups.min, next.time <= now {
            wakeups.removeMin()
            wakeupTimes[next.agent].removeLast()
            perform(agents[next.agent].advance(to: now), of: next.agent)
        }
        timer = nil
        setTimer()
    }
}

extension Histogram<UInt64> {
    /// An empty histogram of microseconds up to an hour, with three significant digits.
    package static var microseconds: Self {
        Self(highestTrackableValue: 3_600_000_000, numberOfSignificantValueDigits: .three)
    }
}
