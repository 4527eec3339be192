internal import Fleets
internal import GatewayClient
internal import NIOCore

/// A load test whose devices are connected and whose sender is ready.
struct RunningLoad: Sendable {
    /// The time between two queries of the delivery log.
    private static let auditInterval = Duration.seconds(1)

    let settings: LoadSettings
    let client: GatewayClient
    let recorder: SharedRecorder
    let fleet: Fleet
    let audit: LoadAudit
    let generator: NIOLoopBound<LoadGenerator>
    let stopRequest: LoadStopRequest

    /// Sends everything, and returns the measurements of each second.
    func measure(_ onSecond: @escaping @Sendable (LoadSecond) -> Void) async throws -> [LoadSecond] {
        recorder.start = .now() + .milliseconds(20)
        let measurement = LoadMeasurement(client, fleet, recorder: recorder, warmUp: settings.warmUp)
        return try await withThrowingTaskGroup(of: [LoadSecond]?.self) { tasks in
            tasks.addTask {
                try await measurement.run(onSecond: onSecond)
            }
            tasks.addTask {
                try await send()
                measurement.end()
                return nil
            }
            tasks.addTask {
                try await beginStorms(until: measurement)
                return nil
            }
            var seconds: [LoadSecond] = []
            for try await part in tasks { seconds = part ?? seconds }
            return seconds
        }
    }

    /// Sends everything, and waits until it has arrived, or for the time of `drain`.
    private func send() async throws {
        let (generator, loop) = (generator, generator.eventLoop)
        try await withThrowingTaskGroup { tasks in
            // After the drain, requests without a response fail. A canceled wait ends at once.
            tasks.addTask {
                await stopRequest.wait()
                try await loop.submit { generator.value.end() }.get()
                try? await Task.sleep(for: .seconds(settings.drain))
                try await loop.submit { generator.value.close() }.get()
            }
            tasks.addTask {
                try? await Task.sleep(for: .microseconds(settings.totalMicroseconds) + .seconds(settings.drain))
                try await loop.submit { generator.value.close() }.get()
            }
            try await loop.flatSubmit { generator.value.begin() }.get()
            tasks.cancelAll()
        }
        if settings.startsOffline { try await fleet.connect() }
        try await drain()
        try await loop.submit { generator.value.close() }.get()
    }

    /// Begins the storms of the fleet at their times, counted from the start of the measured part.
    private func beginStorms(until measurement: LoadMeasurement) async throws {
        let start = ContinuousClock.now + .seconds(settings.warmUp)
        for storm in settings.fleet.behavior.storms.sorted(by: { $0.at < $1.at }) {
            let time = start + .microseconds(storm.at)
            while ContinuousClock.now < time, !measurement.hasEnded {
                try await Task.sleep(until: min(time, .now + .milliseconds(20)), clock: .continuous)
            }
            if measurement.hasEnded { return }
            try await fleet.begin(storm)
        }
    }

    /// Waits until everything that was accepted is acknowledged or has ended otherwise, or for the time of `drain`.
    private func drain() async throws {
        let deadline = ContinuousClock.now + .seconds(settings.drain)
        var nextAudit = ContinuousClock.now + Self.auditInterval
        while !recorder.withRecorder({ $0.isSettled }), ContinuousClock.now < deadline {
            try await Task.sleep(for: .milliseconds(20))
            guard settings.traffic.canEndUndelivered, ContinuousClock.now >= nextAudit else { continue }
            let endedItems = try await audit.endedItems()
            if recorder.withRecorder({ $0.isSettled(ignoring: endedItems.keys) }) { return }
            nextAudit = .now + Self.auditInterval
        }
    }
}
