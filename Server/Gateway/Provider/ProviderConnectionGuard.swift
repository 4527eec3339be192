internal import NIOCore

/// Stands in front of everything on a provider's connection: TLS, whoever finds out what a client speaks, and who handles it then.
///
/// A client that does not say in time what it speaks is let go, and so is one that has not when the gateway goes. Whatever
/// else is being done then is not waited for longer than for anybody (`closeAfterTimeout`).
final class ProviderConnectionGuard: ChannelInboundHandler {
    typealias InboundIn = NIOAny

    private let timeout: TimeAmount
    private var alarm: Scheduled<Void>?
    private var isProtocolKnown = false

    init(timeout: TimeAmount) {
        self.timeout = timeout
    }

    /// Notes that it is known what the client speaks.
    func noteProtocol() {
        isProtocolKnown = true
        alarm?.cancel()
    }

    func handlerAdded(context: ChannelHandlerContext) {
        let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
        alarm = context.eventLoop.scheduleTask(in: timeout) { bound.value.close(promise: nil) }
    }

    func channelInactive(context: ChannelHandlerContext) {
        alarm?.cancel()
        context.fireChannelInactive()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is ChannelShouldQuiesceEvent {
            guard isProtocolKnown else { return context.close(promise: nil) }
            context.channel.closeAfterTimeout()
        }
        context.fireUserInboundEventTriggered(event)
    }
}
