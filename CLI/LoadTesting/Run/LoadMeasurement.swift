internal import Fleets
internal import GatewayClient
internal import NIOCore
internal import Synchronization

/// The measurements of each second of a load test.
final class LoadMeasurement: Sendable {
    private let client: GatewayClient
    private let fleet: Fleet
    private let recorder: SharedRecorder
    private let warmUp: Double
    private let hasEnded = Mutex(false)

    init(_ client: GatewayClient, _ fleet: Fleet, _ recorder: SharedRecorder, warmUp: Double) {
        (self.client, self.fleet, self.recorder, self.warmUp) = (client, fleet, recorder, warmUp)
    }

    /// Ends the measurements.
    func end() {
        hasEnded.withLock { $0 = true }
    }

    /// Measures each second until `end` is called; the last one may be shorter.
    func seconds(_ onSecond: @Sendable (LoadSecond) -> Void) async throws -> [LoadSecond] {
        var seconds: [LoadSecond] = []
        var number = -Int(warmUp)
        var (threads, time) = (ThreadUsage.now(), NIODeadline.now())
        var metrics = await metrics()
        var next = ContinuousClock.now
        repeat {
            next += .seconds(1)
            while ContinuousClock.now < next, !isDone {
                try await Task.sleep(until: min(next, .now + .milliseconds(20)), clock: .continuous)
            }
            var second = recorder.withRecorder { $0.takeSecond(number) }
            let (laterThreads, laterTime, laterMetrics) = (ThreadUsage.now(), NIODeadline.now(), await self.metrics())
            let length = Double((laterTime - time).nanoseconds) / 1e9
            second.connected = try await fleet.snapshot().counts.connected
            second.generatorBusy = laterThreads.busiest(since: threads, seconds: length)
            if let metrics, let laterMetrics { second.gateway = laterMetrics.since(metrics, seconds: length) }
            (threads, time, metrics) = (laterThreads, laterTime, laterMetrics)
            seconds.append(second)
            onSecond(second)
            number += 1
        } while !isDone
        return seconds
    }

    private var isDone: Bool {
        hasEnded.withLock { $0 }
    }

    private func metrics() async -> GatewayMetrics? {
        (try? await client.metrics()).map(GatewayMetrics.init)
    }
}
