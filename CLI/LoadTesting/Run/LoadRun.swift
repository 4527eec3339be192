package import Fleets
internal import Foundation
package import GatewayClient
internal import NIOCore
internal import NIOPosix
internal import Synchronization
internal import WaypostSchema

/// The reason why a load test cannot run.
package enum LoadError: Error, Sendable, Equatable, CustomStringConvertible {
    /// A listener has no URL that a load test can use.
    case unusableURL(String)

    /// The devices are not connected in time.
    case notConnected(Int, of: Int)

    /// A description of the error.
    package var description: String {
        switch self {
        case .unusableURL(let url): "\(url): a load test needs a URL such as http://127.0.0.1:7330"
        case .notConnected(let count, let all): "only \(count) of \(all) devices are connected after a minute"
        }
    }
}

/// A load test: registers and connects a fleet, sends to it as the schedule says, and measures.
package struct LoadRun: Sendable {
    /// The longest wait until all devices are connected.
    private static let connectingLimit = Duration.seconds(60)

    private let settings: LoadSettings
    private let client: GatewayClient
    private let endpoint: BatchEndpoint
    private let courier: CourierAddress
    let isStopped: LoadStop

    /// Creates a load test.
    ///
    /// - Parameters:
    ///   - settings: the settings.
    ///   - client: a client of the gateway.
    ///   - endpoint: the address of its service listener.
    ///   - courier: the address of its courier listener.
    ///   - stop: ends the load before its schedule does.
    package init(
        _ settings: LoadSettings,
        _ client: GatewayClient,
        _ endpoint: BatchEndpoint,
        courier: CourierAddress,
        stop: LoadStop
    ) {
        self.settings = settings
        self.client = client
        self.endpoint = endpoint
        self.courier = courier
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
        let tokens = credentials.flatMap(\.tokens)
        let traffic = LoadTraffic(
            settings.items,
            tokens: tokens,
            itemsPerRequest: settings.batch,
            seed: settings.seed,
            run: UInt32(truncatingIfNeeded: begin.rawValue)
        )
        let warmUp = Int(settings.warmUp * 1_000_000)
        let recorder = SharedRecorder(
            LoadRecorder(traffic, devices: tokens.count, measured: warmUp..<max(warmUp + 1, settings.microseconds))
        )
        let fleet = try await Fleet(settings.fleet, credentials, courier: courier, wallStart: begin) {
            RecorderObserver(recorder)
        }
        if !settings.startsOffline { try await connect(fleet) }
        let result = try await load(traffic, recorder, fleet, begin, onSecond)
        try await fleet.stop()
        try await registration.unregister(tokens)
        return result
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
        _ traffic: LoadTraffic,
        _ recorder: SharedRecorder,
        _ fleet: Fleet,
        _ begin: Timestamp,
        _ onSecond: @escaping @Sendable (LoadSecond) -> Void
    ) async throws -> LoadResult {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let threads = NIOThreadPool(numberOfThreads: 2)
        threads.start()
        let seconds: Result<[LoadSecond], any Error>
        do {
            let generator = try await makeGenerator(traffic, recorder, group.next(), threads)
            seconds = .success(try await measure(generator, recorder, fleet, onSecond))
        } catch {
            seconds = .failure(error)
        }
        try await group.shutdownGracefully()
        try await threads.shutdownGracefully()
        return result(recorder, begin, try seconds.get(), settings)
    }

    /// Sends everything, and returns the measurements of each second.
    private func measure(
        _ generator: NIOLoopBound<BatchGenerator>,
        _ recorder: SharedRecorder,
        _ fleet: Fleet,
        _ onSecond: @escaping @Sendable (LoadSecond) -> Void
    ) async throws -> [LoadSecond] {
        recorder.start = .now() + .milliseconds(20)
        let measurement = LoadMeasurement(client, fleet, recorder, warmUp: settings.warmUp)
        return try await withThrowingTaskGroup(of: [LoadSecond]?.self) { tasks in
            tasks.addTask {
                try await measurement.seconds(onSecond)
            }
            tasks.addTask {
                try await send(generator, recorder, fleet)
                measurement.end()
                return nil
            }
            var seconds: [LoadSecond] = []
            for try await part in tasks { seconds = part ?? seconds }
            return seconds
        }
    }

    private func makeGenerator(
        _ traffic: LoadTraffic,
        _ recorder: SharedRecorder,
        _ loop: any EventLoop,
        _ threads: NIOThreadPool
    ) async throws -> NIOLoopBound<BatchGenerator> {
        let pace: BatchGenerator.Pace =
            if let schedule = settings.schedule {
                .open(schedule.preceded(bySeconds: settings.warmUp), seed: settings.seed)
            } else {
                .closed(microseconds: settings.microseconds)
            }
        let (endpoint, settings) = (endpoint, settings)
        return try await loop.flatSubmit {
            let generator = BatchGenerator(
                traffic,
                pace: pace,
                coding: settings.coding,
                to: endpoint,
                connections: settings.connections,
                recorder: recorder,
                on: loop,
                threads: threads
            )
            let bound = NIOLoopBound(generator, eventLoop: loop)
            return generator.prepare().map { bound }
        }.get()
    }

    /// Sends everything, and waits until it has arrived, or for the time of `drain`.
    private func send(
        _ generator: NIOLoopBound<BatchGenerator>,
        _ recorder: SharedRecorder,
        _ fleet: Fleet
    ) async throws {
        let loop = generator.eventLoop
        let stop = isStopped
        try await withThrowingTaskGroup { tasks in
            tasks.addTask {
                await stop.wait()
                try await loop.submit { generator.value.end() }.get()
            }
            let limit = Duration.microseconds(settings.microseconds) + .seconds(settings.drain)
            tasks.addTask {
                // What has no answer by then never gets one.
                try? await Task.sleep(for: limit)
                if !Task.isCancelled { try await loop.submit { generator.value.close() }.get() }
            }
            try await loop.flatSubmit { generator.value.begin() }.get()
            tasks.cancelAll()
        }
        if settings.startsOffline { try await fleet.connect() }
        let end = ContinuousClock.now + .seconds(settings.drain)
        while !recorder.withRecorder({ $0.isSettled }), ContinuousClock.now < end {
            try await Task.sleep(for: .milliseconds(20))
        }
        try await loop.submit { generator.value.close() }.get()
    }
}

extension FleetSettings {
    /// The number of credentials, each with a stream.
    var credentials: Int {
        (devices + devicesPerCredential - 1) / devicesPerCredential
    }
}

/// A request to end a load before its schedule does.
package final class LoadStop: Sendable {
    private let stream: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation
    private let requested = Atomic(false)

    /// Creates a request that nobody has made yet.
    package init() {
        (stream, continuation) = AsyncStream.makeStream()
    }

    /// Makes the request.
    package func request() {
        requested.store(true, ordering: .relaxed)
        continuation.finish()
    }

    /// Whether the request was made.
    var isRequested: Bool {
        requested.load(ordering: .relaxed)
    }

    /// Waits until the request is made, or the task is canceled.
    func wait() async {
        for await _ in stream {}
    }
}
