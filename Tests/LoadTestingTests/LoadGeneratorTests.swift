import NIOCore
import NIOPosix
import Testing
import WaypostSchema

@testable import LoadTesting

/// The generator over connections that are not sockets.
@Suite(.timeLimit(.minutes(5))) struct LoadGeneratorTests {
    /// A connection that answers at once, or never.
    private final class FakeConnection: LoadConnection {
        var onReady: () -> Void = {}
        var onResponse: (_ number: Int, _ refusals: [Int: String]) -> Void = { _, _ in }
        var onFailure: (_ number: Int, _ reason: String) -> Void = { _, _ in }
        var onEnd: () -> Void = {}

        /// Is called after answers, with their number from the beginning.
        var onAnswered: (Int) -> Void = { _ in }

        private let answers: Bool
        private let limit: Int
        private var open: [Int] = []
        private var answered = 0

        init(answers: Bool, limit: Int) {
            (self.answers, self.limit) = (answers, limit)
        }

        var canSend: Bool { open.count < limit }
        var pendingRequestCount: Int { open.count }

        func connect(on loop: any EventLoop) -> EventLoopFuture<Void> {
            loop.makeSucceededVoidFuture()
        }

        func send(_ request: PreparedRequest, number: Int) {
            open.append(number)
        }

        func flush() {
            guard answers else { return }
            let requests = open
            open = []
            for request in requests { onResponse(request, [:]) }
            answered += requests.count
            onAnswered(answered)
            onReady()
        }

        func close(reason: String) {
            for request in open { onFailure(request, reason) }
            open = []
        }
    }

    /// Runs a generator, lets `interfere` do something with it, and returns what was recorded.
    ///
    /// `limit` is the number of requests that a connection can have without an answer, `enough` the number of answers on
    /// a connection after which the generator is ended.
    private static func run(
        _ pace: LoadGenerator.Pace,
        answers: Bool,
        limit: Int = 3,
        enough: Int = .max,
        _ interfere: @escaping @Sendable (LoadGenerator) -> Void = { _ in }
    ) async throws -> LoadRecorder {
        let traffic = LoadTraffic(LoadTraffic.Settings(), tokens: ["a"], itemsPerRequest: 1, seed: 1, run: 1)
        let recorder = SharedRecorder(LoadRecorder(traffic, devices: ["a"], measuredTimes: 0..<Int.max))
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let threads = NIOThreadPool(numberOfThreads: 1)
        threads.start()
        let loop = group.next()
        recorder.start = .now()
        try await loop.flatSubmit {
            let factory = RequestFactory(chunkSize: 4) { _ in .batch(ByteBuffer()) }
            let connections = (0..<2).map { _ in FakeConnection(answers: answers, limit: limit) }
            let generator = LoadGenerator(
                pace: pace,
                itemsPerRequest: 1,
                from: RequestSupply(factory, chunksAhead: 2, on: loop, threads: threads),
                over: connections,
                recorder: recorder,
                on: loop
            )
            for connection in connections {
                connection.onAnswered = { if $0 >= enough { generator.end() } }
            }
            let bound = NIOLoopBound(generator, eventLoop: loop)
            return generator.prepare().flatMap {
                let done = bound.value.begin()
                interfere(bound.value)
                return done
            }.always { _ in bound.value.close() }
        }.get()
        try await threads.shutdownGracefully()
        try await group.shutdownGracefully()
        return recorder.withRecorder { $0 }
    }

    private static func schedule(_ rate: Double, seconds: Double) -> LoadGenerator.Pace {
        .openLoop(LoadSchedule([LoadSchedule.Segment(seconds: seconds, startRate: rate, endRate: rate)]), seed: 1)
    }

    @Test func everyRequestOfTheScheduleIsSent() async throws {
        let recorder = try await Self.run(Self.schedule(500, seconds: 0.1), answers: true)
        #expect((recorder.offeredCount, recorder.acceptedCount, recorder.errorCounts) == (50, 50, [:]))
    }

    @Test func closedLoopSendsUntilItIsEnded() async throws {
        let recorder = try await Self.run(.closedLoop(microseconds: 60_000_000), answers: true, enough: 20)
        #expect(recorder.acceptedCount >= 20)
        #expect(recorder.offeredCount == recorder.acceptedCount)
    }

    @Test func closedLoopEndsAfterItsTime() async throws {
        let recorder = try await Self.run(.closedLoop(microseconds: 20_000), answers: true)
        #expect(recorder.offeredCount == recorder.acceptedCount)
    }

    @Test func endFailsWhatIsDueAndCloseWhatHasNoAnswer() async throws {
        // Two connections with three requests each take six of the fifty.
        let recorder = try await Self.run(Self.schedule(1_000_000, seconds: 0.000_05), answers: false) { generator in
            generator.end()
            generator.close()
        }
        #expect(recorder.acceptedCount == 0)
        #expect(recorder.offeredCount <= 50)
        #expect(recorder.errorCounts.values.reduce(0, +) == recorder.offeredCount)
        #expect(recorder.errorCounts["no answer in time", default: 0] <= 6)
    }

    @Test func generatorThatWasEndedBeforeItsBeginningEnds() async throws {
        let loop = MultiThreadedEventLoopGroup.singleton.any()
        let traffic = LoadTraffic(LoadTraffic.Settings(), tokens: ["a"], itemsPerRequest: 1, seed: 1, run: 1)
        let recorder = SharedRecorder(LoadRecorder(traffic, devices: ["a"], measuredTimes: 0..<Int.max))
        try await loop.flatSubmit {
            let factory = RequestFactory(chunkSize: 1) { _ in .batch(ByteBuffer()) }
            let generator = LoadGenerator(
                pace: .closedLoop(microseconds: 1_000_000),
                itemsPerRequest: 1,
                from: RequestSupply(factory, chunksAhead: 1, on: loop, threads: .singleton),
                over: [FakeConnection(answers: true, limit: 1)],
                recorder: recorder,
                on: loop
            )
            generator.end()
            let bound = NIOLoopBound(generator, eventLoop: loop)
            return generator.begin().always { _ in bound.value.close() }
        }.get()
        #expect(recorder.withRecorder { $0.offeredCount } == 0)
    }
}
