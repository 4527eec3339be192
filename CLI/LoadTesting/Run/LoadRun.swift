package import Fleets
internal import Foundation
package import GatewayClient
internal import NIOCore
internal import NIOPosix
package import WaypostSchema

/// The reason why a load test cannot run.
package enum LoadError: Error, Sendable, Equatable, CustomStringConvertible {
    /// A listener has no URL that a load test can use.
    case unusableURL(String)

    /// The devices are not connected in time.
    case notConnected(Int, of: Int)

    /// The gateway refused a channel for messages to all devices.
    case noChannel(status: Int)

    /// A listener does not take connections.
    case noConnection(String)

    /// A description of the error.
    package var description: String {
        switch self {
        case .unusableURL(let url): "\(url): a load test needs a URL such as http://127.0.0.1:7330"
        case .notConnected(let count, let all): "only \(count) of \(all) devices are connected after a minute"
        case .noChannel(let status): "the gateway refused a channel with status \(status)"
        case .noConnection(let reason): "the sender cannot connect: \(reason)"
        }
    }
}

/// A load test: registers and connects a fleet, sends to it as the schedule says, and measures.
package struct LoadRun: Sendable {
    /// The longest wait until all devices are connected.
    private static let connectingLimit = Duration.seconds(60)

    let settings: LoadSettings
    let client: GatewayClient
    private let target: LoadTarget
    private let courier: CourierAddress
    private let namespace: Namespace?
    let isStopped: LoadStop

    /// Creates a load test.
    ///
    /// - Parameters:
    ///   - settings: the settings.
    ///   - client: a client of the gateway.
    ///   - target: the listener to which the test sends, which fits the settings.
    ///   - courier: the address of the courier listener.
    ///   - namespace: the namespace of the client, if not the standard one.
    ///   - stop: ends the load before its schedule does.
    package init(
        _ settings: LoadSettings,
        _ client: GatewayClient,
        _ target: LoadTarget,
        courier: CourierAddress,
        namespace: Namespace? = nil,
        stop: LoadStop
    ) {
        self.settings = settings
        self.client = client
        self.target = target
        self.courier = courier
        self.namespace = namespace
        isStopped = stop
    }

    /// Runs the test.
    ///
    /// - Parameter onSecond: called after each second.
    /// - Returns: the result.
    /// - Throws: `LoadError`, `CallError`.
    package func run(onSecond: @escaping @Sendable (LoadSecond) -> Void) async throws -> LoadResult {
        let begin = try await client.clock().now
        let registration = FleetRegistration(client)
        let credentials = try await registration.register(settings.fleet)
        let outcome = await Result.catching { try await run(credentials, from: begin, onSecond) }
        await registration.unregisterDespiteCancellation(credentials.flatMap(\.tokens))
        return try outcome.get()
    }

    private func run(
        _ credentials: [FleetCredential],
        from begin: Timestamp,
        _ onSecond: @escaping @Sendable (LoadSecond) -> Void
    ) async throws -> LoadResult {
        let tokens = credentials.flatMap(\.tokens)
        let traffic = LoadTraffic(
            settings.items,
            tokens: tokens,
            itemsPerRequest: settings.itemsPerRequest,
            seed: settings.seed,
            run: UInt32(truncatingIfNeeded: begin.rawValue)
        )
        let warmUp = Int(settings.warmUp * 1_000_000)
        let recorder = SharedRecorder(
            LoadRecorder(traffic, devices: tokens, measured: warmUp..<max(warmUp + 1, settings.microseconds))
        )
        let maker = try await requestMaker(traffic, begin)
        let fleet = try await Fleet(settings.fleet, credentials, courier: courier, wallStart: begin) {
            RecorderObserver(recorder)
        }
        let outcome = await Result.catching {
            if !settings.startsOffline { try await connect(fleet) }
            return try await load(maker, recorder, fleet, begin, onSecond)
        }
        try await fleet.stop()
        return try outcome.get()
    }

    /// Returns what makes requests, on any thread; for messages to all devices, it makes a channel with all devices.
    private func requestMaker(_ traffic: LoadTraffic, _ begin: Timestamp) async throws -> RequestMaker {
        let start = NIODeadline.now()
        let now = { @Sendable in begin.rawValue / 1_000 + Int((NIODeadline.now() - start).nanoseconds / 1_000_000_000) }
        switch (target, settings.api) {
        case (.provider(let endpoint), _):
            var channel: ChannelID?
            if settings.items.broadcast > 0 {
                let made = try await endpoint.createChannel(of: settings.items.topic, in: namespace, at: now())
                try await FleetRegistration(client).subscribe(traffic.devices, to: made)
                channel = made
            }
            let targets = try ProviderTargets(endpoint, channel: channel, at: now())
            return RequestMaker(chunk: 64) { request in
                let time = now()
                let made = traffic.request(request, at: time, to: targets.target(at: time))
                return .notification(made.head, body: made.body)
            }
        case (.batches, .batches(_, let coding)):
            return RequestMaker(chunk: 1) { .batch(ByteBuffer(bytes: coding.coded(traffic.batch($0, at: now())))) }
        case (.batches, .provider): preconditionFailure("the listener does not fit the settings")
        }
    }

    /// Connects all devices.
    private func connect(_ fleet: Fleet) async throws {
        try await fleet.connect()
        let end = ContinuousClock.now + Self.connectingLimit
        while try await fleet.snapshot().counts.connections < settings.fleet.credentials {
            guard ContinuousClock.now < end else {
                throw LoadError.notConnected(
                    try await fleet.snapshot().counts.connected,
                    of: settings.fleet.credentials
                )
            }
            try await Task.sleep(for: .milliseconds(50))
        }
    }

    private func load(
        _ maker: RequestMaker,
        _ recorder: SharedRecorder,
        _ fleet: Fleet,
        _ begin: Timestamp,
        _ onSecond: @escaping @Sendable (LoadSecond) -> Void
    ) async throws -> LoadResult {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let threads = NIOThreadPool(numberOfThreads: 2)
        threads.start()
        let outcome = await Result.catching {
            let generator = try await makeGenerator(maker, recorder, group.next(), threads)
            let audit = LoadAudit(client, since: begin)
            let seconds = try await measure(generator, recorder, fleet, audit, onSecond)
            return try await result(recorder, seconds, audit)
        }
        try await group.shutdownGracefully()
        try await threads.shutdownGracefully()
        return try outcome.get()
    }

    /// Sends everything, and returns the measurements of each second.
    private func measure(
        _ generator: NIOLoopBound<LoadGenerator>,
        _ recorder: SharedRecorder,
        _ fleet: Fleet,
        _ audit: LoadAudit,
        _ onSecond: @escaping @Sendable (LoadSecond) -> Void
    ) async throws -> [LoadSecond] {
        recorder.start = .now() + .milliseconds(20)
        let measurement = LoadMeasurement(client, fleet, recorder, warmUp: settings.warmUp)
        return try await withThrowingTaskGroup(of: [LoadSecond]?.self) { tasks in
            tasks.addTask {
                try await measurement.seconds(onSecond)
            }
            tasks.addTask {
                try await send(generator, recorder, fleet, audit)
                measurement.end()
                return nil
            }
            tasks.addTask {
                try await storms(of: fleet, until: measurement)
                return nil
            }
            var seconds: [LoadSecond] = []
            for try await part in tasks { seconds = part ?? seconds }
            return seconds
        }
    }

    private func makeGenerator(
        _ maker: RequestMaker,
        _ recorder: SharedRecorder,
        _ loop: any EventLoop,
        _ threads: NIOThreadPool
    ) async throws -> NIOLoopBound<LoadGenerator> {
        let (target, settings) = (target, settings)
        let pace: LoadGenerator.Pace =
            if let schedule = settings.schedule {
                .open(schedule.preceded(bySeconds: settings.warmUp), seed: settings.seed)
            } else {
                .closed(microseconds: settings.microseconds)
            }
        do {
            return try await loop.flatSubmit {
                let connections = (0..<settings.connections).map { _ in target.makeConnection(settings) }
                let supply = RequestSupply(maker, ahead: connections.count + 4, on: loop, threads: threads)
                let generator = LoadGenerator(
                    pace: pace,
                    itemsPerRequest: settings.itemsPerRequest,
                    from: supply,
                    over: connections,
                    recorder: recorder,
                    on: loop
                )
                let bound = NIOLoopBound(generator, eventLoop: loop)
                return generator.prepare().map { bound }
            }.get()
        } catch {
            throw LoadError.noConnection("\(error)")
        }
    }

    /// Begins the storms of the fleet at their times, counted from the start of the measured part.
    private func storms(of fleet: Fleet, until measurement: LoadMeasurement) async throws {
        let start = ContinuousClock.now + .seconds(settings.warmUp)
        for storm in settings.fleet.behavior.storms.sorted(by: { $0.at < $1.at }) {
            let time = start + .microseconds(storm.at)
            while ContinuousClock.now < time, !measurement.isDone {
                try await Task.sleep(until: min(time, .now + .milliseconds(20)), clock: .continuous)
            }
            if measurement.isDone { return }
            try await fleet.begin(storm)
        }
    }

    /// Sends everything, and waits until it has arrived, or for the time of `drain`.
    private func send(
        _ generator: NIOLoopBound<LoadGenerator>,
        _ recorder: SharedRecorder,
        _ fleet: Fleet,
        _ audit: LoadAudit
    ) async throws {
        let loop = generator.eventLoop
        let stop = isStopped
        try await withThrowingTaskGroup { tasks in
            // What has no answer by the end of the drain never gets one. A canceled wait ends at once.
            tasks.addTask {
                await stop.wait()
                try await loop.submit { generator.value.end() }.get()
                try? await Task.sleep(for: .seconds(settings.drain))
                try await loop.submit { generator.value.close() }.get()
            }
            tasks.addTask {
                try? await Task.sleep(for: .microseconds(settings.microseconds) + .seconds(settings.drain))
                try await loop.submit { generator.value.close() }.get()
            }
            try await loop.flatSubmit { generator.value.begin() }.get()
            tasks.cancelAll()
        }
        if settings.startsOffline { try await fleet.connect() }
        try await drain(recorder, audit)
        try await loop.submit { generator.value.close() }.get()
    }
}

