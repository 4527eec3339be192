internal import DequeModule
internal import GatewayClient
internal import HeapModule
package import Histogram
internal import NIOCore
internal import WaypostSchema

/// The agents of a fleet whose connections share an event loop.
///
/// It performs the actions of `FleetAgent`, and calls it when something arrives or is due. Everything happens on the
/// event loop.
final class FleetLoop {
    /// The time at which an agent must be called; obsolete ones are ignored.
    private struct Wake: Comparable {
        let at: Int
        let agent: Int

        static func < (first: Self, second: Self) -> Bool {
            first.at < second.at
        }
    }

    /// The connections that may be in the making at a time.
    ///
    /// More would overflow the queue of the listening socket.
    private static let mostConnecting = 128

    private let loop: any EventLoop
    private let courier: CourierAddress
    private let start: NIODeadline
    private let seed: Int
    private let observer: (any FleetObserver)?
    private(set) var agents: [FleetAgent]
    private let secrets: [AgentSecret]
    private var streams: [CourierStream?]
    private var acknowledgements: AcknowledgementQueue
    private var wakes = Heap<Wake>()
    private var timer: (at: Int, task: Scheduled<Void>)?
    private var waitingToConnect: Deque<Int> = []
    private var connecting = 0
    private var isStopped = false

    private(set) var counts = FleetCounts()
    private(set) var connectionTimes = Histogram<UInt64>.microseconds
    private(set) var acknowledgementTimes = Histogram<UInt64>.microseconds

    init(
        _ agents: [(agent: FleetAgent, secret: AgentSecret)],
        on loop: any EventLoop,
        courier: CourierAddress,
        start: NIODeadline,
        seed: Int,
        observer: (any FleetObserver)?
    ) {
        self.agents = agents.map(\.agent)
        secrets = agents.map(\.secret)
        streams = Array(repeating: nil, count: agents.count)
        self.loop = loop
        self.courier = courier
        self.start = start
        self.seed = seed
        self.observer = observer
        acknowledgements = AcknowledgementQueue(on: loop, courier: courier)
    }

    /// The microseconds since the start of the fleet.
    var now: Int {
        Int((NIODeadline.now() - start).nanoseconds / 1_000)
    }

    /// Connects all agents.
    func begin() {
        acknowledgements.onAnswer = { self.finish($0, of: $1, removed: $2) }
        for agent in agents.indices {
            agents[agent].begin(at: now)
            wake(agent)
        }
    }

    /// Disconnects a share of the agents, which connect again within `spread` microseconds.
    func storm(share: Double, spread: Int) {
        var random = SeededGenerator(seed: seed, part: now)
        for agent in agents.indices where random.happens(share) {
            perform(agents[agent].joinStorm(spread: spread, at: now), agent)
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
    /// Performs what an agent wants, and plans its next call.
    private func perform(_ actions: [FleetAgent.Action], _ agent: Int) {
        for action in actions {
            switch action {
            case .connect:
                let former = streams[agent]
                setStream(nil, of: agent)
                former?.abandon()
                waitingToConnect.append(agent)
                connectNext()
            case .disconnect:
                let stream = streams[agent]
                setStream(nil, of: agent)
                stream?.close()
            case .stopReading: streams[agent]?.stopReading()
            case .acknowledge(let arrivals): acknowledgements.add(arrivals, of: agent, with: secrets[agent])
            }
        }
        counts.add(agents[agent].takeCounts())
        wake(agent)
    }

    private func setStream(_ stream: CourierStream?, of agent: Int) {
        if streams[agent]?.isOpen == true { counts.connected -= 1 }
        streams[agent] = stream
    }

    private func connectNext() {
        while connecting < Self.mostConnecting, !isStopped, let agent = waitingToConnect.popFirst() {
            connecting += 1
            let stream = CourierStream(
                secrets[agent],
                link: agents[agent].link,
                random: random(of: agent),
                clock: start
            )
            setStream(stream, of: agent)
            let begin = now
            stream.onOpen = { [unowned stream] in
                self.noteAttempt(of: stream)
                guard self.streams[agent] === stream else { return }
                self.connectionTimes.record(UInt64(self.now - begin))
                self.counts.connected += 1
                self.agents[agent].noteConnected(at: self.now)
                self.perform([], agent)
            }
            stream.onEvents = { [unowned stream] events in
                for event in events where self.streams[agent] === stream { self.take(event, agent) }
            }
            stream.onEnd = { [unowned stream] isReplaced in
                self.noteAttempt(of: stream)
                guard self.streams[agent] === stream, !self.isStopped else { return }
                self.setStream(nil, of: agent)
                self.agents[agent].noteInterrupted(isReplaced: isReplaced, at: self.now)
                self.perform([], agent)
            }
            stream.connect(to: courier, on: loop)
        }
    }

    /// Notes that an attempt to connect has succeeded or failed.
    private func noteAttempt(of stream: CourierStream) {
        guard stream.isConnecting else { return }
        stream.isConnecting = false
        connecting -= 1
        connectNext()
    }

    private func random(of agent: Int) -> SeededGenerator {
        SeededGenerator(seed: seed &+ 1, part: agent)
    }

    private func take(_ event: CourierStream.Event, _ agent: Int) {
        switch event {
        case .notification(let notification, let isStored):
            let arrived = NIODeadline.now()
            guard let taken = agents[agent].take(notification, isStored: isStored, at: now) else {
                agents[agent].noteUnreadable()
                return
            }
            observer?.notificationArrived(notification.id, on: notification.token, isFirst: taken.isFirst, at: arrived)
            perform(taken.actions, agent)
        case .unreadable: agents[agent].noteUnreadable()
        }
    }

    private func finish(_ arrivals: [FleetAgent.Arrival], of agent: Int, removed count: Int) {
        let now = now
        for arrival in arrivals { acknowledgementTimes.record(UInt64(now - arrival.at)) }
        agents[agent].noteAcknowledged(count)
        counts.add(agents[agent].takeCounts())
        observer?.notificationsAcknowledged(arrivals.map(\.id), at: .now())
    }
}

extension FleetLoop {
    /// Plans the next call of an agent.
    private func wake(_ agent: Int) {
        guard let deadline = agents[agent].nextDeadline else { return }
        wakes.insert(Wake(at: deadline, agent: agent))
        guard !isStopped, deadline < timer?.at ?? .max else { return }
        timer?.task.cancel()
        setTimer(for: deadline)
    }

    private func setTimer(for deadline: Int) {
        let time = start + .microseconds(Int64(deadline))
        timer = (deadline, loop.assumeIsolated().scheduleTask(deadline: time) { self.callAgents() })
    }

    /// Calls the agents whose time has come.
    private func callAgents() {
        timer = nil
        let now = now
        while let next = wakes.min, next.at <= now {
            wakes.removeMin()
            // An agent whose deadline was moved has another entry.
            guard let deadline = agents[next.agent].nextDeadline, deadline <= now else { continue }
            perform(agents[next.agent].advance(to: now), next.agent)
        }
        if !isStopped, timer == nil, let next = wakes.min { setTimer(for: next.at) }
    }
}

extension Histogram<UInt64> {
    /// An empty histogram of microseconds up to an hour, with three significant digits.
    package static var microseconds: Self {
        Self(highestTrackableValue: 3_600_000_000, numberOfSignificantValueDigits: .three)
    }
}
