internal import Foundation
internal import NIOCore

/// Closes the connection of a client that takes nothing of an answer for a while; what is written to it would wait for ever.
///
/// Once the gateway is going it waits no longer than for anybody else who does not finish (`closeAfterTimeout`).
final class SlowReaderHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = NIOAny

    private let timeout: TimeAmount
    private var alarm: Scheduled<Void>?
    private var isQuiescing = false

    init(timeout: TimeAmount) {
        self.timeout = timeout
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        watch(context)
        context.fireChannelWritabilityChanged()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is ChannelShouldQuiesceEvent {
            isQuiescing = true
            watch(context)
        }
        context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
        alarm?.cancel()
        context.fireChannelInactive()
    }

    /// Sets the alarm where the reader is behind, and takes it back where it is not.
    private func watch(_ context: ChannelHandlerContext) {
        alarm?.cancel()
        alarm = nil
        guard !context.channel.isWritable else { return }
        let channel = context.channel
        let wait = isQuiescing ? min(timeout, .closeTimeout) : timeout
        alarm = context.eventLoop.scheduleTask(in: wait) { channel.reset() }
    }
}

extension Channel {
    /// Closes the connection after a while, whatever its other end does or leaves undone.
    func closeAfterTimeout() {
        eventLoop.scheduleTask(in: .closeTimeout) { self.reset() }
    }

    /// Closes the connection at once; what was not taken is thrown away, which the kernel would keep offering otherwise.
    func reset() {
        guard isActive, let socket = self as? any SocketOptionProvider else { return close(promise: nil) }
        socket.setSoLinger(linger(l_onoff: 1, l_linger: 0)).whenComplete { _ in self.close(promise: nil) }
    }
}

extension TimeAmount {
    /// How long whoever does not finish is waited for when a connection is to end.
    static let closeTimeout = Self.seconds(2)
}
