internal import Deflate
internal import DequeModule
internal import NIOCore
internal import NIOPosix

/// Sends batches as a schedule intends, or one after another on each connection.
///
/// The bodies are made on threads of their own before they are due. Everything else happens on one event loop, which
/// serves nothing else, so that a send is late only if no connection is free or its body is not ready.
final class BatchGenerator {
    /// The way in which batches begin.
    enum Pace: Sendable {
        /// At the times of a schedule, whatever the gateway does.
        case open(LoadSchedule, seed: Int)

        /// When the answer before is there, for a number of microseconds.
        case closed(microseconds: Int)
    }

    private static let retryWait = TimeAmount.milliseconds(200)

    private let traffic: LoadTraffic
    private let coding: BatchCoding
    private let recorder: SharedRecorder
    private let loop: any EventLoop
    private let threads: NIOThreadPool
    private let connections: [BatchConnection]
    private var idle: [BatchConnection] = []
    private var schedule: ScheduledRequests?
    private var closedUntil: Int?

    /// The requests that are due, in their order.
    private var due: Deque<Int> = []
    private var bodies: [Int: ByteBuffer] = [:]

    /// The number of the next request whose body is not being made.
    private var nextBody = 0

    /// The number of the next request that is not sent.
    private var nextSent = 0

    private var hasEnded = false
    private var done: EventLoopPromise<Void>

    init(
        _ traffic: LoadTraffic,
        pace: Pace,
        coding: BatchCoding,
        to endpoint: BatchEndpoint,
        connections count: Int,
        recorder: SharedRecorder,
        on loop: any EventLoop,
        threads: NIOThreadPool
    ) {
        self.traffic = traffic
        self.coding = coding
        self.recorder = recorder
        self.loop = loop
        self.threads = threads
        connections = (0..<count).map { _ in BatchConnection(endpoint, coding) }
        done = loop.makePromise()
        switch pace {
        case .open(let schedule, let seed):
            self.schedule = ScheduledRequests(schedule, itemsPerRequest: traffic.itemsPerRequest, seed: seed)
        case .closed(let microseconds): closedUntil = microseconds
        }
    }

    /// Connects, and makes the first bodies.
    ///
    /// - Returns: a future that succeeds when both are done.
    func prepare() -> EventLoopFuture<Void> {
        while nextBody < bodiesAhead { makeBody() }
        let connected = connections.map { $0.connect(on: loop) }
        return EventLoopFuture.andAllSucceed(connected, on: loop)
    }

    /// Begins; the start of the recorder is now.
    ///
    /// - Returns: a future that succeeds when the last answer is there.
    func begin() -> EventLoopFuture<Void> {
        idle = connections
        for connection in connections {
            connection.onReady = { [unowned connection] in
                self.idle.append(connection)
                self.sendNext()
            }
            connection.onEnd = { [unowned connection] reason, request in
                if let request { self.recorder.withRecorder { $0.fail(request, reason: reason) } }
                self.idle.removeAll { $0 === connection }
                self.reconnect(connection)
            }
        }
        if schedule != nil { planNext() } else { sendNext() }
        return done.futureResult
    }

    /// Ends the schedule now: what is due and not sent counts as not sent.
    func end() {
        schedule = nil
        closedUntil = nil
        finishIfDone()
    }

    /// Gives up the requests without an answer, and closes all connections.
    func close() {
        end()
        for request in due { recorder.withRecorder { $0.fail(request, reason: "not sent in time") } }
        due = []
        for connection in connections { connection.close(reason: "no answer in time") }
        finish()
    }

    /// Connects again after a while, until that succeeds.
    private func reconnect(_ connection: BatchConnection) {
        guard !hasEnded else { return }
        loop.assumeIsolated().scheduleTask(in: Self.retryWait) {
            connection.connect(on: self.loop).assumeIsolated().whenComplete { result in
                switch result {
                case .success: connection.onReady()
                case .failure: self.reconnect(connection)
                }
            }
        }
        finishIfDone()
    }

    private var now: Int {
        recorder.microseconds(.now())
    }

    private var bodiesAhead: Int {
        connections.count + 4
    }
}

extension BatchGenerator {
    /// Waits for the time of the next request.
    private func planNext() {
        guard let time = schedule?.next() else {
            schedule = nil
            return finishIfDone()
        }
        let deadline = recorder.start + .microseconds(Int64(time))
        loop.assumeIsolated().scheduleTask(deadline: deadline) {
            guard self.schedule != nil else { return }
            let request = self.recorder.withRecorder { $0.offer(at: time) }
            self.due.append(request)
            self.sendNext()
            self.planNext()
        }
    }

    /// Sends what is due, as long as there are free connections and bodies.
    private func sendNext() {
        while let connection = idle.last {
            guard let request = nextRequest(), let body = bodies.removeValue(forKey: request) else { break }
            idle.removeLast()
            nextSent = request + 1
            due.removeFirst()
            makeBody()
            let start = now
            recorder.withRecorder { $0.start(request, at: start) }
            connection.send(body, request, items: traffic.itemsPerRequest) { refused in
                let now = self.now
                self.recorder.withRecorder { $0.answer(request, refusing: refused, at: now) }
            }
        }
        finishIfDone()
    }

    /// Returns the request to send next, if its body is ready; in a closed loop, it is due when it can be sent.
    private func nextRequest() -> Int? {
        if due.isEmpty, let end = closedUntil, bodies[nextSent] != nil {
            let now = now
            guard now < end else {
                closedUntil = nil
                return nil
            }
            due.append(recorder.withRecorder { $0.offer(at: now) })
        }
        return due.first
    }

    /// Makes the body of the next request on another thread.
    private func makeBody() {
        let request = nextBody
        nextBody += 1
        let (traffic, coding) = (traffic, coding)
        let body = threads.runIfActive(eventLoop: loop) {
            ByteBuffer(bytes: coding.coded(traffic.body(ofRequest: request)))
        }
        body.assumeIsolated().whenSuccess { bytes in
            self.bodies[request] = bytes
            self.sendNext()
        }
    }

    private func finishIfDone() {
        guard schedule == nil, closedUntil == nil, due.isEmpty else { return }
        if !connections.contains(where: \.isBusy) { finish() }
    }

    private func finish() {
        guard !hasEnded else { return }
        hasEnded = true
        done.succeed()
    }
}

/// The content coding of batches.
package struct BatchCoding: Sendable, Equatable {
    /// The value of the header `Content-Encoding`, or `nil` for none.
    package var name: String?

    private var format: DeflateFormat?
    private var level: Int

    /// gzip at the level that costs least.
    package static let gzip = Self(name: "gzip", format: .gzip, level: 1)

    private init(name: String?, format: DeflateFormat?, level: Int) {
        (self.name, self.format, self.level) = (name, format, level)
    }

    /// Creates a coding, or returns `nil` if it is unknown.
    ///
    /// - Parameters:
    ///   - name: `gzip`, `deflate` or `none`.
    ///   - level: the level of the compression, 0 to 9.
    package init?(_ name: String, level: Int) {
        switch name {
        case "gzip": self.init(name: name, format: .gzip, level: level)
        case "deflate": self.init(name: name, format: .zlib, level: level)
        case "none": self.init(name: nil, format: nil, level: level)
        default: return nil
        }
    }

    func coded(_ bytes: [UInt8]) -> [UInt8] {
        guard let format else { return bytes }
        return Deflater.deflate(bytes, as: format, level: Deflater.Level(level))
    }
}
