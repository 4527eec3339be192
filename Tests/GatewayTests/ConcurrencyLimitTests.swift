import Synchronization
import Testing
import WaypostTestSupport

@testable import Gateway

/// Tests of the limit on work that runs at the same time.
@Suite(.timeLimit(.minutes(5))) struct ConcurrencyLimitTests {
    /// Work begins in the order in which it wanted to, and never more of it than the limit.
    @Test(arguments: Trials.seeds(20)) func workBeginsInOrderAndWithinTheLimit(_ seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var limit = ConcurrencyLimit(maximum: Int.random(in: 1...5, using: &generator))
        var (waiting, running) = ([Int](), 0)
        for _ in 0..<500 {
            if Bool.random(using: &generator) {
                switch limit.begin() {
                case .admitted:
                    #expect(waiting.isEmpty)
                    running += 1
                case .waiting(let number):
                    #expect(running == limit.maximum)
                    waiting.append(number)
                case .refused: Issue.record("the limit is open")
                }
            } else if running > 0 {
                let next = limit.end()
                #expect(next == waiting.first)
                if next == nil { running -= 1 } else { waiting.removeFirst() }
            }
            #expect(limit.runningCount == running && running <= limit.maximum)
            #expect(limit.count == running + waiting.count)
        }
        let refused = limit.close()
        #expect(refused == waiting)
        let last = limit.begin()
        #expect(last == .refused)
        #expect(limit.count == running)
    }

    @Test func limiterRunsEveryWorkWithinItsLimit() async throws {
        let limiter = ConcurrencyLimiter(maximum: 3)
        let work = CountedWork()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<200 {
                group.addTask {
                    try await limiter.run { () async throws(GatewayError) in await work.run() }
                }
            }
            try await group.waitForAll()
        }
        #expect(work.counts.ended == 200)
        #expect((1...3).contains(work.counts.maximum))
        #expect(limiter.count == 0)
    }

    @Test func closedLimiterRefusesWhatWaits() async throws {
        let limiter = ConcurrencyLimiter(maximum: 1)
        let (ends, end) = AsyncStream.makeStream(of: Void.self)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                try await limiter.run { () async throws(GatewayError) in
                    for await _ in ends {}
                }
            }
            try await waitUntil("the work runs") { limiter.count == 1 }
            group.addTask {
                await #expect(throws: GatewayError.shuttingDown) {
                    try await limiter.run { () async throws(GatewayError) in }
                }
            }
            try await waitUntil("other work waits") { limiter.count == 2 }
            limiter.close()
            end.finish()
            try await group.waitForAll()
        }
        #expect(limiter.count == 0)
    }
}

/// Work that counts how much of it runs at the same time.
private final class CountedWork: Sendable {
    private let state = Mutex((running: 0, maximum: 0, ended: 0))

    var counts: (running: Int, maximum: Int, ended: Int) {
        state.withLock(\.self)
    }

    func run() async {
        state.withLock { counts in
            counts.running += 1
            counts.maximum = max(counts.maximum, counts.running)
        }
        for _ in 0..<5 { await Task.yield() }
        state.withLock { counts in
            counts.running -= 1
            counts.ended += 1
        }
    }
}
