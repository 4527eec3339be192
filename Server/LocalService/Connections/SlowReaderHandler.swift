internal import Foundation
package import NIOCore

/// A handler that closes the connection of a client that does not read its response for some time.
///
/// Otherwise the written data would stay buffered forever. During a shutdown, the time-out is at most `closeTimeout`.
package final class SlowReaderHandler: ChannelInboundHandler, RemovableChannelHandler {
    /// Anything, which is passed on.
    package typealias InboundIn = NIOAny

    private let timeout: TimeAmount
    private var timeoutTask: Scheduled<Void>?
    private var isQuiescing = false

    /// Creates the handler.
    package init(timeout: TimeAmount) {
        self.timeout = timeout
    }

    /// Starts or stops the time-out.
    package func channelWritabilityChanged(context: ChannelHandlerContext) {
        updateTimeout(context)
        context.fireChannelWritabilityChanged()
    }

    /// Shortens the time-out at a shutdown.
    package func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is ChannelShouldQuiesceEvent {
            isQuiescing = true
            updateTimeout(context)
        }
        context.fireUserInboundEventTriggered(event)
    }

    /// Ends the time-out.
    package func channelInactive(context: ChannelHandlerContext) {
        timeoutTask?.cancel()
        context.fireChannelInactive()
    }

    /// Starts the time-out if data waits for the client, and cancels it if not.
    private func updateTimeout(_ context: ChannelHandlerContext) {
        timeoutTask?.cancel()
        timeoutTask = nil
        guard !context.channel.isWritable else { return }
        let channel = context.channel
        let time = isQuiescing ? min(timeout, .closeTimeout) : timeout
        timeoutTask = context.eventLoop.scheduleTask(in: time) { channel.reset() }
    }
}

extension Channel {
    /// Closes the connection after `closeTimeout`, regardless of the other end.
    package func closeAfterTimeout() {
        eventLoop.scheduleTask(in: .closeTimeout) { self.reset() }
    }

    /// Closes the connection at once and drops unread data, which the kernel would otherwise keep sending.
    package func reset() {
        guard isActive, let socket = self as? any SocketOptionProvider else { return close(promise: nil) }
        socket.setSoLinger(linger(l_onoff: 1, l_linger: 0)).whenComplete { _ in self.close(promise: nil) }
    }
}

extension TimeAmount {
    /// The maximum time that a connection stays open for its client after the server has decided to close it.
    package static let closeTimeout = Self.seconds(2)
}
