internal import HTTP2Sessions
internal import NIOCore

/// A request that is ready to be sent.
enum PreparedRequest: Sendable {
    /// The body of a batch in its content coding.
    case batch(ByteBuffer)

    /// A notification for the provider API.
    case notification(HTTP2RequestHead, body: [UInt8])
}

/// A connection that sends requests of a load test.
///
/// Everything happens on one event loop.
protocol LoadConnection: AnyObject {
    /// Called when the connection can send again, after it could not.
    var onReady: () -> Void { get set }

    /// Called with the number of a request that got a response, and the reasons of its refused items by index.
    var onResponse: (_ number: Int, _ refusals: [Int: String]) -> Void { get set }

    /// Called with the number of a request that gets no response, and the reason.
    var onFailure: (_ number: Int, _ reason: String) -> Void { get set }

    /// Called when the connection is lost, after its requests have failed.
    var onEnd: () -> Void { get set }

    /// Whether the connection can send a request now.
    var canSend: Bool { get }

    /// The number of requests without a response.
    var pendingRequestCount: Int { get }

    /// Connects.
    func connect(on loop: any EventLoop) -> EventLoopFuture<Void>

    /// Sends a request, whose number the callbacks get; `flush` writes it.
    func send(_ request: PreparedRequest, number: Int)

    /// Writes what was sent.
    func flush()

    /// Closes the connection for good; requests without a response fail with `reason`.
    func close(reason: String)
}