extension LoadRun {
    /// The time between two looks into the delivery log.
    private static let auditInterval = Duration.seconds(1)

    /// Waits until everything that was accepted is acknowledged or has ended otherwise, or for the time of `drain`.
    private func drain(_ recorder: SharedRecorder, _ audit: LoadAudit) async throws {
        let end = ContinuousClock.now + .seconds(settings.drain)
        var nextAudit = ContinuousClock.now + Self.auditInterval
        while !recorder.withRecorder({ $0.isSettled }), ContinuousClock.now < end {
            try await Task.sleep(for: .milliseconds(20))
            guard settings.items.canEndUndelivered, ContinuousClock.now >= nextAudit else { continue }
            let ended = try await audit.ended()
            if recorder.withRecorder({ $0.isSettled(besides: ended.keys) }) { return }
            nextAudit = .now + Self.auditInterval
        }
    }
}

extension LoadTarget {
    /// Makes a connection to the listener.
    fileprivate func makeConnection(_ settings: LoadSettings) -> any LoadConnection {
        switch (self, settings.api) {
        case (.batches(let endpoint), .batches(let items, let coding)):
            BatchConnection(endpoint, coding, items: items)
        case (.provider(let endpoint), .provider(let streams)): ProviderConnection(endpoint, streams: streams)
        case (.batches, .provider), (.provider, .batches):
            preconditionFailure("the listener does not fit the settings")
        }
    }
}
