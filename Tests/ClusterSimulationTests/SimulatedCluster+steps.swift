import WaypostTestSupport

/// A step of the simulation; the integers are a site, and an agent or another number.
enum Step {
    case begin(Int)
    case run(Int)
    case answer(Int)
    case openStream(Int)
    case pump(Int, agent: Int)
    case read(Int, page: Int)
    case handleEvent(Int)
    case heartbeat(Int)
    case noticeLeave(Int, agent: Int)
    case deliver(Int)
    case repeatMessage(Int)
    case lose(Int)
    case append(Int)
    case connect(Int, agent: Int)
    case leave(Int)
    case receive(Int)
    case acknowledge(Int, agent: Int)
    case pause(Int)
    case resume(Int)
    case kill(Int)
    case restart(Int)
    case endTransaction(Int)
    case loseCommit(Int)
    case loseEvents(Int)
    case failOver
    case tick
    case sweep(Int)
}

extension SimulatedCluster {
    /// A kind of step.
    enum Kind: CaseIterable {
        case begin, run, answer, openStream, pump, read, handleEvent, noticeLeave, deliver, receive
        case heartbeat, append, connect, giveUp, leave, acknowledge
        case pause, resume, kill, restart, endTransaction, loseCommit, loseEvents, lose, repeatMessage, failOver
        case tick, sweep

        /// The frequency of the step, relative to the others.
        fileprivate var weight: Int {
            switch self {
            case .run: 120
            case .begin, .answer, .pump, .connect, .loseCommit: 30
            case .heartbeat, .append, .lose: 20
            case .deliver, .receive, .read, .handleEvent: 15
            case .tick: 10
            case .giveUp, .noticeLeave, .resume, .endTransaction: 6
            case .openStream, .acknowledge, .leave, .pause, .kill, .restart, .failOver, .loseEvents, .repeatMessage,
                .sweep:
                3
            }
        }

        /// The kinds of faults, of which each round has up to four.
        private static let faults: [Self] = [
            .pause, .kill, .endTransaction, .loseCommit, .loseEvents, .lose, .repeatMessage, .failOver,
        ]

        /// Returns each kind as often as it is frequent in a round: some kinds more than usual, some faults never.
        static func choose(_ random: inout SeededGenerator) -> [Self] {
            let lacking = faults.shuffled(using: &random).dropFirst(Int.random(in: 0...4, using: &random))
            return allCases.filter { !lacking.contains($0) }.flatMap { kind in
                let factor = Int.random(in: 0..<4, using: &random) == 0 ? 4 : 1
                return Array(repeating: kind, count: kind.weight * factor)
            }
        }

        /// The kinds that continue what has begun, without faults and without new work.
        fileprivate static let progress: [Self] = [
            .begin, .run, .answer, .openStream, .pump, .read, .handleEvent, .noticeLeave, .deliver, .receive,
        ]
    }

    private static let recoverySteps = 100

    /// The number of steps after which a cluster that is not at rest never will be.
    private static let drainLimit = 20_000

    /// Takes one of the steps that are possible.
    mutating func step() throws(Violation) {
        while true {
            guard let kind = element(of: kinds), let step = element(of: steps(of: kind)) else { continue }
            return try take(step)
        }
    }

    /// Takes steps without faults in which gateways notice which others have ended, while devices move.
    mutating func recover() throws(Violation) {
        let kinds = Kind.progress + [.connect, .connect, .leave, .heartbeat, .heartbeat, .heartbeat, .heartbeat]
        for _ in 0..<Self.recoverySteps {
            guard let step = possibleStep(kinds) else { return }
            try take(step)
        }
    }

    /// Takes steps until everything that has begun is done.
    mutating func drain() throws(Violation) {
        for _ in 0..<Self.drainLimit {
            guard let step = possibleStep(Kind.progress) else { return }
            try take(step)
        }
        throw Violation("the cluster does not come to rest")
    }

    /// Returns a step of one of these kinds; `nil` if none is possible.
    private mutating func possibleStep(_ kinds: [Kind]) -> Step? {
        for kind in kinds.shuffled(using: &random) {
            if let step = element(of: steps(of: kind)) { return step }
        }
        return nil
    }

