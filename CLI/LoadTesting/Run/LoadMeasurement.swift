internal import Fleets
internal import GatewayClient
internal import NIOCore
internal import Synchronization

/// The measurements of each second of a load test.
final class LoadMeasurement: Sendable {
    /// The gateway's metrics at a time.
    private struct Sample: Sendable {
        var metrics: MetricsScrape
        var time: NIODeadline
    }

    private let client: GatewayClient
    private let fleet: Fleet
    private let recorder: SharedRecorder
    private let warmUp: Double
    private let endFlag = Mutex(false)

    /// The latest metrics; a gateway that stalls does not respond in time.
    private let sample = Mutex<Sample?>(nil)

    init(_ client: GatewayClient, _ fleet: Fleet, recorder: SharedRecorder, warmUp: Double) {
        (self.client, self.fleet, self.recorder, self.warmUp) = (client, fleet, recorder, warmUp)
    }

    /// Ends the measurements.
    func end() {
        endFlag.withLock { $0 = true }
    }

    /// Whether the measurements have ended.
    var hasEnded: Bool {
        endFlag.withLock { $0 }
    }

    /// Measures each second until `end` is called; the last one may be shorter.
    ///
    /// The seconds of the measured part begin with its start, so the first second of the warm-up may be shorter too.
    func run(onSecond: @escaping @Sendable (LoadSecond) -> Void) async throws -> [LoadSecond] {
        await takeSample()
        return try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { await self.pollMetrics() }
            defer { tasks.cancelAll() }
            return try await measure(onSecond)
        }
    }

    private func measure(_ onSecond: @Sendable (LoadSecond) -> Void) async throws -> [LoadSecond] {
        var seconds: [LoadSecond] = []
        var secondNumber = -Int(warmUp.rounded(.up))
        var (usage, time, sample) = (ProcessorUsage.now(), NIODeadline.now(), sample.withLock { $0 })
        var secondEnd = recorder.start + .nanoseconds(Int64((warmUp + Double(secondNumber)) * 1e9))
        var isLast = false
        repeat {
            secondEnd = secondEnd + .seconds(1)
            while NIODeadline.now() < secondEnd, !hasEnded {
                let remainingTime = Duration.nanoseconds(max(0, (secondEnd - .now()).nanoseconds))
                try await Task.sleep(for: min(remainingTime, .milliseconds(20)))
            }
            isLast = hasEnded
            // A busy gateway may not have responded since the first sample.
            if isLast, seconds.allSatisfy({ $0.gateway == nil }) { await takeSample() }
            var second = recorder.withRecorder { $0.finishSecond(secondNumber) }
            let (laterUsage, laterTime) = (ProcessorUsage.now(), NIODeadline.now())
            let elapsedSeconds = Double((laterTime - time).nanoseconds) / 1e9
            second.connected = try await fleet.snapshot().counts.connected
            second.generatorBusy = laterUsage.busiestThreadShare(since: usage, seconds: elapsedSeconds)
            let laterSample = self.sample.withLock { $0 }
            if let sample, let laterSample, sample.time < laterSample.time {
                let sampleInterval = Double((laterSample.time - sample.time).nanoseconds) / 1e9
                let gateway = laterSample.metrics.change(since: sample.metrics, seconds: sampleInterval)
                second.gateway = gateway
                second.othersBusy = laterUsage.otherProgramsShare(
                    since: usage,
                    seconds: elapsedSeconds,
                    gatewayCores: gateway.cpu
                )
            }
            (usage, time, sample) = (laterUsage, laterTime, laterSample)
            seconds.append(second)
            onSecond(second)
            secondNumber += 1
        } while !isLast
        return seconds
    }

    /// Requests the gateway's metrics shortly before the end of each second.
    private func pollMetrics() async {
        var nextSampleTime = recorder.start - .milliseconds(50)
        while !Task.isCancelled {
            await takeSample()
            repeat { nextSampleTime = nextSampleTime + .seconds(1) } while nextSampleTime < .now()
            try? await Task.sleep(for: .nanoseconds((nextSampleTime - .now()).nanoseconds))
        }
    }

    /// Requests the gateway's metrics; without a response, the sample stays as it is.
    private func takeSample() async {
        guard let text = try? await client.metrics() else { return }
        let newSample = Sample(metrics: MetricsScrape(text), time: .now())
        sample.withLock { $0 = newSample }
    }
}
