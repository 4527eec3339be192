package import Hummingbird
internal import NIOCore

/// The context of a request to a service, with the connection of the client.
package struct ServiceContext: RequestContext {
    /// The context that the framework needs.
    package var coreContext: CoreRequestContextStorage

    private let channel: any Channel

    /// Creates the context of a request.
    package init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        channel = source.channel
    }

    /// Waits until the client closes its end of the connection, or the task is canceled.
    package func waitForDisconnect() async {
        let (disconnects, continuation) = AsyncStream.makeStream(of: Void.self)
        let id = try? await withConnectionEndHandler { $0.add(continuation) }.get()
        guard let id else { return }
        for await _ in disconnects {}
        withConnectionEndHandler { $0.remove(id) }.whenComplete { _ in }
    }

    /// Does work that has to end if the client closes its end of the connection.
    ///
    /// - Parameters:
    ///   - work: the work.
    ///   - onDisconnect: called if the client closes its end of the connection during the work, which must then end.
    /// - Throws: any error of `work`.
    @concurrent package func whileConnected(
        _ work: @concurrent () async throws -> Void,
        onDisconnect: @escaping @Sendable () -> Void
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                await waitForDisconnect()
                if !Task.isCancelled { onDisconnect() }
            }
            try await work()
            group.cancelAll()
        }
    }

    private func withConnectionEndHandler<Value: Sendable>(
        _ work: @escaping @Sendable (ConnectionEndHandler) throws -> Value
    ) -> EventLoopFuture<Value> {
        let channel = channel
        return channel.eventLoop.submit {
            try work(try channel.pipeline.syncOperations.handler(type: ConnectionEndHandler.self))
        }
    }
}

/// A handler that notifies waiters when the client has closed its end of the connection.
final class ConnectionEndHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = NIOAny

    private var waiters: [Int: AsyncStream<Void>.Continuation] = [:]
    private var lastID = 0
    private var hasEnded = false

    /// Adds a stream, which finishes at the end of the connection; returns its identifier.
    func add(_ waiter: AsyncStream<Void>.Continuation) -> Int {
        lastID += 1
        if hasEnded { waiter.finish() } else { waiters[lastID] = waiter }
        return lastID
    }

    /// Removes the stream with an identifier.
    func remove(_ id: Int) {
        waiters[id] = nil
    }

    func channelInactive(context: ChannelHandlerContext) {
        end()
        context.fireChannelInactive()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .inputClosed? = event as? ChannelEvent { end() }
        context.fireUserInboundEventTriggered(event)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        end()
    }

    private func end() {
        hasEnded = true
        for waiter in waiters.values { waiter.finish() }
        waiters = [:]
    }
}