    /// Returns the possible steps of a kind.
    private func steps(of kind: Kind) -> [Step] {
        switch kind {
        case .begin: activeSites.filter { hasWork(at: $0) }.map { .begin($0) }
        case .run: activeSites.filter { canRun(at: $0) }.map { .run($0) }
        case .answer: activeSites.filter { gateways[$0]?.transaction?.isCommitted == true }.map { .answer($0) }
        case .openStream: activeSites.filter { gateways[$0]?.opened.isEmpty == false }.map { .openStream($0) }
        case .pump: activeSites.flatMap { site in agentsWithWork(at: site).map { .pump(site, agent: $0) } }
        case .read: activeSites.flatMap { site in pagesToRead(at: site).map { .read(site, page: $0) } }
        case .handleEvent: activeSites.filter { gateways[$0]?.events.isEmpty == false }.map { .handleEvent($0) }
        case .heartbeat: activeSites.map { .heartbeat($0) }
        case .noticeLeave:
            activeSites.flatMap { site in agentsThatHaveLeft(site).map { .noticeLeave(site, agent: $0) } }
        case .deliver: messages.indices.filter { gateways[messages[$0].site]?.isPaused == false }.map { .deliver($0) }
        case .repeatMessage: messages.indices.map { .repeatMessage($0) }
        case .lose: messages.indices.map { .lose($0) }
        case .append: runningSites.filter { !isBusy($0) }.map { .append($0) }
        case .connect, .giveUp, .leave, .receive, .acknowledge: steps(ofDevices: kind)
        case .pause: activeSites.map { .pause($0) }
        case .resume: runningSites.filter { gateways[$0]?.isPaused == true }.map { .resume($0) }
        case .kill: runningSites.map { .kill($0) }
        case .restart: gateways.indices.filter { gateways[$0] == nil }.map { .restart($0) }
        case .endTransaction: runningSites.filter { isIdleInTransaction(at: $0) }.map { .endTransaction($0) }
        case .loseCommit: activeSites.filter { isCommitting(at: $0) }.map { .loseCommit($0) }
        case .loseEvents: runningSites.map { .loseEvents($0) }
        case .failOver: database.commitsToLose > 0 ? [.failOver] : []
        case .tick: [.tick]
        case .sweep: activeSites.filter { !isBusy($0) }.map { .sweep($0) }
        }
    }

    private func steps(ofDevices kind: Kind) -> [Step] {
        let (connected, others) = (
            devices.indices.filter { devices[$0].connection != nil },
            devices.indices.filter { devices[$0].connection == nil }
        )
        return switch kind {
        case .connect: others.flatMap { agent in runningSites.map { .connect($0, agent: agent) } }
        case .giveUp: connected.filter { !hasStream($0) }.map { .leave($0) }
        case .leave: connected.map { .leave($0) }
        case .receive: connected.filter { canReceive($0) }.map { .receive($0) }
        default:
            devices.indices.filter { !devices[$0].received.isEmpty }
                .flatMap { agent in runningSites.filter { !isBusy($0) }.map { .acknowledge($0, agent: agent) } }
        }
    }

    /// Takes a step.
    private mutating func take(_ step: Step) throws(Violation) {
        note("\(step)")
        switch step {
        case .begin(let site): begin(at: site)
        case .run(let site): try run(at: site)
        case .answer(let site): answer(at: site)
        case .openStream(let site): openStream(at: site)
        case .pump(let site, let agent): try pump(agent, at: site)
        case .read(let site, let page): try read(page, at: site)
        case .handleEvent(let site): handleEvent(at: site)
        case .heartbeat(let site): runHeartbeat(at: site)
        case .noticeLeave(let site, let agent): endStream(of: agent, at: site)
        case .deliver(let index): deliver(messages.remove(at: index))
        case .repeatMessage(let index): messages.append(messages[index])
        case .lose(let index): messages.remove(at: index)
        case .append(let site): append(at: site)
        case .connect(let site, let agent): connect(agent, to: site)
        case .leave(let agent): leave(agent)
        case .receive(let agent): receive(agent)
        case .acknowledge(let site, let agent): acknowledge(agent, at: site)
        case .pause(let site): gateways[site]?.isPaused = true
        case .resume(let site): gateways[site]?.isPaused = false
        case .kill(let site): kill(at: site)
        case .restart(let site): start(at: site)
        case .endTransaction(let site): loseTransaction(at: site)
        case .loseCommit(let site): try loseCommit(at: site)
        case .loseEvents(let site): loseEvents(at: site)
        case .failOver: failOver()
        case .tick: clock += 1
        case .sweep(let site): sweep(at: site)
        }
    }
}
