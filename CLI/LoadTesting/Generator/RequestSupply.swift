internal import NIOCore
internal import NIOPosix

/// A function that makes requests, on any thread.
struct RequestMaker: Sendable {
    /// The number of requests that are made at once: many small ones, or one large one.
    let chunkSize: Int

    private let make: @Sendable (_ request: Int) -> PreparedRequest

    init(chunkSize: Int, _ make: @escaping @Sendable (_ request: Int) -> PreparedRequest) {
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

    private let maker: RequestMaker
    private let chunksAhead: Int
    private let loop: any EventLoop
    private let threads: NIOThreadPool
    private var chunks: [Int: [PreparedRequest]] = [:]
    private var nextChunk = 0

    /// Creates a supply.
    ///
    /// - Parameters:
    ///   - maker: makes the requests.
    ///   - chunksAhead: the number of chunks that are ready ahead of their time.
    ///   - loop: the event loop of all calls.
    ///   - threads: the threads that make the requests.
    init(_ maker: RequestMaker, chunksAhead: Int, on loop: any EventLoop, threads: NIOThreadPool) {
        (self.maker, self.chunksAhead, self.loop, self.threads) = (maker, chunksAhead, loop, threads)
    }

    private var chunkSize: Int {
        maker.chunkSize
    }

    /// Makes the first requests.
    ///
    /// - Returns: a future that succeeds when they are ready.
    func prepare() -> EventLoopFuture<Void> {
        EventLoopFuture.andAllSucceed((0..<chunksAhead).map { _ in makeChunk() }, on: loop)
    }

    /// Returns whether a request is ready.
    func isReady(_ request: Int) -> Bool {
        chunks[request / chunkSize] != nil
    }

    /// Returns a request, or `nil` if it is not ready.
    func take(_ request: Int) -> PreparedRequest? {
        guard let chunk = chunks[request / chunkSize] else { return nil }
        if request % chunkSize == chunkSize - 1 {
            chunks[request / chunkSize] = nil
            _ = makeChunk()
        }
        return chunk[request % chunkSize]
    }

    private func makeChunk() -> EventLoopFuture<Void> {
        let (chunk, maker) = (nextChunk, maker)
        nextChunk += 1
        let requests = threads.runIfActive(eventLoop: loop) { maker.requests(ofChunk: chunk) }
        return requests.assumeIsolated()
            .map { requests in
                self.chunks[chunk] = requests
                self.onReady()
            }
            .nonisolated()
    }
}
