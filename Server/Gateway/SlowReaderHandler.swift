internal import NIOCore

/// Closes the connection of a client that takes nothing of an answer for a while; what is written to it would wait for ever.
///
/// Once the gateway is going it waits no longer than for anybody else who does not finish (`closeAfterPatience`).
final class SlowReaderHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = NIOAny

    private let patience: TimeAmount
    private var alarm: Scheduled<Void>?
    private var isQuiescing = false

    init(patience: TimeAmount) {
        self.patience = patience
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
        let wait = isQuiescing ? min(patience, .lastPatience) : patience
        alarm = context.eventLoop.scheduleTask(in: wait) { channel.reset() }
    }
}
