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
        case openLoop(LoadSchedule, seed: Int)

        /// As soon as a connection can send, for a number of microseconds.
        case closedLoop(microseconds: Int)
    }

    private static let retryDelay = TimeAmount.milliseconds(200)

    private let recorder: SharedRecorder
    private let loop: any EventLoop
    private let supply: RequestSupply
    private let connections: [any LoadConnection]
    private var requestTimes: ScheduledRequestTimes?

    /// The end of a closed loop, in microseconds since the start; `nil` in an open loop, and afterwards.
    private var closedLoopEnd: Int?

    /// The indices of the connections that can send, in the order of their turns.
    private var readyConnections: Deque<Int> = []

    /// Whether each connection is in `readyConnections`.
    private var isConnectionReady: [Bool]

    /// The numbers of the requests that are due, in their order.
    private var dueRequests: Deque<Int> = []

    /// The number of the next request.
    private var nextRequestNumber = 0

    private var hasBegun = false

    /// Whether the last response has arrived, or the generator was closed.
    private var hasEnded = false

    private var isClosed = false
    private var completion: EventLoopPromise<Void>?

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
        isConnectionReady = Array(repeating: false, count: connections.count)
        switch pace {
        case .openLoop(let schedule, let seed):
            requestTimes = ScheduledRequestTimes(schedule, itemsPerRequest: itemsPerRequest, seed: seed)
        case .closedLoop(let microseconds): closedLoopEnd = microseconds
        }
    }

    /// Connects, and makes the first requests.
    ///
    /// - Returns: a future that succeeds when both are done.
    func prepare() -> EventLoopFuture<Void> {
        for (index, connection) in connections.enumerated() { setCallbacks(of: connection, index: index) }
        supply.onReady = { self.sendNext() }
        let connected = connections.map { $0.connect(on: loop) }
        return EventLoopFuture.andAllSucceed(connected + [supply.prepare()], on: loop)
    }

    private func setCallbacks(of connection: any LoadConnection, index: Int) {
        connection.onReady = { self.handleReadyConnection(index) }
        connection.onResponse = { number, refusals in
            let now = self.now
            self.recorder.withRecorder { $0.recordResponse(to: number, refusals: refusals, at: now) }
        }
        connection.onFailure = { number, reason in
            self.recorder.withRecorder { $0.recordFailure(of: number, reason: reason) }
        }
        connection.onEnd = { self.reconnect(index) }
    }

    /// Begins; the start of the recorder is now.
    ///
    /// - Returns: a future that succeeds when the last response has arrived.
    func begin() -> EventLoopFuture<Void> {
        hasBegun = true
        let completion = loop.makePromise(of: Void.self)
        self.completion = completion
        for index in connections.indices where connections[index].canSend { addReadyConnection(index) }
        if requestTimes != nil { offerDueRequests() } else { sendNext() }
        return completion.futureResult
    }

    /// Ends the schedule now; due requests that are not sent fail.
    func end() {
        (requestTimes, closedLoopEnd) = (nil, nil)
        for number in dueRequests {
            recorder.withRecorder { $0.recordFailure(of: number, reason: "not sent in time") }
        }
        dueRequests = []
        finishIfComplete()
    }

    /// Fails the requests without a response, and closes all connections.
    func close() {
        isClosed = true
        for connection in connections { connection.close(reason: "no answer in time") }
        supply.onReady = {}
        end()
    }

    /// Connects again after a while, until that succeeds.
    private func reconnect(_ index: Int) {
        guard !isClosed else { return }
        loop.assumeIsolated().scheduleTask(in: Self.retryDelay) {
            guard !self.isClosed else { return }
            self.connections[index].connect(on: self.loop).assumeIsolated().whenComplete { result in
                switch result {
                case .success where self.isClosed: self.connections[index].close(reason: "")
                case .success: self.handleReadyConnection(index)
                case .failure: self.reconnect(index)
                }
            }
        }
        finishIfComplete()
    }

    /// The time in microseconds since the start.
    private var now: Int {
        recorder.microseconds(.now())
    }
}

extension LoadGenerator {
    /// Offers the requests whose time has come, and waits for the time of the next one.
    private func offerDueRequests() {
        while let time = requestTimes?.upcomingTime {
            guard time <= now else {
                let deadline = recorder.start + .microseconds(Int64(time))
                loop.assumeIsolated().scheduleTask(deadline: deadline) { self.offerDueRequests() }
                return sendNext()
            }
            _ = requestTimes?.next()
            dueRequests.append(recorder.withRecorder { $0.addRequest(intendedAt: time) })
        }
        requestTimes = nil
        sendNext()
    }

    private func handleReadyConnection(_ index: Int) {
        guard hasBegun else { return }
        addReadyConnection(index)
        sendNext()
    }

    private func addReadyConnection(_ index: Int) {
        guard !isConnectionReady[index] else { return }
        isConnectionReady[index] = true
        readyConnections.append(index)
    }

    /// Sends what is due, as long as connections can send and requests are ready.
    private func sendNext() {
        guard hasBegun else { return }
        var usedConnections: Set<Int> = []
        while let index = readyConnections.first {
            let connection = connections[index]
            guard connection.canSend else {
                removeFirstReadyConnection()
                continue
            }
            guard let number = nextDueRequest(), let request = supply.takeRequest(number) else { break }
            dueRequests.removeFirst()
            nextRequestNumber = number + 1
            let start = now
            recorder.withRecorder { $0.recordStart(of: number, at: start) }
            connection.send(request, number: number)
            usedConnections.insert(index)
            // The connections take turns.
            removeFirstReadyConnection()
            if connection.canSend { addReadyConnection(index) }
        }
        for index in usedConnections { connections[index].flush() }
        finishIfComplete()
    }

    private func removeFirstReadyConnection() {
        isConnectionReady[readyConnections.removeFirst()] = false
    }

    /// Returns the number of the request to send next; in a closed loop, a request is due when it can be sent.
    private func nextDueRequest() -> Int? {
        if dueRequests.isEmpty, let end = closedLoopEnd, supply.isReady(nextRequestNumber) {
            let now = now
            guard now < end else {
                closedLoopEnd = nil
                return nil
            }
            dueRequests.append(recorder.withRecorder { $0.addRequest(intendedAt: now) })
        }
        return dueRequests.first
    }

    private func finishIfComplete() {
        guard hasBegun, requestTimes == nil, closedLoopEnd == nil, dueRequests.isEmpty, !hasEnded else { return }
        if !connections.contains(where: { $0.pendingRequestCount > 0 }) {
            hasEnded = true
            completion?.succeed()
        }
    }
}
