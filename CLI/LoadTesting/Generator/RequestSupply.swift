internal import NIOCore
internal import NIOPosix

/// A function that makes requests, on any thread.
struct RequestFactory: Sendable {
    /// The number of requests that are made at once: many small ones, or one large one.
    let chunkSize: Int

    private let make: @Sendable (_ number: Int) -> PreparedRequest

    init(chunkSize: Int, _ make: @escaping @Sendable (_ number: Int) -> PreparedRequest) {
        (self.chunkSize, self.make) = (chunkSize, make)
    }

    /// Returns the requests of a chunk.
    func requests(ofChunk number: Int) -> [PreparedRequest] {
        (number * chunkSize..<(number + 1) * chunkSize).map(make)
    }
}

/// The requests that are ready to be sent.
///
/// They are made ahead of their time on threads of their own, several at once, and taken in the order of their numbers.
final class RequestSupply {
    /// Called when more requests are ready.
    var onReady: () -> Void = {}

    private let factory: RequestFactory
    private let chunksAhead: Int
    private let loop: any EventLoop
    private let threads: NIOThreadPool
    private var chunks: [Int: [PreparedRequest]] = [:]
    private var nextChunk = 0

    /// Creates a supply.
    ///
    /// - Parameters:
    ///   - factory: makes the requests.
    ///   - chunksAhead: the number of chunks that are ready ahead of their time.
    ///   - loop: the event loop of all calls.
    ///   - threads: the threads that make the requests.
    init(_ factory: RequestFactory, chunksAhead: Int, on loop: any EventLoop, threads: NIOThreadPool) {
        (self.factory, self.chunksAhead, self.loop, self.threads) = (factory, chunksAhead, loop, threads)
    }

    private var chunkSize: Int {
        factory.chunkSize
    }

    /// Makes the first requests.
    ///
    /// - Returns: a future that succeeds when they are ready.
    func prepare() -> EventLoopFuture<Void> {
        EventLoopFuture.andAllSucceed((0..<chunksAhead).map { _ in makeChunk() }, on: loop)
    }

    /// Returns whether the request with a number is ready.
    func isReady(_ number: Int) -> Bool {
        chunks[number / chunkSize] != nil
    }

    /// Returns the request with a number, and removes it; `nil` if it is not ready.
    func takeRequest(_ number: Int) -> PreparedRequest? {
        guard let chunk = chunks[number / chunkSize] else { return nil }
        if number % chunkSize == chunkSize - 1 {
            chunks[number / chunkSize] = nil
            _ = makeChunk()
        }
        return chunk[number % chunkSize]
    }

    private func makeChunk() -> EventLoopFuture<Void> {
        let (chunkNumber, factory) = (nextChunk, factory)
        nextChunk += 1
        let requests = threads.runIfActive(eventLoop: loop) { factory.requests(ofChunk: chunkNumber) }
        return requests.assumeIsolated()
            .map { requests in
                self.chunks[chunkNumber] = requests
                self.onReady()
            }
            .nonisolated()
    }
}
