internal import Fleets
package import GatewayClient
package import LocalService
internal import NIOCore
internal import NIOPosix
package import WaypostSchema

/// A load test: registers and connects a fleet, sends to it as the schedule says, and measures.
package struct LoadRun: Sendable {
    /// The maximum time until all devices are connected.
    private static let connectionTimeLimit = Duration.seconds(60)

    let settings: LoadSettings
    let client: GatewayClient
    private let target: LoadTarget
    private let couriers: [ListenAddress]
    private let namespace: Namespace?
    let stopRequest: LoadStopRequest

    /// Creates a load test.
    ///
    /// - Parameters:
    ///   - settings: the settings.
    ///   - client: a client of the gateway.
    ///   - target: the listener to which the test sends, which fits the settings.
    ///   - couriers: the addresses of the courier listeners.
    ///   - namespace: the namespace of the client, if not the standard one.
    ///   - stopRequest: ends the load before its schedule does.
    package init(
        _ settings: LoadSettings,
        _ client: GatewayClient,
        target: LoadTarget,
        couriers: [ListenAddress],
        namespace: Namespace? = nil,
        stopRequest: LoadStopRequest
    ) {
        self.settings = settings
        self.client = client
        self.target = target
        self.couriers = couriers
        self.namespace = namespace
        self.stopRequest = stopRequest
    }

    /// Runs the test.
    ///
    /// - Parameter onSecond: called after each second.
    /// - Returns: the result.
    /// - Throws: `LoadError`, `CallError`.
    package func run(onSecond: @escaping @Sendable (LoadSecond) -> Void) async throws -> LoadResult {
        let startTime = try await client.clock().now
        let registration = FleetRegistration(client)
        let credentials = try await registration.register(settings.fleet)
        let outcome = await Result.catching { try await run(credentials, from: startTime, onSecond) }
        await registration.unregisterDespiteCancellation(credentials.flatMap(\.tokens))
        return try outcome.get()
    }

    private func run(
        _ credentials: [FleetCredential],
        from startTime: Timestamp,
        _ onSecond: @escaping @Sendable (LoadSecond) -> Void
    ) async throws -> LoadResult {
        let tokens = credentials.flatMap(\.tokens)
        let traffic = LoadTraffic(
            settings.traffic,
            tokens: tokens,
            itemsPerRequest: settings.itemsPerRequest,
            seed: settings.seed,
            run: UInt32(truncatingIfNeeded: startTime.rawValue)
        )
        let warmUpMicroseconds = Int(settings.warmUp * 1_000_000)
        let recorder = SharedRecorder(
            LoadRecorder(
                traffic,
                devices: tokens,
                measuredTimes: warmUpMicroseconds..<max(warmUpMicroseconds + 1, settings.totalMicroseconds)
            )
        )
        let requestFactory = try await target.makeRequestFactory(
            traffic,
            client,
            namespace: namespace,
            startTime: startTime
        )
        let fleet = try await Fleet(settings.fleet, credentials, couriers: couriers, startTime: startTime) {
            RecordingFleetObserver(recorder)
        }
        let outcome = await Result.catching {
            if !settings.startsOffline { try await connect(fleet) }
            return try await load(requestFactory, recorder, fleet: fleet, startTime: startTime, onSecond: onSecond)
        }
        try await fleet.stop()
        return try outcome.get()
    }

    /// Connects all devices.
    private func connect(_ fleet: Fleet) async throws {
        try await fleet.connect()
        let deadline = ContinuousClock.now + Self.connectionTimeLimit
        while try await fleet.snapshot().counts.everConnected < settings.fleet.credentials {
            guard ContinuousClock.now < deadline else {
                throw LoadError.notConnected(
                    connectedCount: try await fleet.snapshot().counts.connected,
                    of: settings.fleet.credentials
                )
            }
            try await Task.sleep(for: .milliseconds(50))
        }
    }

    private func load(
        _ requestFactory: RequestFactory,
        _ recorder: SharedRecorder,
        fleet: Fleet,
        startTime: Timestamp,
        onSecond: @escaping @Sendable (LoadSecond) -> Void
    ) async throws -> LoadResult {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let threads = NIOThreadPool(numberOfThreads: 2)
        threads.start()
        let outcome = await Result.catching {
            let load = RunningLoad(
                settings: settings,
                client: client,
                recorder: recorder,
                fleet: fleet,
                audit: LoadAudit(client, since: startTime),
                generator: try await makeGenerator(
                    requestFactory,
                    recorder,
                    loop: group.next(),
                    threads: threads
                ),
                stopRequest: stopRequest
            )
            let seconds = try await load.measure(onSecond)
            return try await makeResult(recorder, seconds, audit: load.audit)
        }
        try await group.shutdownGracefully()
        try await threads.shutdownGracefully()
        return try outcome.get()
    }

    private func makeGenerator(
        _ requestFactory: RequestFactory,
        _ recorder: SharedRecorder,
        loop: any EventLoop,
        threads: NIOThreadPool
    ) async throws -> NIOLoopBound<LoadGenerator> {
        let (target, settings) = (target, settings)
        let pace: LoadGenerator.Pace =
            if let schedule = settings.schedule {
                .openLoop(schedule.preceded(bySeconds: settings.warmUp), seed: settings.seed)
            } else {
                .closedLoop(microseconds: settings.totalMicroseconds)
            }
        do {
            return try await loop.flatSubmit {
                let connections = (0..<settings.connections).map { _ in target.makeConnection() }
                let supply = RequestSupply(
                    requestFactory,
                    chunksAhead: connections.count + 4,
                    on: loop,
                    threads: threads
                )
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
            throw LoadError.connectionFailed(CallError.reason(of: error))
        }
    }
}
