internal import DequeModule
internal import NIOCore
internal import NIOPosix

/// Sends requests as a schedule intends, or as soon as the connections can.
///
/// Everything happens on one event loop, which serves nothing else, so that a request is late only if no connection is
/// free or the request is not ready.
final class LoadGenerator {
    /// The way in which requests begin.
    enum Pace: Sendable {
        /// At the times of a schedule, whatever the gateway does.
        case open(LoadSchedule, seed: Int)

        /// As soon as a connection can send, for a number of microseconds.
        case closed(microseconds: Int)
    }

    private static let retryWait = TimeAmount.milliseconds(200)

    private let recorder: SharedRecorder
    private let loop: any EventLoop
    private let supply: RequestSupply
    private let connections: [any LoadConnection]
    private var schedule: ScheduledRequests?
    private var closedUntil: Int?

    /// The connections that can send, in the order in which they do, and which of all connections these are.
    private var ready: Deque<Int> = []
    private var isReady: [Bool]

    /// The requests that are due, in their order.
    private var due: Deque<Int> = []

    /// The number of the next request that is not sent.
    private var nextSent = 0

    private var hasBegun = false

    /// Whether the last answer is there, or nobody waits for it any more.
    private var hasEnded = false

    private var isClosed = false
    private var done: EventLoopPromise<Void>?

    init(
        pace: Pace,
        itemsPerRequest: Int,
        from supply: RequestSupply,
        over connections: [any LoadConnection],
        recorder: SharedRecorder,
        on loop: any EventLoop
    ) {
        self.supply = supply
        self.connections = connections
        self.recorder = recorder
        self.loop = loop
        isReady = Array(repeating: false, count: connections.count)
        switch pace {
        case .open(let schedule, let seed):
            self.schedule = ScheduledRequests(schedule, itemsPerRequest: itemsPerRequest, seed: seed)
        case .closed(let microseconds): closedUntil = microseconds
        }
    }

    /// Connects, and makes the first requests.
    ///
    /// - Returns: a future that succeeds when both are done.
    func prepare() -> EventLoopFuture<Void> {
        for (index, connection) in connections.enumerated() { attach(connection, index) }
        supply.onReady = { self.sendNext() }
        let connected = connections.map { $0.connect(on: loop) }
        return EventLoopFuture.andAllSucceed(connected + [supply.prepare()], on: loop)
    }

    private func attach(_ connection: any LoadConnection, _ index: Int) {
        connection.onReady = { self.recordReady(index) }
        connection.onAnswer = { request, refused in
            let now = self.now
            self.recorder.withRecorder { $0.answer(request, refusing: refused, at: now) }
        }
        connection.onFailure = { request, reason in
            self.recorder.withRecorder { $0.fail(request, reason: reason) }
        }
        connection.onEnd = { self.reconnect(index) }
    }

    /// Begins; the start of the recorder is now.
    ///
    /// - Returns: a future that succeeds when the last answer is there.
    func begin() -> EventLoopFuture<Void> {
        hasBegun = true
        let done = loop.makePromise(of: Void.self)
        self.done = done
        for index in connections.indices where connections[index].canSend { list(index) }
        if schedule != nil { offerDue() } else { sendNext() }
        return done.futureResult
    }

    /// Ends the schedule now: what is due and not sent counts as not sent.
    func end() {
        (schedule, closedUntil) = (nil, nil)
        for request in due { recorder.withRecorder { $0.fail(request, reason: "not sent in time") } }
        due = []
        finishIfDone()
    }

    /// Gives up the requests without an answer, and closes all connections.
    func close() {
        isClosed = true
        for connection in connections { connection.close(reason: "no answer in time") }
        supply.onReady = {}
        end()
    }

    /// Connects again after a while, until that succeeds.
    private func reconnect(_ index: Int) {
        guard !isClosed else { return }
        loop.assumeIsolated().scheduleTask(in: Self.retryWait) {
            guard !self.isClosed else { return }
            self.connections[index].connect(on: self.loop).assumeIsolated().whenComplete { result in
                switch result {
                case .success where self.isClosed: self.connections[index].close(reason: "")
                case .success: self.recordReady(index)
                case .failure: self.reconnect(index)
                }
            }
        }
        finishIfDone()
    }

    private var now: Int {
        recorder.microseconds(.now())
    }
}

extension LoadGenerator {
    /// Offers the requests whose time has come, and waits for the time of the next one.
    private func offerDue() {
        while let time = schedule?.first {
            guard time <= now else {
                let deadline = recorder.start + .microseconds(Int64(time))
                loop.assumeIsolated().scheduleTask(deadline: deadline) { self.offerDue() }
                return sendNext()
            }
            _ = schedule?.next()
            due.append(recorder.withRecorder { $0.offer(at: time) })
        }
        schedule = nil
        sendNext()
    }

    private func recordReady(_ index: Int) {
        guard hasBegun else { return }
        list(index)
        sendNext()
    }

    private func list(_ index: Int) {
        guard !isReady[index] else { return }
        isReady[index] = true
        ready.append(index)
    }

    /// Sends what is due, as long as connections can send and requests are ready.
    private func sendNext() {
        guard hasBegun else { return }
        var used: Set<Int> = []
        while let index = ready.first {
            let connection = connections[index]
            guard connection.canSend else {
                unlistFirst()
                continue
            }
            guard let request = nextRequest(), let prepared = supply.take(request) else { break }
            due.removeFirst()
            nextSent = request + 1
            let start = now
            recorder.withRecorder { $0.start(request, at: start) }
            connection.send(prepared, request)
            used.insert(index)
            // The connections take turns.
            unlistFirst()
            if connection.canSend { list(index) }
        }
        for index in used { connections[index].flush() }
        finishIfDone()
    }

    private func unlistFirst() {
        isReady[ready.removeFirst()] = false
    }

    /// Returns the request to send next; in a closed loop, it is due when it can be sent.
    private func nextRequest() -> Int? {
        if due.isEmpty, let end = closedUntil, supply.has(nextSent) {
            let now = now
            guard now < end else {
                closedUntil = nil
                return nil
            }
            due.append(recorder.withRecorder { $0.offer(at: now) })
        }
        return due.first
    }

    private func finishIfDone() {
        guard hasBegun, schedule == nil, closedUntil == nil, due.isEmpty, !hasEnded else { return }
        if !connections.contains(where: { $0.pending > 0 }) {
            hasEnded = true
            done?.succeed()
        }
    }
}
