internal import NIOCore
internal import NIOPosix

/// A function that makes requests, on any thread.
struct RequestMaker: Sendable {
    /// The number of requests that are made at once: many small ones, or one large one.
    let chunk: Int

    private let make: @Sendable (_ request: Int) -> PreparedRequest

    init(chunk: Int, _ make: @escaping @Sendable (_ request: Int) -> PreparedRequest) {
        (self.chunk, self.make) = (chunk, make)
    }

    /// Returns the requests of a chunk.
    func requests(ofChunk number: Int) -> [PreparedRequest] {
        (number * chunk..<(number + 1) * chunk).map(make)
    }
}

/// The requests that are ready to be sent.
///
/// They are made ahead of their time on threads of their own, several at once, and taken in the order of their numbers.
final class RequestSupply {
    /// Called when more requests are ready.
    var onReady: () -> Void = {}

    private let maker: RequestMaker
    private let ahead: Int
    private let loop: any EventLoop
    private let threads: NIOThreadPool
    private var chunks: [Int: [PreparedRequest]] = [:]
    private var nextChunk = 0

    /// Creates a supply.
    ///
    /// - Parameters:
    ///   - maker: makes the requests.
    ///   - ahead: the number of chunks that are kept ready.
    ///   - loop: the event loop of all calls.
    ///   - threads: the threads that make the requests.
    init(_ maker: RequestMaker, ahead: Int, on loop: any EventLoop, threads: NIOThreadPool) {
        (self.maker, self.ahead, self.loop, self.threads) = (maker, ahead, loop, threads)
    }

    private var size: Int {
        maker.chunk
    }

    /// Makes the first requests.
    ///
    /// - Returns: a future that succeeds when they are ready.
    func prepare() -> EventLoopFuture<Void> {
        EventLoopFuture.andAllSucceed((0..<ahead).map { _ in makeChunk() }, on: loop)
    }

    /// Returns whether a request is ready.
    func has(_ request: Int) -> Bool {
        chunks[request / size] != nil
    }

    /// Returns a request, or `nil` if it is not ready.
    func take(_ request: Int) -> PreparedRequest? {
        guard let chunk = chunks[request / size] else { return nil }
        if request % size == size - 1 {
            chunks[request / size] = nil
            _ = makeChunk()
        }
        return chunk[request % size]
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
